import * as z from "zod";
import { stopwatch } from "../clock.ts";
import { Failure, ignoreTowowError } from "../errors.ts";
import type { CoreDeps } from "./core-deps.ts";
import { type Entries, type NegotiationKey, type Owner, owner } from "./facts.ts";
import { Journal, LATE_WRITE_MS } from "./journal.ts";
import type { HomeFacts } from "./stores/home-facts.ts";

/** An identical submit is refused for this long after one whose answer was lost (contract §4). */
export const REFUSE_REPEAT_MS = 600_000;
/** An identical submit within this time is a model that tries again, not a second need (agent layer §5). */
export const DEDUPE_MS = 120_000;
/** A submit of another program is waited for this long at most, because many clients give up a call after 60 s. */
const IN_FLIGHT_MS = 40_000;
const POLL_MS = 250;
/** The pause between two looks for an attempt that was reported as not written and may be written after all. */
const UNWRITTEN_POLL_MS = 1_000;
/** A lost submit is shown for this long. By then the person has seen what came of it. */
const LOST_SHOWN_MS = 24 * 3_600_000;

/** Gives the same key for two submits if the same person asks the same of the same scene. */
export const demandKey = (input: { user_id: string; scene_id: string; intent: string }): string =>
  JSON.stringify([input.user_id, input.scene_id, input.intent.trim()]);

const ATTEMPT = /^attempt\.([1-9]\d*)$/;
const attemptSchema = z.object({
  at: z.number(),
  owner,
  scene_id: z.string().exactOptional(),
});
const answerSchema = z.union([
  z.object({ negotiation_id: z.string().min(1) }),
  /** The negotiation may exist, and nobody waits for it any more. */
  z.object({ lost: z.literal(true) }),
  /** The submit certainly never reached the backend, or is not wanted any more. */
  z.object({ void: z.literal(true) }),
]);
type SubmitAnswer = z.output<typeof answerSchema>;

/** One submit on its way. What came of it is written once. */
export interface Attempt {
  answered(answer: SubmitAnswer): Promise<void>;
}

export type Begun = { attempt: Attempt } | { duplicateOf: string };

/**
 * The submits of one demand, in the order of their numbers. The next one can only begin when the last has its answer,
 * so two programs never submit the same demand at once (agent layer §5).
 */
export class Attempts {
  readonly #deps: CoreDeps;
  /** This program's attempts that the store reported as not written. */
  readonly #unwritten = new Set<string>();

  constructor(deps: CoreDeps) {
    this.#deps = deps;
  }

  /**
   * Begins an attempt, unless an identical one was submitted a moment ago and still serves (`isWanted`), or may have been.
   * @throws `tool.negotiation.conflict.submit_outcome_open` while the answer to an identical one is lost
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
    // Counted, and not by the clock alone, which may be set back.
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
    const { facts: store, clock, log } = this.#deps;
    const journal = new Journal(demand, { store, clock, log });
    return { answered: (answer) => journal.note(`answer.${number}`, answer) };
  }

  /** Writes down that an attempt has begun, and resolves with undefined if another one has its number. */
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
   * Voids an attempt that could not be written, for which nothing was sent. A store that did not answer in time may
   * still write it a moment later. Then this writes beside it that it is void, so that other programs know.
   */
  async #closeUnwritten(demand: NegotiationKey, { number, at }: Pick<LastAttempt, "number" | "at">): Promise<void> {
    const { facts, clock } = this.#deps;
    const name = nameOf(demand, { number, at });
    this.#unwritten.add(name);
    const elapsedMs = stopwatch(clock);
    while (elapsedMs() < REFUSE_REPEAT_MS) {
      await new Promise<void>((resolve) => void clock.after(UNWRITTEN_POLL_MS, resolve)); // keeps no program alive
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
    // Written while the clock was far ahead: how old it is nobody can tell, only whether it is still on its way.
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
 * Reads the attempts in the order of their numbers. The first may be gone if old attempts were swept while one began.
 * One that a crash cut short says nothing and counts as older than any other.
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

/** A submit whose outcome nobody knows, because the backend may or may not have the demand. */
export interface LostSubmit {
  /** When it was sent, in ms since the epoch. */
  at: number;
  sceneId: string | undefined;
}

/**
 * Gives, newest first, the submits of the last day at one backend whose answers were lost or had not come when their
 * program ended. It writes nothing.
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
