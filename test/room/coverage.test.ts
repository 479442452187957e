import { expect, it } from "vitest";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { DRAWING } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";

it.each([
  ["en", "leads: Agent 9", "6 of 9 people have a column"],
  ["zh", "负责：成员 9", "9 人中列出 6 人"],
] as const)("who leads a task is named, though the table has no column for them (%s)", (lang, others, note) => {
  const { sections } = uiSpec(roomStates(lang)["plan-crowd"]!, DRAWING);
  const coverage = sections.find((section) => section.kind === "coverage");
  expect(coverage?.columns).toHaveLength(6);
  expect(coverage?.note).toContain(note);
  const [first, second] = coverage?.rows ?? [];
  expect(first).toMatchObject({ others });
  expect(first?.gap).toBeUndefined();
  expect(second?.others).toBeUndefined();
});
