import type { Negotiation } from "../backend/contract.ts";
import { stopwatch } from "../clock.ts";
import { hostOf } from "../home/origin.ts";
import { type Call, type CallLimit, orUndefined } from "./call-limit.ts";
import type { CoreDeps } from "./core-deps.ts";
import { OtherBackend } from "./errors.ts";
import type { Registry } from "./registry.ts";
import type { SeenNegotiations } from "./seen-negotiations.ts";

export interface ReadDeps {
  deps: CoreDeps;
  registry: Registry;
  seen: SeenNegotiations;
  /** Ids that are not another backend's. */
  known: Set<string>;
}

/** The negotiations that one call reads for its result; the supervisor reads for itself. */
export class Reads {
  readonly #shared: ReadDeps;
  readonly #call: Call;
  readonly #limit: CallLimit;
  /** Negotiations that were known, and that the backend was asked for. */
  readonly #count = { known: 0, asked: 0 };

  constructor(shared: ReadDeps, call: Call, limit: CallLimit) {
    this.#shared = shared;
    this.#call = call;
    this.#limit = limit;
  }

  /** Whether every negotiation that was read was known already. */
  get areFromMemory(): boolean {
    return this.#count.known > 0 && this.#count.asked === 0;
  }

  /** @see Negotiations.get */
  async get(id: string, fresh: boolean): Promise<Negotiation> {
    await this.refuseOtherBackend(id);
    const { deps, registry, seen } = this.#shared;
    const finished = fresh ? undefined : seen.finished(id);
    this.#count[finished === undefined ? "asked" : "known"] += 1;
    if (finished !== undefined) return finished;
    return this.#limit.within(
      "getNegotiation",
      async (limit) => {
        const sinceMs = stopwatch(deps.clock);
        const backend = await deps.backend(this.#call.requestId);
        const negotiation = await backend.getNegotiation(id, limit && { signal: limit });
        const supervisor = registry.of({ origin: deps.origin, id });
        await supervisor.observe(negotiation, sinceMs);
        if (!supervisor.hasCaughtUp) await orUndefined(supervisor.caughtUp, limit);
        seen.note(negotiation);
        return negotiation;
      },
      this.#call.signal,
    );
  }

  /** @see Negotiations.recent */
  async recent(id: string, maxAgeMs: number): Promise<Negotiation> {
    const { deps, registry } = this.#shared;
    const { snapshot, sinceReadMs = Number.POSITIVE_INFINITY } = registry.of({ origin: deps.origin, id }).observation;
    return snapshot !== undefined && sinceReadMs <= maxAgeMs ? snapshot : this.get(id, false);
  }

  /** @see Negotiations.refuseOtherBackend */
  async refuseOtherBackend(id: string): Promise<void> {
    const { deps, known } = this.#shared;
    const { facts, origin } = deps;
    if (known.has(id)) return;
    const isOurs = (await facts.read({ origin, id })).size > 0;
    const other = isOurs ? undefined : (await facts.list()).find((key) => key.id === id && key.origin !== origin);
    if (other !== undefined) throw new OtherBackend({ negotiation_id: id, host: hostOf(other.origin) });
    known.add(id);
  }
}
