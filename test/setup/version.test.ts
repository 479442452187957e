import { expect, it } from "vitest";
import { isNewer } from "../../src/setup/older-copies.ts";

it("versions are compared by their numbers; a pre-release comes before its release", () => {
  const inOrder = ["0.0.9", "0.2.0-rc.1", "0.2.0-rc.10", "0.2.0", "0.10.0", "1.0.0", "10.0.0"];
  for (const [i, one] of inOrder.entries())
    for (const [j, other] of inOrder.entries()) expect(isNewer(one, other), `${one} ${other}`).toBe(i > j);
  expect(isNewer("1.0.0+a", "1.0.0")).toBe(false);
});
