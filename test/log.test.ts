import { expect, it } from "vitest";
import { failureOf } from "../src/log.ts";

it("a failure that names itself as its cause is told in a line", () => {
  const error = new Error("a");
  error.cause = new Error("b", { cause: error });
  expect(failureOf(error).length).toBeLessThan(2_000);
});
