import { describe, expect, it } from "vitest";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { roomTexts } from "../../src/text/room.ts";
import { asking, DRAWING, NOW, question, stageAs } from "../support/room-parts.ts";

const { decision } = roomTexts("en");
const OUTAGE = { outageSince: NOW - 30_000 };
/** Of the parts that rooms are put together from. */
const BACKEND_AT = DRAWING.timeOfDay(NOW + 252_000);

const factsOf = (state: Parameters<typeof uiSpec>[0]) => {
  const bar = uiSpec(state, DRAWING).sections.find((section) => section.kind === "bar");
  return bar?.facts.map(({ term, value }) => [term, value]) ?? [];
};

describe("the deadline of a demand whose backend cannot be reached", () => {
  it("promises no withdrawal that may never arrive, and says what the backend does by itself", () => {
    const facts = factsOf(asking("en", { ...OUTAGE, ...question(240_000) }));
    expect(facts[0]).toEqual([decision.nothing, decision.withdrawsAt(DRAWING.timeOfDay(NOW + 240_000))]);
    expect(facts[1]).toEqual([decision.unreached, decision.broadcastAt(BACKEND_AT)]);
    expect(facts.flat().join()).not.toContain("nothing sent");
  });

  it("says it too while a withdrawal is on its way, and that it may be out once the time is over", () => {
    const withdrawing = asking("en", { ...OUTAGE, stage: stageAs("cancelling", "reject"), question: undefined });
    expect(factsOf(withdrawing)).toContainEqual([decision.unreached, decision.broadcastAt(BACKEND_AT)]);
    const late = { ...stageAs("cancelling", "withdraw"), deadlineAt: NOW - 1 };
    expect(factsOf(asking("en", { ...OUTAGE, stage: late, question: undefined }))).toContainEqual([
      decision.unreached,
      decision.mayBeOut(DRAWING.timeOfDay(NOW - 1)),
    ]);
  });

  it("one that answers, and does not help, is called what it is: no countdown, no promise, no broadcast", () => {
    const state = asking("en", { ...OUTAGE, refusal: "It knows no such demand.", ...question(240_000) });
    const { notes, sections } = uiSpec(state, DRAWING);
    const bar = sections.find((section) => section.kind === "bar");
    expect(notes.map(({ text }) => text)).toEqual(["It knows no such demand."]);
    expect(bar?.timer).toBeUndefined();
    expect(factsOf(state)[0]).toEqual([decision.nothing, decision.mayGoOn(BACKEND_AT)]);
    const enabled = bar?.actions.filter((action) => action.enabled).map(({ toolName }) => toolName);
    expect(enabled).toEqual(["withdraw", "edit"]);
  });

  it("a backend that answers is trusted with the withdrawal", () => {
    expect(factsOf(asking("en", question(240_000)))[0]?.[1]).toContain("nothing sent");
    expect(factsOf(asking("en")).flat()).not.toContain(decision.unreached);
  });
});
