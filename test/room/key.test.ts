import { expect, it } from "vitest";
import { keyOf } from "../../src/room/page/key.ts";

/** What Chromium cannot be made to send: each browser ends an input method's composition in an order of its own. */
it.each([
  ["Safari's, whose composition has ended by then", { key: "Enter", keyCode: 229, isComposing: false }, undefined],
  ["Chromium's, still in its composition", { key: "Enter", keyCode: 229, isComposing: true }, undefined],
  ["Firefox's, still in its composition", { key: "Enter", keyCode: 13, isComposing: true }, undefined],
  ["a person's own", { key: "Enter", keyCode: 13, isComposing: false }, "Enter"],
] as const)("an Enter: %s", (_, event, key) => {
  expect(keyOf(event as unknown as KeyboardEvent)).toBe(key);
});
