import { expect, it } from "vitest";
import { TOOLS } from "../../src/tools/index.ts";

it.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s asks exactly when its flags say so", (_, tool) => {
  const mustAsk = tool.sensitive_sink || tool.destructive;
  expect(tool.asks === "nothing").toBe(!mustAsk);
});

it("only reads are kept, and only what opens a negotiation counts as one", () => {
  for (const tool of TOOLS) {
    if (tool.cacheMs !== undefined) expect(tool.read_only).toBe(true);
    if (tool.startsNegotiation) expect(tool.asks).toBe("pause");
  }
});
