import * as z from "zod";
import type { Negotiation } from "../backend/contract.ts";
import { OutcomeUnknown, UnknownNegotiation, WrongShape } from "../backend/errors.ts";
import { isNegotiationId } from "../backend/route.ts";
import { stopwatch } from "../clock.ts";
import { Failure, ignoreTowowError, TowowError } from "../errors.ts";
import { HomeUnwritable } from "../home/errors.ts";
import type { Author } from "../question/who.ts";
import { remembering } from "../remember.ts";
import { rememberedSha256 } from "../sha256.ts";
import { phaseOf } from "./backend-states.ts";
import type { CoreDeps } from "./core.ts";
import { attemptsId, cachedFactsOf, type Entries, factName, type NegotiationKey, type Owner, owner } from "./facts.ts";
import { Journal, LATE_WRITE_MS } from "./journal.ts";
import { type AtEnd, isWithdrawnAtEnd, type Registry } from "./registry.ts";
import { confirms, effectiveDecision, lastOutcome } from "./stage.ts";
import { cancelBody } from "./steps.ts";
import type { HomeFacts } from "./stores/home-facts.ts";
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
  /**
   * True if a model that has read other agents' text submits the demand. See `tainted` of the fact `submitted`
   * (facts.ts).
   */
  tainted?: boolean;
  /**
   * The author of the demand. The field is left out if the author is not known, or if several people wrote the demand.
   */
  writtenBy?: Author | undefined;
  /** The id of the tool call that submits. */
  requestId?: string | undefined;
}

export interface SubmitResult {
  id: string;
  /**
   * What the backend answered. The field is absent for a duplicate, because that negotiation may have gone on since.
   */
  negotiation?: Negotiation;
  /** True if the id is that of an identical demand that was submitted a moment ago. */
  duplicate: boolean;
}

/** The longest that a repeated submit waits to learn where the first one stands, in milliseconds. */
const WANTED_READ_MS = 3_000;

const CANCEL_TRIES = 3;
const CANCEL_RETRY_MS = 1_000;

interface Recent {
  ageMs: () => number;
  work: Promise<SubmitResult>;
}

/** Submits each demand once, writes it down, and looks after its deadline from the first moment. */
export class Submission {
  readonly #deps: CoreDeps;
  readonly #registry: Registry;
  readonly #attempts: Attempts;
  /** The submits that are under way or were made recently, by demand. */
  readonly #recent = new Map<string, Recent>();
  readonly #running = new Set<Promise<unknown>>();
  /** The ids of the negotiations that this program submitted itself, unlike those that it adopted. */
  readonly #own = new Set<string>();
  #atEnd: AtEnd | undefined;

  constructor(deps: CoreDeps, registry: Registry) {
    this.#deps = deps;
    this.#registry = registry;
    this.#attempts = new Attempts(deps);
  }

