import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { nanoid } from "nanoid";
import { expect, it } from "vitest";
import { buildServer } from "../../src/mcp/server.ts";
import { testSession } from "../support/session.ts";
import { createWorld } from "../support/world.ts";

/** One poller serves all who follow a negotiation: reads of the backend do not grow with them (agent layer §7). */

const INTENT = "machine learning";

/** A negotiation from its confirmation to its plan, followed by so many clients with a session each. */
async function followed(subscribers: number) {
  const world = await createWorld({ stepMs: 1_500 });
  const p = await world.process({});
  const { result } = await p.call("towow_demand", { intent: INTENT });
  const { negotiation_id: id, resume_with } = result.data;
  const uri = `towow://negotiations/${id}`;
  const heard = await Promise.all(
    Array.from({ length: subscribers }, async () => {
      const server = buildServer({ ...p.deps, session: testSession(world.clock, nanoid) });
      const client = new Client({ name: "follower", version: "1" });
      const updates: string[] = [];
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updates.push(params.uri));
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(theirs), client.connect(ours)]);
      await client.subscribeResource({ uri });
      return updates;
    }),
  );
  const reads = () => world.mock.journal.filter(({ method, path }) => method === "GET" && path.endsWith(id)).length;
  const before = reads();
  await p.call("towow_demand", { ...resume_with.params, decision: "accept" });
  await world.clock.until(() => world.mock.engine.get(id).state === "completed");
  await world.clock.advance(12_000);
  return { reads: reads() - before, heard };
}

it("50 subscribers of one negotiation: as many reads as for one, and each hears of every change", async () => {
  const one = await followed(1);
  const fifty = await followed(50);
  expect(one.reads).toBeLessThanOrEqual(24);
  expect(fifty.reads).toBe(one.reads);
  expect(one.heard[0]?.length).toBeGreaterThan(2);
  for (const updates of fifty.heard) expect(updates).toEqual(one.heard[0]?.map(() => fifty.heard[0]?.[0]));
});
