import type { Negotiation } from "../backend/contract.ts";
import { TowowError } from "../errors.ts";
import type { NegotiationDeps } from "./deps.ts";
import { phaseOf } from "./states.ts";

const RETRY_MS = 250;
const RETRIES = 20;
const LOOKS_AFTER_LOST_ANSWER = 6;

/**
 * Sends a confirm with the very text that was seen. "Engine is not waiting" while the state reads formulated passes by
 * itself and is retried for 5 s (contract §6). @throws what the backend answered.
 */
export async function confirmWhileFormulated(
  { backend, clock }: Pick<NegotiationDeps, "backend" | "clock">,
  id: string,
  text: string,
  requestId?: string,
): Promise<Negotiation> {
  const client = await backend(requestId);
  const body = text === "" ? {} : { confirmed_text: text };
  for (let tries = 0; ; tries++) {
    try {
      return await client.confirm(id, body);
    } catch (error) {
      const notWaiting = error instanceof TowowError && error.code === "tool.negotiation.conflict.engine_not_waiting";
      if (!notWaiting || tries >= RETRIES) throw error;
      await clock.sleep(RETRY_MS);
    }
  }
}

/** A confirm whose answer was lost: the state tells whether it arrived. Undefined when it shows no effect for 3 s. */
export async function lookForEffect(
  { backend, clock }: Pick<NegotiationDeps, "backend" | "clock">,
  id: string,
  requestId?: string,
): Promise<Negotiation | undefined> {
  const client = await backend(requestId);
  for (let look = 0; look < LOOKS_AFTER_LOST_ANSWER; look++) {
    const seen = await client.getNegotiation(id).catch(() => undefined);
    if (seen !== undefined && ["moving", "over"].includes(phaseOf(seen.state))) return seen;
    await clock.sleep(RETRY_MS * 2);
  }
  return undefined;
}
