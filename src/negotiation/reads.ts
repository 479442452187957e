import { LRUCache } from "lru-cache";
import type { BackendClient } from "../backend/client.ts";
import type { Negotiation } from "../backend/contract.ts";
import { stopwatch } from "../clock.ts";
import { Failure, TowowError } from "../errors.ts";
import { consistentWith, type FeedEvidence, NO_EVIDENCE } from "../feed/evidence.ts";
import type { Feeds } from "../feed/feeds.ts";
import { hostOf } from "../home/origin.ts";
import { failureOf } from "../log.ts";
import { hasPlan, isAlone, phaseOf } from "./backend-states.ts";
import { type Call, type CallLimit, type CoreDeps, orUndefined } from "./core.ts";
import type { OpenQuestion } from "./decide.ts";
import { guardNow } from "./keeper.ts";
import type { Registry } from "./registry.ts";
import { isUndecided, reduce, type Stage } from "./stage.ts";
import type { Supervisor } from "./supervisor.ts";

export interface ReadDeps {
  deps: CoreDeps;
  registry: Registry;
  seen: SeenNegotiations;
  /** The ids that are known not to belong to another backend. */
  known: Set<string>;
}

/** The longest that listing a scene may hold up the result, in milliseconds. */
const SCENE_MS = 2_000;

/** Reads negotiations for the result of one call. A supervisor does its own reads. */
export class Reads {
  readonly #shared: ReadDeps;
  readonly #call: Call;
  readonly #limit: CallLimit;
  /** How many negotiations came from memory, and for how many the backend was asked. */
  readonly #count = { known: 0, asked: 0 };

  constructor(shared: ReadDeps, call: Call, limit: CallLimit) {
    this.#shared = shared;
    this.#call = call;
    this.#limit = limit;
  }

  /** Returns whether every negotiation that this call has read came from memory. */
  get areFromMemory(): boolean {
    return this.#count.known > 0 && this.#count.asked === 0;
  }

  /** Reads one negotiation, as {@link Negotiations.get} says. */
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

  /**
   * Counts the others in the scene, because only the scene says whether there was anybody to ask. If the backend cannot
   * list the scene, the count stays unknown.
   */
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

  /** Returns what the backend showed at most `maxAgeMs` ago, as {@link Negotiations.recent} says. */
  async recent(id: string, maxAgeMs: number): Promise<Negotiation> {
    const { deps, registry } = this.#shared;
    const { snapshot, sinceReadMs = Number.POSITIVE_INFINITY } = registry.of({ origin: deps.origin, id }).observation;
    return snapshot !== undefined && sinceReadMs <= maxAgeMs ? snapshot : this.get(id, false);
  }

  /** Refuses another backend's negotiation, as {@link Negotiations.refuseOtherBackend} says. */
  async refuseOtherBackend(id: string): Promise<void> {
    const { deps, known, registry } = this.#shared;
    const { facts, origin } = deps;
    // A negotiation that is known to belong to this backend needs no lookup, so that a no does not wait for the store.
    if (known.has(id) || registry.of({ origin: deps.origin, id }).journal.facts.submitted !== undefined) return;
    const isOurs = (await facts.read({ origin, id })).size > 0;
    const other = isOurs ? undefined : (await facts.list({ id })).find((key) => key.origin !== origin);
    if (other !== undefined)
      throw new Failure("tool.negotiation.not_found.other_backend", { negotiation_id: id, host: hostOf(other.origin) });
    known.add(id);
  }
}

/** The number of negotiations whose agents are remembered. */
const MAX_SEEN = 50;
/** The largest length of all finished negotiations together, as JSON in UTF-16 units. The oldest are dropped first. */
const MAX_FINISHED_LENGTH = 1_000_000;

/**
 * What this program has seen of the backend's negotiations besides their states: who takes part, what the feeds said,
 * and those that are finished.
 */
