import * as z from "zod";
import type { Clock } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { failureOf, type Log } from "../log.ts";
import { NEWER, wordOf } from "../newer.ts";
import { SURFACES, type Surface, whyNotCounted, whyOwnHand } from "../question/who.ts";
import { type Entries, type FactStore, factName, type NegotiationKey } from "./facts.ts";
import { type Found, findRisks, RISK_CODES, type RiskCode, type RiskInput } from "./risks/find-risks.ts";

/**
 * The review queue (seed 003 §5) holds results that the person should look at a second time, because they are
 * uncertain, have little evidence, or came after everything was tried. Each is written down when it is first seen,
 * answered by the person, and not asked for again.
 */

/**
 * The queue may hold risks in what the backend shows, and the note that it stayed away while a negotiation went on,
 * when it shows nothing (seed 003 §5.2).
 */
const REVIEW_CODES = [...RISK_CODES, "backend_away"] as const;
export type ReviewCode = (typeof REVIEW_CODES)[number];

/** One negotiation in the queue. */
export interface Review {
  negotiation_id: string;
  /** The first of it was seen at this time, ms since the epoch. */
  at: number;
  /** These call for a second look and have had none. */
  codes: ReviewCode[];
}

export const VERDICTS = ["fine", "concern"] as const;
export type Verdict = (typeof VERDICTS)[number];

const at = z.number().min(0).max(8.64e15);
/**
 * What was seen stands under `review.<code>`, and the answer under `reviewed.<code>`. Both are facts like the others.
 */
const seen = z.object({ at });
const answered = z.object({ at, verdict: wordOf(VERDICTS), by: wordOf(SURFACES) });
const seenName = (code: ReviewCode) => `review.${code}`;
const answeredName = (code: ReviewCode) => `reviewed.${code}`;

/** While a negotiation goes on, only these call for a look; the others wait for its end. */
const AT_ONCE: readonly RiskCode[] = [
  "auto_confirmed",
  "decision_too_late",
  "other_text_broadcast",
  "confirmed_text_mismatch",
  "sub_negotiation_open",
];
/** The person made the cancel, and has seen the text as it is, so neither needs a look. */
const NEVER: readonly RiskCode[] = ["cancelled", "degraded_formulation"];

/** Returns the risks that call for the person. Half of the agents leaving is usual, all of them is not. */
export function reviewable(found: readonly Found[], isOver: boolean): RiskCode[] {
  return found
    .filter(({ code, severity }) => !NEVER.includes(code) && (code !== "agents_exited" || severity === "high"))
    .filter(({ code }) => isOver || AT_ONCE.includes(code))
    .map(({ code }) => code);
}

export interface ReviewsDeps {
  facts: FactStore;
  clock: Clock;
  log: Log;
  origin: string;
}

/** A review sends nothing, so these conditions hold under every policy. */
const ANY_TIME = { isStrict: true, isTainted: true };

/** A home with years of history is not read all at once. */
const READ_AT_ONCE = 50;

export class Reviews {
  readonly #deps: ReviewsDeps;

  constructor(deps: ReviewsDeps) {
    this.#deps = deps;
  }

  /** Returns what the person has answered about one negotiation. */
  async answered(id: string): Promise<ReadonlySet<ReviewCode>> {
    const entries = await this.#deps.facts.read(this.#key(id));
    return new Set(REVIEW_CODES.filter((code) => isAnswered(entries, code)));
  }

  /**
   * Notes what calls for the person in their own negotiations, and returns what has had no answer yet. `found` holds
   * its risks, where they are known already.
   */
  async note(input: RiskInput, found = findRisks(input)): Promise<RiskCode[]> {
    const { negotiation, stage, ending } = input.said;
    if (!stage.isOwn) return [];
    const due = reviewable(found, ending !== undefined);
    if (due.length === 0) return [];
    const { facts, clock, log } = this.#deps;
    const key = this.#key(negotiation.negotiation_id);
    try {
      const entries = await facts.read(key);
      const fresh = due.filter((code) => !entries.has(seenName(code)));
      await Promise.all(fresh.map((code) => facts.create(key, seenName(code), { at: clock.now() })));
      return due.filter((code) => !isAnswered(entries, code));
    } catch (error) {
      if (!(error instanceof TowowError)) throw error;
      log.warn("review_unwritten", { error: failureOf(error) }); // If nothing can be written, the read still counts.
      return due;
    }
  }

  /**
   * Notes that the backend stayed away while somebody waited for one of the person's own, so they should look,
   * whatever became of it.
   */
  async noteAway(id: string): Promise<void> {
    const { facts, clock, log } = this.#deps;
    const key = this.#key(id);
    try {
      const entries = await facts.read(key);
      if (!entries.has(factName.submitted) || entries.has(seenName("backend_away"))) return;
      await facts.create(key, seenName("backend_away"), { at: clock.now() });
    } catch (error) {
      if (!(error instanceof TowowError)) throw error;
      log.warn("review_unwritten", { error: failureOf(error) });
    }
  }

  /** Lists everything that waits for the person's second look, newest first. */
  async pending(): Promise<Review[]> {
    const { facts, origin } = this.#deps;
    const keys = await facts.list({ origin });
    const found: Review[] = [];
    for (let from = 0; from < keys.length; from += READ_AT_ONCE) {
      const some = keys.slice(from, from + READ_AT_ONCE);
      const read = some.map(async (key) => pendingIn(key, await facts.read(key).catch(() => new Map())));
      found.push(...(await Promise.all(read)).filter((review) => review !== undefined));
    }
    return found.sort((a, b) => b.at - a.at);
  }

  /** Returns what waits of one negotiation. */
  async of(id: string): Promise<Review | undefined> {
    return pendingIn(this.#key(id), await this.#deps.facts.read(this.#key(id)));
  }

  /**
   * Records the person's answer to what they were shown, by its codes, and returns those that waited. The first answer
   * counts.
   */
  async answer(id: string, shown: readonly string[], verdict: Verdict, by: Surface): Promise<ReviewCode[]> {
    const { facts, clock } = this.#deps;
    const counts = (code: ReviewCode) => {
      const about = { asked: code, answered: shown.find((one) => one === code) };
      return (
        whyNotCounted({ question: "review", by: { surface: by }, given: ANY_TIME, isUnused: true, about }) === undefined
      );
    };
    const codes = ((await this.of(id))?.codes ?? []).filter(counts);
    const fact = { at: clock.now(), verdict, by };
    await Promise.all(codes.map((code) => facts.create(this.#key(id), answeredName(code), fact)));
    return codes;
  }

  #key(id: string): NegotiationKey {
    return { origin: this.#deps.origin, id };
  }
}

/** The table judges kept answers too: a word that an AI passed on is no second look. */
function isAnswered(entries: Entries, code: ReviewCode): boolean {
  const kept = answered.safeParse(entries.get(answeredName(code))).data;
  if (kept === undefined) return false;
  return kept.by === NEWER || whyOwnHand("review", { surface: kept.by }, ANY_TIME) === undefined;
}

function pendingIn({ id }: NegotiationKey, entries: Entries): Review | undefined {
  const open = REVIEW_CODES.flatMap((code) => {
    const fact = seen.safeParse(entries.get(seenName(code))).data;
    return fact === undefined || isAnswered(entries, code) ? [] : [{ code, at: fact.at }];
  });
  if (open.length === 0) return undefined;
  return { negotiation_id: id, at: Math.min(...open.map((one) => one.at)), codes: open.map(({ code }) => code) };
}
