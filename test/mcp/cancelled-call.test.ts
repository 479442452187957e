import { expect, it } from "vitest";
import { createWorld } from "../support/world.ts";

it("a call that its client cancels has an end: in the evidence, and for who counts calls", async () => {
  const world = await createWorld({ stepMs: 60_000 });
  const p = await world.process();
  const counted: string[] = [];
  p.deps.onCall = ({ tool, status }) => counted.push(`${tool} ${status}`);
  const leaves = new AbortController();
  const call = p.start("towow_demand", { intent: "A designer" }, { signal: leaves.signal }).catch(() => "cancelled");
  await world.clock.advance(1_000);
  leaves.abort();
  expect(await world.clock.run(call)).toBe("cancelled");
  await world.clock.until(() => counted.length > 0);
  expect(counted).toEqual(["towow_demand cancelled"]);
  const { contents } = await p.client.readResource({ uri: "towow://evidence/recent" });
  expect(JSON.parse((contents[0] as { text: string }).text).calls).toMatchObject([
    { tool: "towow_demand", status: "cancelled", error_code: null, duration_ms: expect.any(Number) },
  ]);
});