  /** Returns the submits that have not been answered yet. */
  get running(): Promise<unknown>[] {
    return [...this.#running];
  }

  isFromThisProgram(id: string): boolean {
    return this.#own.has(id);
  }

  /**
   * Notes that the program ends. A demand whose submit is answered after that is withdrawn or left, as `atEnd` says for
   * those that are already open (registry.ts).
   */
  close(atEnd: AtEnd): void {
    this.#atEnd = atEnd;
  }

  /**
   * Submits a demand and starts to look after its deadline. The caller cannot abort a submit, because the backend would
   * broadcast a demand that this program does not know of. An identical demand returns the first negotiation again if
   * that submit is under way or less than two minutes old, unless the negotiation was taken back, went on without a
   * decision, or ended without a plan.
   * @throws `tool.negotiation.conflict.submit_outcome_open` if the answer to an identical submit was lost, or what the
   * backend answered
   */
  async submit(input: SubmitInput, options: SubmitOptions = {}): Promise<SubmitResult> {
    const key = demandKey(input);
    // The lookup comes before the first await, so that of two simultaneous calls the second finds the first.
    let recent = options.allowDuplicate ? undefined : this.#recent.get(key);
    while (recent !== undefined) {
      const earlier = await this.#ifWanted(recent);
      if (earlier !== undefined) return { id: earlier.id, duplicate: true };
      const later = this.#recent.get(key); // Another call may have begun meanwhile.
      recent = later === recent ? undefined : later;
    }
    const work = this.#submit(input, options);
    this.#forgetOld();
    this.#recent.set(key, { ageMs: stopwatch(this.#deps.clock), work });
    this.#running.add(work);
    try {
      return await work;
    } catch (error) {
      if (this.#recent.get(key)?.work === work) this.#recent.delete(key); // Later calls must not be given a failure.
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

  /** Returns whether a repeated demand is answered with this negotiation, because it goes on or has its plan. */
  async #isWanted(id: string): Promise<boolean> {
    const facts = cachedFactsOf(await this.#deps.facts.read(this.#key(id)));
    const decision = effectiveDecision(facts);
    // The demand was taken back, though the backend may not show that.
    if (decision !== undefined && !confirms(decision)) return false;
    const outcome = lastOutcome(facts);
    if (outcome !== undefined && outcome.kind !== "confirmed") return false;
    // No fact says how the negotiation ended. If the backend does not say either, nothing is submitted twice.
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
    const { clock, newId } = this.#deps;
    const backend = await this.#deps.backend(requestId);
    const account = this.#deps.knownUserId?.();
    const demand = rememberedSha256(demandKey(input));
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
      // The id belongs to another demand, so nobody knows the id of this one.
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
   * Cancels a negotiation whose id no command can name, because nobody could decide on it. Nothing about it is written
   * down. Resolves with whether it was cancelled.
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

  /**
   * Starts to look after the demand before it is written down, because the demand exists whether or not the store
   * answers.
   */
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
      // A store that is away comes back, and until then this program knows of the demand.
      if (!(unwritten instanceof HomeUnwritable)) return journal.note(factName.submitted, fact, "open");
      await this.#takeBack(supervisor);
      throw unwritten;
    });
  }

  /**
   * Takes a demand back at once if the disk is too full to write it down, because no other program could withdraw it
   * later.
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

/** How long an identical submit is refused after one whose answer was lost (contract §4), in milliseconds. */
export const REFUSE_REPEAT_MS = 600_000;
/**
 * Within this time, in milliseconds, an identical submit is a model that tries again and not a second need (agent layer
 * §5).
 */
const DEDUPE_MS = 120_000;
/**
 * The longest that a submit of another program is waited for, in milliseconds. Many clients give up a call after 60 s.
 */
const IN_FLIGHT_MS = 40_000;
const POLL_MS = 250;
/** The pause between two checks for an attempt that was reported as not written and may still be written. */
const UNWRITTEN_POLL_MS = 1_000;
/** How long a lost submit is shown, in milliseconds. By then the person has seen what came of it. */
const LOST_SHOWN_MS = 24 * 3_600_000;

/** Returns the same key for two submits if the same person asks the same of the same scene. */
const demandKey = (input: { user_id: string; scene_id: string; intent: string }): string =>
  JSON.stringify([input.user_id, input.scene_id, input.intent.trim()]);

const ATTEMPT = /^attempt\.([1-9]\d*)$/;
const attemptSchema = z.object({
  at: z.number(),
  owner,
  scene_id: z.string().exactOptional(),
});
const answerSchema = z.union([
  z.object({ negotiation_id: z.string().min(1) }),
  /** The negotiation may exist, but nobody waits for it any more. */
  z.object({ lost: z.literal(true) }),
  /** The submit certainly never reached the backend, or its negotiation is not wanted any more. */
  z.object({ void: z.literal(true) }),
]);
type SubmitAnswer = z.output<typeof answerSchema>;

/** One submit on its way, whose outcome is written once. */
export interface Attempt {
  answered(answer: SubmitAnswer): Promise<void>;
}

export type Begun = { attempt: Attempt } | { duplicateOf: string };

/**
 * The submits of one demand, in the order of their numbers. Unless duplicates are allowed, a submit begins only once
 * the previous one is answered or too old to matter, so two programs do not submit the same demand at once (agent layer
 * §5).
 */
export class Attempts {
  readonly #deps: CoreDeps;
  /** This program's attempts that the store reported as not written. */
  readonly #unwritten = new Set<string>();

  constructor(deps: CoreDeps) {
    this.#deps = deps;
  }

  /**
   * Begins an attempt, unless an identical demand was or may have been submitted a moment ago and still serves
   * (`isWanted`).
   * @throws `tool.negotiation.conflict.submit_outcome_open` while the answer to an identical submit is lost
   */
  async begin(
    demand: NegotiationKey,
    {
      sceneId,
      allowDuplicate,
      isWanted,
    }: { sceneId: string; allowDuplicate: boolean; isWanted: (id: string) => Promise<boolean> },
  ): Promise<Begun> {
    const { facts, clock } = this.#deps;
    // The waiting time is counted, because the clock alone may be set back.
    for (let waitedMs = 0; ; ) {
      const entries = await facts.read(demand);
      const last = lastAttempt(entries);
      if (last !== undefined && !this.#isUnwritten(demand, last) && !allowDuplicate) {
        const current = await this.#standing(last, isWanted, waitedMs);
        if (current === "wait") {
          await clock.sleep(POLL_MS);
          waitedMs += POLL_MS;
          continue;
        }
        if (current !== undefined) return current;
      }
      const attempt = await this.#write(demand, (last?.number ?? 0) + 1, sceneId);
      if (attempt !== undefined) return { attempt };
    }
  }

  #attempt(demand: NegotiationKey, number: number): Attempt {
    const journal = new Journal(demand, this.#deps, this.#deps.facts);
    return { answered: (answer) => journal.note(`answer.${number}`, answer) };
  }

  /** Writes down that an attempt has begun. Resolves with undefined if another attempt has its number. */
  async #write(demand: NegotiationKey, number: number, scene_id: string): Promise<Attempt | undefined> {
    const { facts, clock, owner } = this.#deps;
    const at = clock.now();
    const { created } = await facts
      .create(demand, `attempt.${number}`, { at, owner, scene_id })
      .catch((error: unknown) => {
        void this.#closeUnwritten(demand, { number, at });
        throw error;
      });
    return created ? this.#attempt(demand, number) : undefined;
  }

  /**
   * Voids an attempt that could not be written and for which nothing was sent. A store that did not answer in time may
   * still write the attempt a moment later. This method then writes beside the attempt that the attempt is void, so
   * that other programs know.
   */
  async #closeUnwritten(demand: NegotiationKey, { number, at }: Pick<LastAttempt, "number" | "at">): Promise<void> {
    const { facts, clock } = this.#deps;
    const name = nameOf(demand, { number, at });
    this.#unwritten.add(name);
    const elapsedMs = stopwatch(clock);
    while (elapsedMs() < REFUSE_REPEAT_MS) {
      // The timer does not keep the program alive.
      await new Promise<void>((resolve) => void clock.after(UNWRITTEN_POLL_MS, resolve));
      const entries = await facts.read(demand).catch(ignoreTowowError);
      if (entries === undefined) continue;
      const found = attemptsIn(entries).find((attempt) => attempt.number === number);
      if (found !== undefined && this.#isUnwritten(demand, found))
        await this.#attempt(demand, number).answered({ void: true });
      if (found !== undefined || elapsedMs() > LATE_WRITE_MS) break;
    }
    this.#unwritten.delete(name);
  }

  #isUnwritten(demand: NegotiationKey, attempt: LastAttempt): boolean {
    return attempt.owner.instance === this.#deps.owner.instance && this.#unwritten.has(nameOf(demand, attempt));
  }

  async #standing(
    { at, owner, answer }: LastAttempt,
    isWanted: (id: string) => Promise<boolean>,
    waitedMs: number,
  ): Promise<{ duplicateOf: string } | "wait" | undefined> {
    const { clock, isAlive } = this.#deps;
    const sinceMs = clock.now() - at;
    // The attempt was written while the clock was far ahead. Nobody can say how old it is, only whether it is still on
    // its way.
    const isAhead = sinceMs < -REFUSE_REPEAT_MS;
    const age = isAhead ? Number.POSITIVE_INFINITY : sinceMs;
    if (answer !== undefined && "void" in answer) return undefined;
    if (answer !== undefined && "negotiation_id" in answer)
      return age < DEDUPE_MS && (await isWanted(answer.negotiation_id))
        ? { duplicateOf: answer.negotiation_id }
        : undefined;
    const isWaited = answer === undefined && (isAhead || owner.instance !== this.#deps.owner.instance);
    if (isWaited && Math.max(isAhead ? 0 : age, waitedMs) < IN_FLIGHT_MS && (await isAlive(owner))) return "wait";
    if (age >= REFUSE_REPEAT_MS) return undefined;
    throw new Failure("tool.negotiation.conflict.submit_outcome_open", {
      minutes: Math.ceil((at + REFUSE_REPEAT_MS - clock.now()) / 60_000),
    });
  }
}

const nameOf = ({ id }: NegotiationKey, { number, at }: Pick<LastAttempt, "number" | "at">): string =>
  `${id} ${number} ${at}`;

interface LastAttempt {
  number: number;
  at: number;
  owner: Owner;
  scene_id?: string;
  answer: SubmitAnswer | undefined;
}

export const lastAttempt = (entries: Entries): LastAttempt | undefined => attemptsIn(entries).at(-1);

/**
 * Reads the attempts in the order of their numbers. The first may be missing if old attempts were swept while one
 * began. An attempt that a crash cut short holds nothing, and counts as older than any other.
 */
function attemptsIn(entries: Entries): LastAttempt[] {
  const numbers = [...entries.keys()].flatMap((name) => ATTEMPT.exec(name)?.[1] ?? []).map(Number);
  return numbers
    .sort((a, b) => a - b)
    .map((number) => {
      const attempt = attemptSchema.safeParse(entries.get(`attempt.${number}`)).data;
      const answer = answerSchema.safeParse(entries.get(`answer.${number}`)).data;
      return attempt ? { number, ...attempt, answer } : { number, at: 0, owner: { instance: "", pid: 1 }, answer };
    });
}

/** A submit whose outcome nobody knows. The backend may or may not have the demand. */
export interface LostSubmit {
  /** When the demand was sent, in ms since the epoch. */
  at: number;
  sceneId: string | undefined;
}

/**
 * Lists the submits of the last day at one backend whose answers were lost or had not come when their program ended,
 * newest first. The search writes nothing.
 */
export async function lostSubmits(
  facts: HomeFacts,
  { origin, now, isAlive }: { origin: string; now: number; isAlive: (owner: Owner) => Promise<boolean> },
): Promise<LostSubmit[]> {
  const demands = (await facts.listDemands()).filter((key) => key.origin === origin);
  const attempts = (await Promise.all(demands.map(async (key) => attemptsIn(await facts.read(key))))).flat();
  const found = await Promise.all(
    attempts.map(async ({ at, owner, scene_id, answer }) => {
      if (Math.abs(now - at) > LOST_SHOWN_MS) return [];
      const isOnItsWay = answer === undefined && now - at < IN_FLIGHT_MS && (await isAlive(owner));
      const isLost = answer === undefined ? !isOnItsWay : "lost" in answer;
      return isLost ? [{ at, sceneId: scene_id }] : [];
    }),
  );
  return found.flat().sort((a, b) => b.at - a.at);
}

/** Spaces, line ends and invisible characters, which a backend may change in a text that it stores. */
const NOT_COMPARED = /[\s\p{C}\p{DI}\uFFFD]+/gu;
/** Everything but letters and digits, because a store may escape or replace punctuation. */
const NO_WORD = /[^\p{L}\p{N}]+/gu;
const ENTITY = /&(?:amp;)*(?:[a-z]{2,8}|#\d{1,7}|#x[\da-f]{1,6});/gi;

/**
 * Returns the words of a text for comparison or, if it has none, everything visible in it. The results are cached,
 * because the same demand is compared again and again.
 */
const comparable = remembering(
  (text) => {
    const words = text.replace(ENTITY, "").normalize("NFKD").replace(NO_WORD, "");
    return words === "" ? text.normalize("NFKC").replace(NOT_COMPARED, "") : words;
  },
  100,
  4_000,
);

/**
 * Returns whether an answer is about this demand. An answer that leaves the demand out counts as an answer about it.
 */
export const isSameDemand = (intent: string, { demand_raw }: Pick<Negotiation, "demand_raw">): boolean =>
  comparable(demand_raw) === "" || comparable(demand_raw) === comparable(intent);
