import { expect, it } from "vitest";
import { differences } from "../../src/ask/diff.ts";

const words = (of: string, count: number) => Array.from({ length: count }, (_, n) => `${of}${n}`).join(" ");

it("others have their turn while two texts that have little in common are compared", async () => {
  const edits = 100;
  let rounds = 0;
  let done = false;
  const others = (): void => {
    rounds += 1;
    if (!done) setImmediate(others);
  };
  setImmediate(others);
  const pieces = await differences(words("a", edits / 2), words("b", edits / 2), "en");
  done = true;
  expect(pieces?.filter(({ change }) => change !== "same").length).toBeGreaterThan(0);
  expect(rounds).toBeGreaterThan(edits / 2);
});

it("what is too long is not compared, nor what changes more than an edit would", async () => {
  expect(await differences("x".repeat(10_001), "y".repeat(10_000), "en")).toBe(undefined);
  expect(await differences(words("a", 900), words("b", 900), "en")).toBe(undefined);
});
