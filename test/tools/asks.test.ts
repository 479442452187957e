import { expect, it } from "vitest";
import { TOOLS } from "../../src/tools/index.ts";

it.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s asks exactly when its flags say so", (_, tool) => {
  // A scene is no secret and undone by nobody's loss: asked about only where other agents' text may have ordered it.
  const mustAsk = tool.sensitive_sink || tool.destructive || tool.name === "towow_create_scene";
  expect(tool.asks === "nothing").toBe(!mustAsk);
});

it("only reads are kept, and only what opens a negotiation counts as one", () => {
  const kept = TOOLS.filter(({ cacheMs }) => cacheMs !== undefined);
  const opening = TOOLS.filter(({ startsNegotiation }) => startsNegotiation);
  expect([kept, opening]).not.toContainEqual([]);
  expect(kept.filter(({ read_only }) => !read_only)).toEqual([]);
  expect(opening.filter(({ asks }) => asks !== "pause")).toEqual([]);
});
