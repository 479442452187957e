import { expect, it } from "vitest";
import { createWorld, type ProcessOptions } from "../support/world.ts";

/** Where a text is asked about, it is said whether the network has added anything to it. */

const SAME = "A designer for a hospital queue pilot";
const RICHER = `${SAME}, three months, on our own machines`;

/** The question that is put before the person. */
async function questionAbout(text: string, options: ProcessOptions) {
  const world = await createWorld();
  world.mock.engine.formulateWith(() => text);
  const p = await world.process({ answer: () => ({ action: "cancel" }), ...options });
  const { result } = await p.call("towow_demand", { intent: SAME });
  return { question: JSON.stringify(p.forms[0]), isDegraded: result.warnings.includes("degraded_formulation") };
}

it.each([
  ["a form", {}, /withdrawn · nothing was added/],
  ["a form in Chinese", { config: { lang: "zh" } }, / · 没有增加内容/],
  ["the question that opens a page", { elicitation: { url: {} } }, /Your AI wrote all of it/],
] as const)("%s says that nothing was added, and only then", async (_, options, says) => {
  const same = await questionAbout(SAME, options);
  expect([same.isDegraded, same.question]).toEqual([true, expect.stringMatching(says)]);
  const richer = await questionAbout(RICHER, options);
  expect([richer.isDegraded, richer.question]).toEqual([false, expect.not.stringMatching(says)]);
});

it("a text that the network's own feed says it has worked on is none, though the same came out", async () => {
  const { question, isDegraded } = await questionAbout(SAME, { feed: true });
  expect([isDegraded, question]).toEqual([false, expect.not.stringMatching(/nothing was added/)]);
});

it.each([SAME, RICHER])(
  "the result of a yes in a form says it as well, and that the result is degraded: %s",
  async (text) => {
    const world = await createWorld();
    world.mock.engine.formulateWith(() => text);
    const p = await world.process({ answer: () => ({ action: "accept", content: { decision: "accept" } }) });
    const { result } = await p.call("towow_demand", { intent: SAME });
    expect(result.data.decision).toBe("accept");
    const isSame = text === SAME;
    expect([result.status, result.warnings.includes("degraded_formulation")]).toEqual([
      isSame ? "degraded" : "ok",
      isSame,
    ]);
    expect(result.summary.includes("nothing was added")).toBe(isSame);
  },
);
