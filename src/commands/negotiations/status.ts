import type { Runtime } from "../../app/runtime.ts";
import { type LostSubmit, lostSubmits } from "../../negotiation/submit-dedupe.ts";
import { type Outline, outlines } from "./outline.ts";

/** What this home remembers of the backend in use. */
export interface Remembered {
  /** Own negotiations, the newest first. */
  known: Outline[];
  /** Submits whose answers were lost. */
  lost: LostSubmit[];
}

/** The newest `count` negotiations, as the backend shows them; without `isRead` none. Only looks. */
export async function remembered(runtime: Runtime, count: number, isRead = true): Promise<Remembered> {
  const { facts, io, isAlive } = runtime;
  const { origin } = runtime.account();
  const lost = await lostSubmits(facts, { origin, now: io.clock.now(), isAlive });
  return { known: isRead ? await outlines(runtime, count) : [], lost };
}
