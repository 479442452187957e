import { expect, it } from "vitest";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { roomTexts } from "../../src/text/room.ts";
import { DRAWING } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";

const say = roomTexts("en").decision;
const states = roomStates("en");

const headingIn = (name: string, by?: "ai" | "outside") => {
  const state = states[name]!;
  const { proposed } = state.form;
  const form = by && proposed ? { ...state.form, proposed: { ...proposed, by } } : state.form;
  const sheet = uiSpec({ ...state, form }, DRAWING).sections.find(({ kind }) => kind === "sheet");
  return sheet?.kind === "sheet" && sheet.heading;
};

it("the sheet says whose text it shows: the network's, the AI's, the agent's, or the person's own", () => {
  expect(headingIn("decide-by-ai")).toBe(say.added);
  expect(headingIn("decide-candidate")).toBe(say.byYourAi);
  expect(headingIn("decide-candidate", "outside")).toBe(say.agents);
  // From the first word that the person changes in it, it is theirs.
  expect(headingIn("decide-candidate-edited")).toBe(say.yours);
  expect(headingIn("decide-rewritten")).toBe(say.yours);
});

it("how strongly each resonates is said in two digits", () => {
  const state = states.negotiating!;
  const said = (score: number) => {
    const seen = state.demand!.negotiation!;
    const participants = seen.participants.slice(0, 1).map((one) => ({ ...one, resonance_score: score }));
    const demand = { ...state.demand!, negotiation: { ...seen, participants } };
    return JSON.stringify(uiSpec({ ...state, demand }, DRAWING)).match(/"scoreText":"([^"]*)"/)?.[1];
  };
  expect([said(0.5), said(0.756), said(1)]).toEqual(["0.50", "0.76", "1.00"]);
});
