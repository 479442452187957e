import { expect } from "vitest";
import type { Negotiations } from "../../src/negotiation/service.ts";
import { seenOn } from "../support/facts.ts";
import type { Replica, Replicas } from "../support/replicas.ts";

export const GUARD_MS = 285_000;
export const DEADLINE_MS = 300_000;

export const demand = (world: Replicas, intent = "A designer") => ({
  scene_id: world.sceneId,
  user_id: "ada",
  intent,
  min_score: 0,
});
export const only = (world: Replicas) => {
  const [negotiation, ...more] = world.mock.negotiations();
  expect(more).toEqual([]);
  return negotiation!;
};

/** Submits at one replica and reads until the text is there. */
export async function paused(world: Replicas, replica: Replica): Promise<string> {
  const user = replica.user();
  const { id } = await world.clock.run(user.submit(demand(world)));
  await world.clock.run(user.wait(id, { until: (n) => n.state === "formulated", budgetMs: 10_000 }));
  return id;
}

export async function accept(world: Replicas, user: Negotiations, id: string) {
  const seen = await world.clock.run(user.get(id));
  const question = await world.clock.run(user.claimQuestion(seen, seen.demand_formulated ?? ""));
  const rendering = seenOn("argument", seen.demand_formulated ?? "");
  const request = { negotiationId: id, confirmationId: question.id, rendering };
  return world.clock.run(user.decide({ ...request, kind: "accept" }));
}
