import * as z from "zod";
import type { Negotiation } from "../backend/contract.ts";
import { TowowError } from "../errors.ts";
import type { FeedEvidence } from "../feed/evidence.ts";
import { failureOf } from "../log.ts";
import { NEWER, wordOf } from "../newer.ts";
import { SURFACES, type Surface, whyNotCounted, whyOwnHand } from "../question/who.ts";
import { agentState, countOffers, hasScore, type OfferCount, phaseOf } from "./backend-states.ts";
import type { CoreDeps } from "./core.ts";
import { type Entries, factName, type NegotiationKey } from "./facts.ts";
import type { Ending, Says } from "./says.ts";

/**
 * The risks that a person should know before they rely on a result (agent layer §8). Each risk is a stable code with
 * the place of its evidence in the negotiation. Risks follow only from what {@link RiskInput} holds, never from a
 * model's judgement.
 */
export const RISK_CODES = [
  "auto_confirmed",
  "decision_too_late",
  "other_text_broadcast",
  "confirmed_text_mismatch",
  "withdrawn_late",
  "confirmation_failed",
  "sub_negotiation_open",
  "plan_missing",
  "plan_fallback",
  "no_resonance",
  "not_compared",
  "empty_scene",
  "no_participants",
  "degraded_resonance",
  "low_resonance",
  "agents_exited",
  "offer_missing",
  "single_offer",
  "degraded_formulation",
  "confirmed_by_argument",
  "much_personal_data",
  "cancelled",
] as const;
export type RiskCode = (typeof RISK_CODES)[number];

export type Severity = "high" | "medium" | "low";

export interface Metric {
  name: string;
  value: number;
  /** The total of which the value is a part. */
  of?: number;
  /**
   * The limit with which the value is compared. A score below the limit is a risk, and so is a count of masked data
   * that reaches the limit.
   */
  threshold?: number;
}

export interface Found {
  code: RiskCode;
  severity: Severity;
  /** A JSON pointer into the negotiation. */
  evidence_path: string;
  metric?: Metric;
  /** The feed's own word for the cause, which this version may not know. */
  cause?: string;
  /** The highest score below the threshold, if the feed gives it. */
  closest?: number;
}

export interface RiskInput {
  said: Says<Negotiation>;
  /** The evidence of the live feed, as far as it agrees with the backend's answer ({@link consistentWith}). */
  evidence: FeedEvidence;
  /**
   * The best score counts as low below this value, from 0 to 1. The threshold is the person's own setting (seed 003
   * §5.1).
   */
  lowScore: number;
  /** How many pieces of personal data were masked in what others wrote. The count is absent if nothing was masked. */
  masked?: number;
}

/**
 * From this number of masked pieces on, a result counts as holding much personal data. Contact details alone are fewer
 * pieces.
 */
const MUCH_PERSONAL_DATA = 10;
/** The number of participants that a result shows. */
const SHOWN = 200;

type Rule = (
  c: RiskInput & {
    negotiation: Negotiation;
    warnings: ReadonlySet<string>;
    offers: OfferCount;
    isClosed: boolean;
    isTakenBack: boolean;
  },
) => Omit<Found, "code"> | undefined;

const TAKEN_BACK: readonly (Ending | undefined)[] = [
  "rejected",
  "cancelled",
  "withdrawn",
  "withdrawn_at_end",
  "withdrawn_unconfirmed",
];

/** Returns a rule for a risk that has the same condition as a warning, with the place of its evidence. */
const warned =
  (code: RiskCode, severity: Severity, evidence_path: string): Rule =>
  ({ warnings }) =>
    warnings.has(code) ? { severity, evidence_path } : undefined;

