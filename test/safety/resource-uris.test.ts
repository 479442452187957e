import { expect, it } from "vitest";
import { MAX_ID_LENGTH } from "../../src/backend/route.ts";
import { offerUri } from "../../src/safety/resource-uris.ts";

it("an agent's id is one segment of an address, or there is no address", () => {
  const of = (agent: string) => offerUri("neg_1", agent);
  expect(of("agent a/b?c")).toBe("towow://negotiations/neg_1/offers/agent%20a%2Fb%3Fc");
  expect(of("a".repeat(MAX_ID_LENGTH))).toBeDefined();
  for (const id of ["", ".", "..", "a".repeat(MAX_ID_LENGTH + 1), "\uD800"]) expect(of(id)).toBeUndefined();
  expect(of("...")).toBeDefined();
});
