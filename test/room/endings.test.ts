import { expect, it } from "vitest";
import { transition } from "../../src/room/transitions.ts";
import { NOW } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";
import { WORDS } from "../support/room-words.ts";
import { LANGS } from "../support/screens.ts";

/** What each ending says and offers is printed: `screens/room-end.*.txt`. */

it.each(LANGS)("to another scene the words go along, of a plan they do not: %s", (lang) => {
  const states = roomStates(lang);
  const restarted = (name: string, params: Record<string, string>) =>
    transition(states[name]!, { toolName: "restart", params, by: "person" }, NOW)?.form;
  const toAnother = { itemId: "scene_000000000002", words: "kept" };
  const { raw, rewritten, theirs } = WORDS[lang];
  expect(restarted("withdrawn", toAnother)).toMatchObject({ intent: raw, sceneId: "scene_000000000002" });
  expect(restarted("all-left", toAnother)?.intent).toBe(raw);
  expect(restarted("withdrawn-own-version", toAnother)?.intent).toBe(rewritten);
  expect(restarted("withdrawn-agents-version", toAnother)?.intent).toBe(raw);
  expect(theirs).not.toBe(raw);
  const shortened = restarted("nobody", toAnother)?.intent ?? "";
  expect([shortened.length > 20, shortened.length < raw.length]).toEqual([true, true]);
  expect(restarted("plan", {})?.intent).toBe("");
});