export class SeenNegotiations {
  readonly #feeds: Feeds | undefined;
  readonly #agents = new LRUCache<string, readonly string[]>({ max: MAX_SEEN });
  readonly #others = new LRUCache<string, number>({ max: MAX_SEEN });
  readonly #finished = new LRUCache<string, Negotiation>({
    maxSize: MAX_FINISHED_LENGTH,
    sizeCalculation: (negotiation) => JSON.stringify(negotiation).length,
  });

  constructor(feeds: Feeds | undefined) {
    this.#feeds = feeds;
  }

  /** Records what the backend has just shown. */
  note(negotiation: Negotiation): void {
    const { negotiation_id: id, participants, state } = negotiation;
    this.#agents.set(
      id,
      participants.map(({ agent_id }) => agent_id),
    );
    const phase = phaseOf(state);
    if (phase !== "before") this.#feeds?.follow(id, phase === "over");
    if (phase === "over" && hasPlan(negotiation)) this.#finished.set(id, negotiation);
  }

  /**
   * Returns a negotiation that is completed with its plan, as the backend showed it last, because such an answer counts
   * as final (agent layer §5). Only a fresh read, or another program, would see that the backend changed the
   * negotiation nevertheless. A negotiation without a plan is not kept, because a plan may still come.
   */
  finished(id: string): Negotiation | undefined {
    return this.#finished.get(id);
  }

  agents(id: string): readonly string[] {
    return this.#agents.get(id) ?? [];
  }

  /** Returns how many other people the negotiation's scene lists, or undefined if that is not known. */
  others(id: string): number | undefined {
    return this.#others.get(id);
  }

  noteOthers(id: string, count: number): void {
    this.#others.set(id, count);
  }

  /** Returns what the feed has said about the negotiation so far, if it agrees with the backend's own answer. */
  evidence(negotiation: Negotiation): FeedEvidence {
    const known = this.#feeds?.evidence(negotiation.negotiation_id) ?? NO_EVIDENCE;
    const othersInScene = this.others(negotiation.negotiation_id);
    return {
      ...consistentWith(negotiation, known),
      ...(othersInScene !== undefined && { othersInScene }),
    };
  }

  close(): void {
    this.#feeds?.close();
  }
}

/** How old an answer may be to be used again, in milliseconds. A call uses no answer from before it began. */
export const FRESH_MS = 1_000;
const READ_TIMEOUT_MS = 3_000;

/** How the negotiations are read. No answer is older than `maxAgeMs`, and no read goes on after the call's `limit`. */
interface ReadOptions {
  requestId: string | undefined;
  maxAgeMs: number;
  limit: AbortSignal | undefined;
}

/**
 * Returns the person's own negotiations that wait for a decision, newest first. Each negotiation is read from the
 * backend first, if the backend answers.
 */
export async function openQuestions(
  { deps, registry }: { deps: CoreDeps; registry: Registry },
  options: ReadOptions,
): Promise<OpenQuestion[]> {
  const { facts: store, origin, clock } = deps;
  const keys = (await store.listOpen()).filter((key) => key.origin === origin);
  const found = await Promise.all(
    keys.map(async (key) => {
      const supervisor = registry.of(key);
      await supervisor.refresh();
      const { facts } = supervisor.journal;
      const written = reduce(facts);
      if ((written.deadlineAt ?? 0) <= clock.now()) return [];
      const seen = await latest(supervisor, written, options);
      const { name, questions } = reduce(facts, seen.negotiation);
      const isOpen = isUndecided({ name });
      const question: OpenQuestion = {
        id: questions.at(-1)?.question_id ?? "",
        negotiationId: key.id,
        silence: (await guardNow(supervisor, written)).silence,
        ...(!seen.isNow && { unchecked: true }),
      };
      return isOpen ? [{ at: facts.submitted?.at ?? 0, question }] : [];
    }),
  );
  return found
    .flat()
    .sort((a, b) => b.at - a.at)
    .map(({ question }) => question);
}

/**
 * Returns what the backend showed at most `maxAgeMs` ago, or else what it showed earlier, with `isNow` false, if it
 * does not answer soon.
 */
async function latest(
  supervisor: Supervisor,
  { name }: Stage,
  { requestId, maxAgeMs, limit }: ReadOptions,
): Promise<{ negotiation: Negotiation | undefined; isNow: boolean }> {
  if (name !== "formulating" && name !== "asking") return { negotiation: undefined, isNow: true };
  const { snapshot, sinceReadMs = Number.POSITIVE_INFINITY } = supervisor.observation;
  // The snapshot of a negotiation that is over is dropped, and the facts may be from before its end, so without a
  // snapshot the backend is asked.
  if (snapshot !== undefined && sinceReadMs <= maxAgeMs) return { negotiation: snapshot, isNow: true };
  const { deps, key } = supervisor;
  const sinceMs = stopwatch(deps.clock);
  try {
    const backend = await deps.backend(requestId);
    const seen = await backend.getNegotiation(key.id, { timeoutMs: READ_TIMEOUT_MS, ...(limit && { signal: limit }) });
    await supervisor.observe(seen, sinceMs);
    return { negotiation: seen, isNow: true };
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return { negotiation: snapshot, isNow: false };
  }
}
