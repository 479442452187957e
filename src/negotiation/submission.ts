import type { Negotiation } from "../backend/contract.ts";
import { OutcomeUnknown, UnknownNegotiation, WrongShape } from "../backend/errors.ts";
import { isNegotiationId } from "../backend/route.ts";
import { stopwatch } from "../clock.ts";
import { ignoreTowowError, TowowError } from "../errors.ts";
import { HomeUnwritable } from "../home/errors.ts";
import type { Author } from "../question/who.ts";
import { phaseOf } from "./backend-states.ts";
import type { CoreDeps } from "./core-deps.ts";
import { attemptsId, cachedFactsOf, factName, type NegotiationKey } from "./facts.ts";
import { isSameDemand } from "./own-demand.ts";
import { cancelBody } from "./pending-decision.ts";
import { type AtEnd, isWithdrawnAtEnd, type Registry } from "./registry.ts";
import { confirms, effectiveDecision, lastOutcome } from "./stage.ts";
import { Attempts, DEDUPE_MS, demandKey } from "./submit-dedupe.ts";
import type { Supervisor } from "./supervisor.ts";

export interface SubmitInput {
  scene_id: string;
  user_id: string;
  intent: string;
  k_star?: number;
  min_score?: number;
}

export interface SubmitOptions {
  allowDuplicate?: boolean;
  /** Whether a model that has read other agents' text submits it. See `tainted` of the fact `submitted` (facts.ts). */
  tainted?: boolean;
  /** Whose words the demand is. It is left out if that is not known, or if several people wrote it. */
  writtenBy?: Author | undefined;
  /** The id of the tool call that submits. */
  requestId?: string | undefined;
}

export interface SubmitResult {
  id: string;
  /** What the backend answered. It is absent for a duplicate, which may have gone on since. */
  negotiation?: Negotiation;
  /** Whether an identical demand was submitted a moment ago, whose id this is. */
  duplicate: boolean;
}

/** A repeated submit waits no longer than this, in ms, to learn where the first one stands. */
const WANTED_READ_MS = 3_000;

const CANCEL_TRIES = 3;
const CANCEL_RETRY_MS = 1_000;

interface Recent {
  ageMs: () => number;
  work: Promise<SubmitResult>;
}

/** Submits demands once, writes them down, and guards them from the first moment. */
export class Submission {
  readonly #deps: CoreDeps;
  readonly #registry: Registry;
  readonly #attempts: Attempts;
  /** The submit of each demand that is under way or was made lately. */
  readonly #recent = new Map<string, Recent>();
  readonly #running = new Set<Promise<unknown>>();
  /** The ids that this program submitted itself, in contrast to those that it adopted. */
  readonly #own = new Set<string>();
  #atEnd: AtEnd | undefined;

  constructor(deps: CoreDeps, registry: Registry) {
    this.#deps = deps;
    this.#registry = registry;
    this.#attempts = new Attempts(deps);
  }

