import { describe, expect, it } from "vitest";
import type { RoomState } from "../../src/room/room-state.ts";
import { actionsOf } from "../../src/room/tools.ts";
import { transition } from "../../src/room/transitions.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import type { Section, SectionSpec } from "../../src/room/ui-spec-schema.ts";
import { roomTexts } from "../../src/text/room.ts";
import { DRAWING, NOW, over } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";
import { WORDS } from "../support/room-words.ts";

const LANGS = ["en", "zh"] as const;
const ENDINGS = [
  "nobody",
  "all-left",
  "no-offers",
  "empty-plan",
  "withdrawn",
  "withdrawn-by-itself",
  "cancelled",
  "failed",
  "failed-by-id",
  "not-found",
];

const specOf = (state: RoomState | undefined) => uiSpec(state as RoomState, DRAWING);

function sectionOf<K extends SectionSpec["kind"]>(state: RoomState | undefined, kind: K, id?: string) {
  return specOf(state).sections.find((one) => one.kind === kind && (id === undefined || one.id === id)) as
    | Section<K>
    | undefined;
}

const termsOf = (state: RoomState | undefined) =>
  Object.fromEntries((sectionOf(state, "facts")?.facts ?? []).map(({ term, value }) => [term, value]));

describe.each(LANGS)("how a demand ended, on its screen: %s", (lang) => {
  const states = roomStates(lang);
  const say = roomTexts(lang);

  it("every ending says what can be done next", () => {
    for (const name of ENDINGS) {
      const names = actionsOf(specOf(states[name]))
        .filter(({ enabled }) => enabled)
        .map(({ toolName }) => toolName);
      expect(names, name).toContain("restart");
      expect(sectionOf(states[name], "form", "again"), name).toBeDefined();
    }
  });

  it("a plan without people in it is shown where it is spoken of, and can be kept", () => {
    for (const name of ["nobody", "all-left", "no-offers"]) {
      expect(sectionOf(states[name], "prose")?.blocks.length, name).toBeGreaterThan(0);
      expect(sectionOf(states[name], "form", "export")?.actions, name).toHaveLength(3);
    }
    expect(sectionOf(states["empty-plan"], "prose")).toBeUndefined();
  });

  it("the person's own version that never went out is what can be asked again, and the submitted words come back", () => {
    const state = states["withdrawn-by-itself"]!;
    const edited = { ...state, form: { ...state.form, edited: "An hour of work." } };
    const again = sectionOf(edited, "form", "again");
    expect(again).toMatchObject({ note: say.done.againVersion, fields: [{ value: "An hour of work." }] });
    const restore = again?.actions.find(({ id }) => id === "restore");
    expect(restore?.params).toEqual({ fieldId: "intent", value: state.demand?.negotiation?.demand_raw });
    const theirs = { text: "An hour of work.", by: "ai" as const };
    const agents = { ...edited, form: { ...edited.form, proposed: theirs } };
    expect(sectionOf(agents, "form", "again")?.note).toBe(say.done.againNote);
  });

  it("a heading says no more than what was seen", () => {
    expect(specOf(states["all-left"]).heading).toBe(say.done.allLeft);
    expect(specOf(states["no-offers"]).heading).toBe(say.done.noOffers);
    expect(specOf(states["empty-plan"]).heading).toBe(say.done.failed);
    expect(termsOf(states.nobody)[say.done.resonated]).toBe(say.done.none);
    const alone = { plan_output: WORDS[lang].planAlone, participants: [] };
    for (const [known, heading] of [
      [{ othersInScene: 0 }, say.done.emptyScene],
      [{}, say.done.noParticipants],
    ] as const) {
      const state = over(lang, states.nobody!.demand!.stage, alone, { known });
      expect(specOf(state).heading).toBe(heading);
      expect(termsOf(state)).not.toHaveProperty(say.done.resonated);
    }
    // Without a plan, nobody knows whether agents were looked for.
    expect(termsOf(states.failed)).not.toHaveProperty(say.done.resonated);
  });

  it("what was offered before the end stays on the screen, and nothing is announced that cannot come", () => {
    expect(sectionOf(states.cancelled, "offer")?.text).not.toBe("");
    const { selected: _, ...form } = states["empty-plan"]!.form;
    for (const selected of ["agent_2", "agent_4"]) {
      const offer = sectionOf({ ...states["empty-plan"]!, form: { ...form, selected } }, "offer");
      expect([say.done.noOffer, say.done.left]).toContain(offer?.text);
    }
    expect(sectionOf(states["no-offers"], "agents")?.agents.map(({ status }) => status)).not.toContain(
      say.negotiating.states.waiting,
    );
  });

  it("to another scene the words go along", () => {
    for (const name of ENDINGS.filter((one) => one !== "not-found")) {
      const call = {
        toolName: "restart",
        params: { itemId: "scene_000000000002", words: "kept" },
        by: "person",
      } as const;
      const after = transition(states[name]!, call, NOW);
      expect(after?.form.intent, name).toBe(sectionOf(states[name], "form", "again")?.fields[0]?.value);
      expect(after?.form.sceneId).toBe("scene_000000000002");
    }
    const plan = transition(states.plan!, { toolName: "restart", params: {}, by: "person" }, NOW);
    expect(plan?.form.intent).toBe("");
  });

  it("without a scene nothing is offered that needs one", () => {
    const { form } = states.withdrawn!;
    const state = { ...states.withdrawn!, form: { ...form, sceneId: "" } };
    expect(sectionOf(state, "form", "again")).toBeUndefined();
    expect(sectionOf(state, "list", "scenes")?.actions).toHaveLength(1);
  });

  it("a text that is withdrawn, or whose time is over, goes nowhere by its own bar", () => {
    for (const name of ["decide-withdrawing", "decide-passed"])
      expect(
        sectionOf(states[name], "bar")?.facts.map(({ id }) => id),
        name,
      ).not.toContain("to");
    const passed = actionsOf(specOf(states["decide-passed"])).filter(({ enabled }) => enabled);
    expect(passed.map(({ toolName }) => toolName).filter((name) => /edit|take|put|reset|broadcast/.test(name))).toEqual(
      [],
    );
  });
});
