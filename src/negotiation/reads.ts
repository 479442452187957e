import type { BackendClient } from "../backend/client.ts";
import type { Negotiation } from "../backend/contract.ts";
import { stopwatch } from "../clock.ts";
import { Failure, TowowError } from "../errors.ts";
import { hostOf } from "../home/origin.ts";
import { failureOf } from "../log.ts";
import { isAlone } from "./backend-states.ts";
import { type Call, type CallLimit, orUndefined } from "./call-limit.ts";
import type { CoreDeps } from "./core-deps.ts";
import type { Registry } from "./registry.ts";
import type { SeenNegotiations } from "./seen-negotiations.ts";

export interface ReadDeps {
  deps: CoreDeps;
  registry: Registry;
  seen: SeenNegotiations;
  /** Ids that are not another backend's. */
  known: Set<string>;
}

/** A scene that takes longer does not hold up what was asked for. */
const SCENE_MS = 2_000;

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
        const { submitted } = supervisor.journal.facts;
        if (submitted?.scene_id !== undefined && isAlone(negotiation) && seen.others(id) === undefined)
          await this.#countOthers(id, submitted.scene_id, submitted.user_id, backend, limit);
        return negotiation;
      },
      this.#call.signal,
    );
  }

  /** Only the scene says whether there was anybody to ask. A backend that cannot list it leaves that open. */
  async #countOthers(id: string, sceneId: string, ownId: string, backend: BackendClient, limit?: AbortSignal) {
    const { deps, seen } = this.#shared;
    const late = new AbortController();
    const stop = deps.clock.after(SCENE_MS, () => late.abort());
    try {
      const signal = limit === undefined ? late.signal : AbortSignal.any([late.signal, limit]);
      const { agents } = await backend.listAgents(sceneId, { signal });
      seen.noteOthers(id, agents.filter(({ agent_id }) => agent_id !== ownId).length);
    } catch (error) {
      if (!(error instanceof TowowError) && !late.signal.aborted) throw error;
      deps.log.debug("scene_not_listed", { negotiation_id: id, error: failureOf(error) });
    } finally {
      stop();
    }
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
    const other = isOurs ? undefined : (await facts.list({ id })).find((key) => key.origin !== origin);
    if (other !== undefined)
      throw new Failure("tool.negotiation.not_found.other_backend", { negotiation_id: id, host: hostOf(other.origin) });
    known.add(id);
  }
}
