import { expect, it } from "vitest";
import { pauseWithoutForms } from "../ask/pause-support.ts";
import { createWorld } from "../support/world.ts";

/** The list of demands that wait says what the backend shows now. */

it("somebody else confirms within a second of the last look: the next call does not list the demand as open", async () => {
  const world = await createWorld();
  const p = await world.process();
  const asked = await pauseWithoutForms(world, p);
  const { result } = await p.call("towow_demand", { intent: "A nurse for nights", allow_duplicate: true });
  const other = result.data.negotiation_id as string;
  expect((await p.call("towow_status", { negotiation_id: other })).result.data.open).toHaveLength(2);
  const confirmed = await world.mock.fetch(
    new Request(`http://127.0.0.1:9/mock/negotiations/${asked.negotiation_id}/confirm`, {
      method: "POST",
      body: JSON.stringify({ text: "Another text" }),
    }),
  );
  expect(confirmed.status).toBe(200);
  await world.clock.advance(100);
  const { open } = (await p.call("towow_status", { negotiation_id: other })).result.data;
  expect(open.map(({ negotiation_id }: { negotiation_id: string }) => negotiation_id)).toEqual([other]);
});

it("a demand about which the backend does not answer is listed as one that may have moved on", async () => {
  const world = await createWorld();
  const p = await world.process();
  const lost = await pauseWithoutForms(world, p);
  await p.call("towow_demand", { intent: "A nurse for nights", allow_duplicate: true });
  const { result } = await p.call("towow_demand", { intent: "A cook for noons", allow_duplicate: true });
  const { params } = result.data.resume_with;
  await p.call("towow_demand", { ...params, decision: "reject" });
  world.rewrite = (body, { method, url }) => (method === "GET" && url.endsWith(lost.negotiation_id!) ? {} : body);
  const { data, summary } = (await p.call("towow_status", { negotiation_id: params.negotiation_id })).result;
  const unchecked = data.open.filter((one: { unchecked?: true }) => one.unchecked);
  expect(data.open).toHaveLength(2);
  expect(unchecked).toMatchObject([{ negotiation_id: lost.negotiation_id }]);
  expect(summary).toMatch(
    /2 other demands waiting for your decision\. The backend did not answer about 1 of them just now/,
  );
});
