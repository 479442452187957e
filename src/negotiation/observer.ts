import type { Negotiation } from "../backend/contract.ts";
import { type Deadlines, isDated } from "./deadlines.ts";
import type { NegotiationDeps } from "./deps.ts";
import type { Guard } from "./guard.ts";
import { endingOf, phaseOf } from "./states.ts";

/** Negotiations of which the last look is remembered; an older one is only noted again. */
const REMEMBERED = 10_000;

/** Takes note of what looks at the backend show: the true deadline, and what has gone on without the person. */
export class Observer {
  readonly #deps: NegotiationDeps;
  readonly #guard: Guard;
  readonly #deadlines: Deadlines;
  /** How long ago each negotiation was last seen without its text, for the earliest possible deadline. */
  readonly #lastBefore = new Map<string, () => number>();
  readonly #seenPhase = new Map<string, string>();

  constructor(deps: NegotiationDeps, guard: Guard, deadlines: Deadlines) {
    this.#deps = deps;
    this.#guard = guard;
    this.#deadlines = deadlines;
  }

  /** `sinceMs`: how long ago the look began. */
  async observe(negotiation: Negotiation, sinceMs: () => number): Promise<void> {
    const id = negotiation.negotiation_id;
    const phase = phaseOf(negotiation.state);
    if (phase === "before") remember(this.#lastBefore, id, sinceMs);
    if (this.#seenPhase.get(id) === phase) return;
    remember(this.#seenPhase, id, phase);
    if (phase === "asking") await this.#noteAsking(id);
    if (phase === "moving" || phase === "over") await this.#noteMoved(negotiation);
  }

  /** The backend's clock starts with `formulated`: not before the last look that did not show it. */
  async #noteAsking(id: string): Promise<void> {
    const { history, owner, policy } = this.#deps;
    const record = await history.get(id);
    if (record?.owner?.instance !== owner.instance) return; // the pause is another program's to watch, while it runs
    const sinceMs = this.#lastBefore.get(id);
    if (!isDated(record) || record.ended !== undefined || sinceMs === undefined) return;
    const leftMs = policy().confirmDeadlineMs - sinceMs();
    if (leftMs <= this.#deadlines.leftMs(record)) return;
    const refined = { ...record, deadline_at: this.#deadlines.extend(id, leftMs) };
    await history.put(refined);
    if ((await history.decision(id)) === undefined) this.#guard.watch(refined);
  }

  async #noteMoved(negotiation: Negotiation): Promise<void> {
    const { history, clock } = this.#deps;
    const id = negotiation.negotiation_id;
    const record = await history.get(id);
    if (record === undefined || record.ended !== undefined) return;
    if ((await history.decision(id)) !== undefined) return; // whoever decided writes the end
    this.#guard.drop(id);
    const as = endingOf(negotiation);
    await history.put({ ...record, ended: { at: clock.now(), as }, notes: [...(record.notes ?? []), as] });
  }
}

function remember<T>(seen: Map<string, T>, id: string, value: T): void {
  seen.delete(id);
  seen.set(id, value);
  const [oldest] = seen.keys();
  if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest);
}