const rules: Readonly<Record<RiskCode, Rule>> = {
  auto_confirmed: warned("auto_confirmed", "high", "/state"),
  decision_too_late: warned("decision_too_late", "high", "/state"),
  other_text_broadcast: warned("other_text_broadcast", "high", "/demand_formulated"),
  confirmed_text_mismatch: warned("confirmed_text_mismatch", "high", "/demand_formulated"),
  withdrawn_late: warned("withdrawn_late", "medium", "/state"),
  confirmation_failed: ({ said }) =>
    said.ending === "withdrawn_unconfirmed" ? { severity: "high", evidence_path: "/state" } : undefined,
  sub_negotiation_open: ({ negotiation: n, warnings }) =>
    warnings.has("sub_negotiation_open")
      ? {
          severity: phaseOf(n.state) === "over" ? "medium" : "high",
          evidence_path: "/sub_session_ids/0",
          metric: { name: "sub_negotiations", value: n.sub_session_ids.length },
        }
      : undefined,
  plan_missing: warned("plan_missing", "high", "/plan_output"),
  plan_fallback: warned("plan_fallback", "medium", "/plan_output"),
  no_resonance({ warnings, evidence }) {
    if (!warnings.has("no_resonance")) return undefined;
    const closest = Math.max(...evidence.filtered.map(({ resonance_score }) => resonance_score));
    const metric = { name: "participants", value: 0 };
    return {
      severity: "high",
      evidence_path: "/participants",
      metric: evidence.filteredCount === 0 ? metric : { ...metric, of: evidence.filteredCount },
      ...(Number.isFinite(closest) && { closest }),
    };
  },
  not_compared: warned("not_compared", "high", "/participants"),
  empty_scene: warned("empty_scene", "high", "/participants"),
  no_participants: warned("no_participants", "high", "/participants"),
  degraded_resonance: warned("degraded_resonance", "high", "/participants"),
  low_resonance({ negotiation: { participants }, warnings, isTakenBack, lowScore }) {
    if (participants.length === 0 || isTakenBack || warnings.has("degraded_resonance")) return undefined;
    const value = Math.max(...participants.filter(hasScore).map(({ resonance_score }) => resonance_score));
    if (value >= lowScore || value === Number.NEGATIVE_INFINITY) return undefined;
    const index = participants.findIndex(({ resonance_score }) => resonance_score === value);
    return {
      severity: "medium",
      evidence_path: index < SHOWN ? `/participants/${index}/resonance_score` : "/participants",
      metric: { name: "best_resonance_score", value, threshold: lowScore },
    };
  },
  agents_exited({ offers: { exited, received, total }, isTakenBack }) {
    if (exited === 0 || isTakenBack) return undefined;
    const severity = received === 0 ? "high" : exited * 2 >= total ? "medium" : "low";
    return { severity, evidence_path: "/participants", metric: { name: "exited", value: exited, of: total } };
  },
  offer_missing({ negotiation: { participants }, offers: { received, total }, isClosed, isTakenBack }) {
    const isMissing = (one: (typeof participants)[number]) => agentState(one, isClosed) === "none";
    const value = participants.filter(isMissing).length;
    if (isTakenBack || value === 0) return undefined;
    const index = participants.findIndex(isMissing);
    return {
      severity: received === 0 ? "high" : "medium",
      evidence_path: index < SHOWN ? `/participants/${index}/offer_content` : "/participants",
      metric: { name: "without_offer", value, of: total },
    };
  },
  single_offer({ offers: { received, total }, isClosed, isTakenBack }) {
    if (!isClosed || isTakenBack || received !== 1) return undefined;
    return { severity: "medium", evidence_path: "/participants", metric: { name: "offers", value: 1, of: total } };
  },
  degraded_formulation({ warnings, evidence: { formulation } }) {
    if (!warnings.has("degraded_formulation")) return undefined;
    const cause = formulation?.degraded ? { cause: formulation.reason } : {};
    return { severity: "medium", evidence_path: "/demand_formulated", ...cause };
  },
  confirmed_by_argument: warned("confirmed_by_argument", "medium", "/demand_formulated"),
  much_personal_data: ({ masked = 0 }) =>
    masked >= MUCH_PERSONAL_DATA
      ? {
          severity: "low",
          evidence_path: "/participants",
          metric: { name: "masked", value: masked, threshold: MUCH_PERSONAL_DATA },
        }
      : undefined,
  cancelled: ({ said, isTakenBack }) =>
    isTakenBack && said.ending !== "withdrawn_unconfirmed"
      ? { severity: said.decision?.kind === "withdraw" ? "medium" : "low", evidence_path: "/state" }
      : undefined,
};

/** Returns every risk that the evidence shows, the gravest first. */
export function findRisks(input: RiskInput): Found[] {
  const { negotiation, warnings, ending } = input.said;
  const phase = phaseOf(negotiation.state);
  const context = {
    ...input,
    negotiation,
    warnings: new Set(warnings),
    offers: countOffers(negotiation),
    isClosed: phase === "over" || ["barrier_waiting", "synthesizing"].includes(negotiation.state),
    isTakenBack: TAKEN_BACK.includes(ending),
  };
  const found: Found[] = [];
  for (const code of RISK_CODES) {
    const risk = rules[code](context);
    if (risk !== undefined) found.push({ code, ...risk });
  }
  const rank: readonly Severity[] = ["high", "medium", "low"];
  return found.sort((a, b) => rank.indexOf(a.severity) - rank.indexOf(b.severity));
}

/**
 * The codes in the review queue ({@link Reviews}). Besides the risks there is `backend_away`, which notes that the
 * backend gave no answer while somebody waited for a negotiation (seed 003 §5.2).
 */
const REVIEW_CODES = [...RISK_CODES, "backend_away"] as const;
export type ReviewCode = (typeof REVIEW_CODES)[number];

