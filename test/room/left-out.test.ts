import { expect, it } from "vitest";
import { transition } from "../../src/room/transitions.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { DRAWING } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";
import { LANGS } from "../support/screens.ts";

it.each(LANGS)("what the network left out comes back by one button: the submitted text would go out (%s)", (lang) => {
  const state = roomStates(lang)["decide-left-out-denials"]!;
  const restored = transition(state, { toolName: "useSubmitted", params: {}, by: "person" }, 0)!;
  const { sections, alert } = uiSpec(restored, DRAWING);
  const sheet = sections.find((section) => section.kind === "sheet");
  expect(sheet?.outgoing).toBe(state.demand?.negotiation?.demand_raw);
  expect([sheet?.leftOut, alert]).toEqual([undefined, undefined]);
});
