import { describe, expect, it } from "vitest";
import { requests } from "../support/backend.ts";
import type { Answer, Form } from "../support/clients.ts";
import { createWorld, type Process, type World } from "../support/world.ts";

/**
 * Seen means seen whole (contract §6): something changes while a person reads one of several forms. Whatever was sent then
 * had been shown from its first part to its last, in one language, with what was true when it was sent.
 */

const PROFILE = {
  skills: ["product design", "hospital queues", "figma"],
  bio: "Designer of calm hospital software, twelve years beside nurses, ready from May; call 13800138000.",
  experience: "Ten years of work in wards, told at some length. ".repeat(4),
};
const YES: Answer = { action: "accept", content: { decision: "accept" } };
const registrations = (world: World) => requests(world.mock, "POST", /\/agents$/);
const read = (text: string) => text.replaceAll(/[\s·↵]/g, "");
const numberIn = (form: Form) => Number(/(\d+)\D+\d+/.exec(String(fieldOf(form).title))?.[1]);
const fieldOf = ({ requestedSchema: { properties } }: Form) => properties.decision as Record<string, string>;

interface Change {
  make: (world: World, p: Process) => void;
  /** What a person must have read by the time of their yes: one of these. */
  said: (world: World) => string[];
}

const CHANGES: Record<string, Change> = {
  "the language": {
    make: (_, { settings }) => Object.assign(settings, { lang: "zh" }),
    said: () => ["发布后无法删除", "Youcannotdeleteitlater"],
  },
  "the scene that they joined last": {
    make: (world, { settings }) => Object.assign(settings, { last_scene_id: world.mock.scenes()[2]?.scene_id }),
    said: (world) => [String(world.mock.scenes()[2]?.scene_id)],
  },
};

describe.each(Object.entries(CHANGES))("%s changes", (_, { make, said }) => {
  it.each([1, 2, 3, 4, 5])("while form %s is open", async (at) => {
    const world = await createWorld();
    const [first, second] = world.mock.scenes();
    const p: Process = await world.process({
      config: { last_scene_id: second?.scene_id },
      flags: { mode: "developer" },
      answer: () => {
        if (p.forms.length === at) make(world, p);
        return YES;
      },
    });
    const args = { scene: first?.scene_id, display_name: "Lin", profile_data: PROFILE };
    const { result } = await p.call("towow_join", args);
    const begins = p.forms.findLastIndex((form) => numberIn(form) === 1);
    const series = p.forms.slice(begins);
    expect(series.map(numberIn)).toEqual(series.map((_, index) => index + 1));
    const shown = read(series.map(({ message }) => message).join(""));
    const wasShown = Object.values(PROFILE)
      .flat()
      .every((value) => shown.includes(read(value)));
    const isTrue = at > p.forms.length || said(world).some((words) => shown.includes(words));
    expect(registrations(world)).toHaveLength(wasShown && isTrue ? 1 : 0);
    expect(result.error).toBeNull();
  });
});