/** One negotiation in the queue. */
export interface Review {
  negotiation_id: string;
  /** When the first of these codes was noted, in ms since the epoch. */
  at: number;
  /** The codes that the person has not answered yet. */
  codes: ReviewCode[];
}

export const VERDICTS = ["fine", "concern"] as const;
export type Verdict = (typeof VERDICTS)[number];

const at = z.number().min(0).max(8.64e15);
/** A fact `review.<code>` says that a risk was seen, and a fact `reviewed.<code>` holds the person's answer. */
const seen = z.object({ at });
const answered = z.object({ at, verdict: wordOf(VERDICTS), by: wordOf(SURFACES) });
const seenName = (code: ReviewCode) => `review.${code}`;
const answeredName = (code: ReviewCode) => `reviewed.${code}`;

/** The risks that call for a look while a negotiation still goes on. The others wait for its end. */
const AT_ONCE: readonly RiskCode[] = [
  "auto_confirmed",
  "decision_too_late",
  "other_text_broadcast",
  "confirmed_text_mismatch",
  "sub_negotiation_open",
];
/**
 * The risks that never call for a look. A cancelled demand has no result to look at, and a text that the network left
 * unchanged is what was submitted.
 */
const NEVER: readonly RiskCode[] = ["cancelled", "degraded_formulation"];

/**
 * Returns the risks that call for the person's look. Some agents usually leave, so their leaving counts only if no
 * agent made an offer.
 */
export function reviewable(found: readonly Found[], isOver: boolean): RiskCode[] {
  return found
    .filter(({ code, severity }) => !NEVER.includes(code) && (code !== "agents_exited" || severity === "high"))
    .filter(({ code }) => isOver || AT_ONCE.includes(code))
    .map(({ code }) => code);
}

/**
 * The strictest conditions. Every answer to a review is judged under them, so that the same answers count under every
 * policy.
 */
const ANY_TIME = { isStrict: true, isTainted: true };

/** How many negotiations are read at once, so that a home with years of history is not read all at once. */
const READ_AT_ONCE = 50;

/**
 * The review queue (seed 003 §5), which holds results that the person should look at again. A result enters the queue
 * when a risk in it is first seen, and leaves it for good once the person has answered.
 */
export class Reviews {
  readonly #deps: Pick<CoreDeps, "clock" | "log" | "facts" | "origin">;

  constructor(deps: Pick<CoreDeps, "clock" | "log" | "facts" | "origin">) {
    this.#deps = deps;
  }

  /** Returns the codes about one negotiation that the person has answered. */
  async answered(id: string): Promise<ReadonlySet<ReviewCode>> {
    const entries = await this.#deps.facts.read(this.#key(id));
    return new Set(REVIEW_CODES.filter((code) => isAnswered(entries, code)));
  }

  /**
   * Notes the risks that call for a look at the person's own negotiation, and returns the codes that have no answer
   * yet. Before the negotiation has ended, only the codes that cannot wait are returned. `found` holds the risks if
   * they are known already.
   */
  async note(input: RiskInput, found = findRisks(input)): Promise<ReviewCode[]> {
    const { negotiation, stage, ending } = input.said;
    if (!stage.isOwn) return [];
    const due = reviewable(found, ending !== undefined);
    if (due.length === 0 && ending === undefined) return [];
    const { facts, clock, log } = this.#deps;
    const key = this.#key(negotiation.negotiation_id);
    try {
      const entries = await facts.read(key);
      const fresh = due.filter((code) => !entries.has(seenName(code)));
      await Promise.all(fresh.map((code) => facts.create(key, seenName(code), { at: clock.now() })));
      const waits = (code: ReviewCode) => ending !== undefined && entries.has(seenName(code));
      return REVIEW_CODES.filter(
        (code) => (due.some((one) => one === code) || waits(code)) && !isAnswered(entries, code),
      );
    } catch (error) {
      if (!(error instanceof TowowError)) throw error;
      log.warn("review_unwritten", { error: failureOf(error) }); // If nothing can be written, the read still counts.
      return due;
    }
  }

  /**
   * Notes that the backend gave no answer while somebody waited for one of the person's own negotiations. The person
   * should look at such a negotiation again, however it ended.
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

  /** Returns the codes of one negotiation that wait for a second look. */
  async of(id: string): Promise<Review | undefined> {
    return pendingIn(this.#key(id), await this.#deps.facts.read(this.#key(id)));
  }

  /**
   * Records the person's answer to the codes that they were shown, and returns those that were waiting. The first
   * answer to a code counts.
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

/**
 * Returns whether a code has an answer that counts. The rules for questions (question/who.ts) judge stored answers too,
 * so an answer that an AI passed on does not count.
 */
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
