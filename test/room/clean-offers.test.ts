import { expect, it } from "vitest";
import type { Negotiation } from "../../src/backend/contract.ts";
import { createPerson } from "../../src/room/person-services.ts";
import { createWorld } from "../support/world.ts";

const OFFERS = 16;
const offer = (n: number) => ({
  agent_id: `agent_${n}`,
  display_name: `Agent ${n}`,
  resonance_score: 0.5,
  state: "replied",
  offer_content: "We are five people and can start in May.\n".repeat(200),
  offer_capabilities: [],
});
const SEEN: Negotiation = {
  negotiation_id: "neg_1",
  state: "offering",
  demand_raw: "A designer",
  demand_formulated: "A designer for a hospital",
  participants: Array.from({ length: OFFERS }, (_, n) => offer(n)),
  plan_output: null,
  center_rounds: 0,
  depth: 0,
  parent_negotiation_id: null,
  sub_session_ids: [],
};

it("a room cleans each answer of the backend once, and others have their turn while it does", async () => {
  const { deps } = await (await createWorld()).process();
  const person = createPerson(deps);
  await person.status("neg_1", undefined, false);
  let turns = 0;
  const counting = { on: true };
  const count = () => {
    turns++;
    if (counting.on) setImmediate(count);
  };
  setImmediate(count);
  const first = await person.status("neg_1", SEEN, false);
  counting.on = false;
  expect(turns).toBeGreaterThan(3 * OFFERS);
  expect((await person.status("neg_1", SEEN, false)).negotiation).toBe(first.negotiation);
  expect(first.negotiation).toMatchObject({ demand_raw: SEEN.demand_raw, demand_formulated: SEEN.demand_formulated });
});
