import { expect } from "vitest";
import type { MockOptions } from "../../mock-backend/main.ts";
import { createWorld, type ProcessOptions, type World } from "../support/world.ts";

/** Somebody of the sample scene can do that. */
export const INTENT = "machine learning";

export const NOT_BROADCAST = /not broadcast/i;
export const REACHED = /It had already been broadcast, and \d+ agents? (was|were) asked\./;
export const TOO_LATE = "Your decision did not reach the backend in time";

export async function paused({ mock = {}, ...options }: ProcessOptions & { mock?: MockOptions } = {}) {
  const world = await createWorld({ offerTimeoutMs: 100_000, ...mock });
  const p = await world.process(options);
  const { result } = await p.call("towow_demand", { intent: INTENT });
  expect(result.data.state).toBe("formulated");
  const params = result.data.resume_with.params as { negotiation_id: string; confirmation_id: string };
  return { world, p, params, id: params.negotiation_id };
}

export const waitForOffers = (world: World) => world.mock.engine.offerWith(() => "hang");
