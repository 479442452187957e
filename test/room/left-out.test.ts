import { describe, expect, it } from "vitest";
import { transition } from "../../src/room/transitions.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { roomTexts } from "../../src/text/room.ts";
import { asking, DRAWING, negotiation } from "../support/room-parts.ts";
import type { Lang } from "../support/room-words.ts";

const TEXTS = {
  en: [
    "I do not want recruiters. No equity, never without a contract.",
    "I do want recruiters. equity, without a contract.",
    "not … No … never",
  ],
  zh: [
    "不要找会计，只找设计师。不接受远程，预算五千元。",
    "找会计，找设计师。接受远程，预算五千元。",
    "不要 … 只 … 不",
  ],
} as const;

const sheetFor = (lang: Lang, demand_raw: string, demand_formulated: string) =>
  asking(lang, { negotiation: negotiation(lang, { demand_raw, demand_formulated }) });
const drawn = (state: Parameters<typeof uiSpec>[0]) => {
  const spec = uiSpec(state, DRAWING);
  return { ...spec, sheet: spec.sections.find((section) => section.kind === "sheet") };
};

describe.each(["en", "zh"] as const)("a network that leaves words out (%s)", (lang) => {
  const [raw, formulated, missing] = TEXTS[lang];
  const { decision } = roomTexts(lang);
  const state = sheetFor(lang, raw, formulated);

  it("is never said to have kept every word, and what is missing is named", () => {
    const { lead, alert, sheet } = drawn(state);
    expect(lead).not.toContain(decision.allYours);
    expect(alert?.text).toBe(decision.yoursMissing);
    expect(sheet?.leftOut).toMatchObject({ label: decision.leftOut, text: missing });
  });

  it("the submitted text comes back by one button, and is what would go out", () => {
    expect(drawn(state).sheet?.leftOut?.action).toMatchObject({ toolName: "useSubmitted", by: "person" });
    const restored = transition(state, { toolName: "useSubmitted", params: {}, by: "person" }, 0)!;
    const { sheet, alert } = drawn(restored);
    expect(sheet?.outgoing).toBe(raw);
    expect(sheet?.leftOut).toBeUndefined();
    expect(alert).toBeUndefined();
  });

  it("a word that somebody else wrote is not called the person's", () => {
    const other = { ...state, demand: { ...state.demand!, writtenBy: "ai" as const } };
    expect(drawn(other).alert?.text).toBe(decision.submittedMissing);
  });
});

it("where only words were added, nothing is said to be missing", () => {
  const { sheet, alert } = drawn(asking("en"));
  expect(sheet?.leftOut).toBeUndefined();
  expect(alert?.text).toBe(roomTexts("en").decision.notYours(5));
});
