import { expect } from "vitest";
import { confirms } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import type { Process, World } from "../support/world.ts";

/** What is asked for. */
export const INTENT = "A designer for a hospital queue pilot";
/** A person who says yes in a form. */
export const ACCEPT: Answer = { action: "accept", content: { decision: "accept" } };
/** How long the backend waits for a decision, in milliseconds. */
export const FIVE_MINUTES = 300_000;

/** Submits through a client without forms and gives back the call that decides. */
export async function pauseWithoutForms(world: World, process: Process) {
  const demand = await process.call("towow_demand", { intent: INTENT });
  expect(demand.result.data.state).toBe("formulated");
  expect(confirms(world.mock)).toHaveLength(0);
  return demand.result.data.resume_with.params as Record<string, string>;
}

/** The one negotiation that there is. */
export const only = (world: World) => {
  const [negotiation, ...more] = world.mock.negotiations();
  expect(more).toEqual([]);
  return negotiation!;
};