  /** The submits that are on their way. */
  get running(): Promise<unknown>[] {
    return [...this.#running];
  }

  isFromThisProgram(id: string): boolean {
    return this.#own.has(id);
  }

  /**
   * Takes note that the program ends. A demand whose submit is still answered is then treated as the others are
   * (registry.ts).
   */
  close(atEnd: AtEnd): void {
    this.#atEnd = atEnd;
  }

  /**
   * Submits a demand and starts the guard. Never aborted by the caller: a submit that reached the backend must be
   * known here, or its text would go out unguarded. An identical one within two minutes gives the first one again, as
   * does one that is under way, unless that has ended without a plan.
   * @throws `tool.negotiation.conflict.submit_outcome_open` when the answer to an identical one was lost, or what the backend answered
   */
  async submit(input: SubmitInput, options: SubmitOptions = {}): Promise<SubmitResult> {
    const key = demandKey(input);
    // Looked up before anything is awaited, so that of two calls at once the second finds the first.
    let recent = options.allowDuplicate ? undefined : this.#recent.get(key);
    while (recent !== undefined) {
      const earlier = await this.#ifWanted(recent);
      if (earlier !== undefined) return { id: earlier.id, duplicate: true };
      const later = this.#recent.get(key); // another call may have begun meanwhile
      recent = later === recent ? undefined : later;
    }
    const work = this.#submit(input, options);
    this.#forgetOld();
    this.#recent.set(key, { ageMs: stopwatch(this.#deps.clock), work });
    this.#running.add(work);
    try {
      return await work;
    } catch (error) {
      if (this.#recent.get(key)?.work === work) this.#recent.delete(key); // later calls must not be given a failure
      throw error;
    } finally {
      this.#running.delete(work);
    }
  }

  async #ifWanted({ ageMs, work }: Recent): Promise<SubmitResult | undefined> {
    if (ageMs() > DEDUPE_MS) return undefined;
    const first = await work.catch(() => undefined);
    return first !== undefined && (await this.#isWanted(first.id)) ? first : undefined;
  }

  #forgetOld(): void {
    for (const [key, { ageMs }] of this.#recent) if (ageMs() > DEDUPE_MS) this.#recent.delete(key);
  }

  /** Whether a repeated demand is given this negotiation, because it goes on or has its plan. */
  async #isWanted(id: string): Promise<boolean> {
    const facts = cachedFactsOf(await this.#deps.facts.read(this.#key(id)));
    const decision = effectiveDecision(facts);
    if (decision !== undefined && !confirms(decision)) return false; // taken back, though the backend may not show it
    const outcome = lastOutcome(facts);
    if (outcome !== undefined && outcome.kind !== "confirmed") return false;
    // No fact says how it ended. While the backend does not say either, nothing is submitted twice.
    const supervisor = this.#registry.of(this.#key(id));
    const sinceMs = stopwatch(this.#deps.clock);
    const client = await supervisor.backend({ isCall: false }).catch(ignoreTowowError);
    const seen = await client?.getNegotiation(id, { timeoutMs: WANTED_READ_MS }).catch(ignoreTowowError);
    if (seen !== undefined) await supervisor.observe(seen, sinceMs);
    return seen === undefined || phaseOf(seen.state) !== "over" || seen.plan_output !== null;
  }

  #key(id: string): NegotiationKey {
    return { origin: this.#deps.origin, id };
  }

  async #submit(
    input: SubmitInput,
    { allowDuplicate = false, tainted = false, writtenBy, requestId }: SubmitOptions,
  ): Promise<SubmitResult> {
    const { clock, newId, hash } = this.#deps;
    const backend = await this.#deps.backend(requestId);
    const account = this.#deps.knownUserId?.();
    const demand = hash(demandKey(input));
    const begun = await this.#attempts.begin(this.#key(attemptsId(demand)), {
      sceneId: input.scene_id,
      allowDuplicate,
      isWanted: (id) => this.#isWanted(id),
    });
    if ("duplicateOf" in begun) return { id: begun.duplicateOf, duplicate: true };
    const { attempt } = begun;
    const elapsedMs = stopwatch(clock);
    let negotiation: Negotiation;
    try {
      negotiation = await backend.submitDemand(input, { idempotencyKey: newId() });
    } catch (error) {
      if (error instanceof OutcomeUnknown) await attempt.answered({ lost: true });
      else if (error instanceof TowowError) await attempt.answered({ void: true });
      throw error;
    }
    const id = negotiation.negotiation_id;
    if (!isSameDemand(input.intent, negotiation)) {
      // The id is another demand's, so nobody knows the id of this one.
      await attempt.answered({ lost: true });
      throw new OutcomeUnknown({ operation: "submitDemand", reason: "other_negotiation" });
    }
    if (!isNegotiationId(id)) {
      const isCancelled = await this.#cancelUnusable(id);
      await attempt.answered(isCancelled ? { void: true } : { lost: true });
      const field = "negotiation_id";
      throw isCancelled
        ? new WrongShape({ operation: "submitDemand", field })
        : new OutcomeUnknown({ operation: "submitDemand", reason: "wrong_shape" });
    }
    this.#own.add(id);
    const supervisor = this.#registry.of(this.#key(id), { isNew: true });
    await this.#guard(supervisor, { ...input, account, tainted, writtenBy }, negotiation, elapsedMs);
    await attempt.answered({ negotiation_id: id });
    if (this.#atEnd !== undefined && isWithdrawnAtEnd(supervisor.stage, this.#atEnd, true))
      await supervisor.end("withdraw");
    return { id, negotiation: supervisor.observation.snapshot ?? negotiation, duplicate: false };
  }

  /**
   * Cancels a negotiation whose id no command can name, because nobody could decide on it. Nothing of it is written
   * down. Resolves with whether it is cancelled.
   */
  async #cancelUnusable(id: string): Promise<boolean> {
    const client = await this.#deps.pinBackend()({ isCall: false });
    for (let tries = 1; ; tries++) {
      try {
        await client.action(id, cancelBody(undefined));
        return true;
      } catch (error) {
        ignoreTowowError(error);
        if (tries === CANCEL_TRIES || error instanceof UnknownNegotiation) return false;
        await this.#deps.clock.sleep(CANCEL_RETRY_MS);
      }
    }
  }

  /** Guards the demand before it writes it down, because it exists whether the store answers or not. */
  async #guard(
    supervisor: Supervisor,
    {
      user_id,
      account,
      scene_id,
      tainted,
      writtenBy,
    }: SubmitInput & { account: string | undefined; tainted: boolean; writtenBy: Author | undefined },
    negotiation: Negotiation,
    elapsedMs: () => number,
  ) {
    const { clock, owner, policy } = this.#deps;
    const { confirmDeadlineMs, onUnconfirmed } = policy();
    const { journal } = supervisor;
    const at = clock.now() - elapsedMs();
    const deadline_at = at + confirmDeadlineMs;
    const fact = {
      at,
      user_id,
      ...(account !== undefined && { account }),
      scene_id,
      deadline_at,
      on_unconfirmed: onUnconfirmed,
      owner,
      ...(tainted && { tainted }),
      ...(writtenBy !== undefined && { written_by: writtenBy }),
    };
    journal.learn(new Map([[factName.submitted, fact]]));
    await supervisor.observe(negotiation, elapsedMs);
    await journal.claim(factName.submitted, fact, "open").catch(async (unwritten: unknown) => {
      // A store that is away comes back: until then this program knows of it.
      if (!(unwritten instanceof HomeUnwritable)) return journal.note(factName.submitted, fact, "open");
      await this.#takeBack(supervisor);
      throw unwritten;
    });
  }

  /**
   * Takes back at once a demand that a full disk cannot hold, because nobody could guard it.
   * @throws OutcomeUnknown if the withdrawal fails
   */
  async #takeBack(supervisor: Supervisor): Promise<void> {
    const { clock, owner } = this.#deps;
    const { journal } = supervisor;
    const { effect } = await supervisor.enqueue(async () => {
      const number = journal.facts.decided.length + 1;
      const kind = "withdraw";
      await journal.note(factName.decided(number), { at: clock.now(), kind, by: "guard", owner });
      return { effect: supervisor.effectOf({ number, kind }, {}) };
    });
    await effect.catch((error) => {
      throw new OutcomeUnknown({ operation: "submitDemand", reason: "not_written_down" }, { cause: error });
    });
  }
}
