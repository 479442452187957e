import type { NegotiationView } from "../../mock-backend/main.ts";
import type { Ending, WarningCode } from "../../src/negotiation/says.ts";
import type { Reach } from "../../src/negotiation/stage.ts";
import { type Texts, textsForPerson, textsOf } from "../../src/text/index.ts";
import { roomTexts } from "../../src/text/room.ts";

/**
 * What each sentence of the product claims about the backend, as data: a code or its sentence, in either language, and what
 * must be true where it is said. Nothing here asks the product what is true.
 */

/** What was true when it was said. */
export interface Truth {
  negotiation: NegotiationView;
  /** The clock when the call began and when its answer came, ms since the epoch. */
  from: number;
  at: number;
  /** The texts that the person has said yes to, whatever became of that. */
  agreed: readonly (string | undefined)[];
  /** Its person wants silence to broadcast it. */
  isLeft?: boolean;
  /** The earliest moment at which the backend may confirm by itself, as the product can know it. */
  deadlineAt: number;
}

/** True where the claim holds. */
type Claim = (truth: Truth) => boolean;

const isOut: Claim = ({ negotiation: n, at }) => (n.times.encoding ?? Number.POSITIVE_INFINITY) <= at;
const isOver: Claim = ({ negotiation: n, at }) => (n.times.completed ?? Number.POSITIVE_INFINITY) <= at;
const isCancelled: Claim = ({ negotiation: n }) => n.cancelled;
const hasPlan: Claim = ({ negotiation: n }) => (n.plan_output ?? "").trim() !== "";
const hasText: Claim = ({ negotiation: n, agreed }) => agreed.includes(n.confirmedText);
const count = (n: NegotiationView, state: string): number => n.participants.filter((one) => one.state === state).length;
const isAlone: Claim = ({ negotiation: n }) => n.participants.length === 0;
const always: Claim = () => true;
const every =
  (...claims: readonly Claim[]): Claim =>
  (truth) =>
    claims.every((claim) => claim(truth));

/**
 * Out by the person's word: theirs arrived, or a text of theirs was out before the backend could have gone on by itself.
 * A yes to another text than the one that went out is none.
 */
export const isByPerson: Claim = (truth) => {
  const { negotiation: n, deadlineAt } = truth;
  if (n.confirmedBy === "user") return true;
  return hasText(truth) && (n.times.encoding ?? Number.POSITIVE_INFINITY) < deadlineAt;
};
const isWithoutPerson: Claim = ({ negotiation: n }) => n.confirmedBy !== "user";

export const WARNING_CLAIMS: Readonly<Record<WarningCode, Claim>> = {
  unknown_state: always,
  decision_pending: always,
  edit_lost: always,
  yes_or_deadline: every(isOut, ({ agreed }) => agreed.length > 0),
  confirmed_text_mismatch: every(isOut, ({ agreed }) => agreed.length > 0),
  confirmed_by_argument: ({ agreed }) => agreed.length > 0,
  decision_too_late: every(isOut, isWithoutPerson),
  cancel_too_late: every(isOver, (truth) => !isCancelled(truth)),
  auto_confirmed: every(isOut, isWithoutPerson),
  withdrawn_late: isCancelled,
  other_text_broadcast: every(isOut, isWithoutPerson),
  degraded_resonance: ({ negotiation: n }) => n.participants.every(({ resonance_score }) => resonance_score === 0),
  sub_negotiation_open: ({ negotiation: n }) => n.sub_session_ids.length > 0,
  degraded_formulation: ({ negotiation: n }) => n.degraded || n.demand_formulated === n.demand_raw,
  plan_missing: every(isOver, (truth) => !hasPlan(truth)),
  no_resonance: isAlone,
  not_compared: isAlone,
  empty_scene: isAlone,
  no_participants: isAlone,
  plan_fallback: hasPlan,
  agents_exited: ({ negotiation: n }) => count(n, "exited") === n.participants.length,
  offer_missing: ({ negotiation: n }) => count(n, "replied") === 0,
};

const withPlan = (claim: Claim): Claim => every(isOver, hasPlan, claim);

export const ENDING_CLAIMS: Readonly<Record<Ending, Claim>> = {
  plan: withPlan(({ negotiation: n }) => count(n, "replied") > 0),
  no_resonance: withPlan(isAlone),
  not_compared: withPlan(isAlone),
  empty_scene: withPlan(isAlone),
  no_participants: withPlan(isAlone),
  all_left: withPlan(({ negotiation: n }) => count(n, "exited") === n.participants.length),
  no_offers: withPlan(({ negotiation: n }) => count(n, "replied") === 0),
  empty_plan: every(isOver, (truth) => !hasPlan(truth)),
  rejected: isCancelled,
  cancelled: isCancelled,
  cancelled_by_client: isCancelled,
  withdrawn: isCancelled,
  withdrawn_at_end: isCancelled,
  withdrawn_unconfirmed: isCancelled,
  ended_after_no: every(isOver, (truth) => !hasPlan(truth)),
  failed: every(isOver, (truth) => !hasPlan(truth)),
  ended_unseen: isOver,
  ended: isOver,
  not_found: always,
};

export const REACH_CLAIMS: Readonly<Record<Reach, Claim>> = {
  not_broadcast: (truth) => !isOut(truth),
  nobody_asked: ({ negotiation: n }) => n.participants.length === 0,
  broadcast: isOut,
  not_known: always,
};

/** In a sentence it is said of what is over: then it never goes out. */
const AT_END: Readonly<Record<Reach, Claim>> = {
  ...REACH_CLAIMS,
  not_broadcast: ({ negotiation: n }) => n.times.encoding === undefined,
};

/** Codes of which at least one is said of everything that is out without the person's word. */
const SAYS_SO = [
  "auto_confirmed",
  "decision_too_late",
  "other_text_broadcast",
  "confirmed_text_mismatch",
  "yes_or_deadline",
  "withdrawn_late",
];

/** One sentence with its numbers, as it is found in any text. */
const patternOf = (sentence: string): RegExp =>
  new RegExp(sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/\d+/g, "\\d+"));

type Sentences = readonly (readonly [claim: string, pattern: RegExp, holds: Claim])[];

function sentencesIn({ note, state }: Texts): Sentences {
  const told: [string, string, Claim][] = [];
  for (const [code, claim] of Object.entries(WARNING_CLAIMS)) {
    const sentence = (note as Readonly<Record<string, string | undefined>>)[code];
    if (sentence !== undefined) told.push([code, sentence, claim]);
  }
  const ending = (name: Ending, ...sentences: string[]) => {
    for (const sentence of sentences) told.push([name, sentence, ENDING_CLAIMS[name]]);
  };
  for (const rounds of [1, 2])
    ending("plan", ...[state.completed(rounds, 1, 1), state.completed(rounds, 2, 2), state.completed(rounds, 1, 2)]);
  ending("no_resonance", state.noResonance);
  ending("not_compared", state.notCompared);
  ending("empty_scene", state.emptyScene);
  ending("no_participants", state.noParticipants);
  ending("all_left", state.allLeft(1), state.allLeft(2));
  ending("no_offers", state.noOffers(1), state.noOffers(2));
  ending("empty_plan", state.emptyPlan);
  ending("rejected", state.rejected);
  ending("cancelled", state.cancelled);
  ending("withdrawn", state.withdrawn);
  ending("withdrawn_at_end", state.withdrawnAtEnd);
  ending("withdrawn_unconfirmed", state.withdrawnUnconfirmed);
  ending("ended_after_no", state.endedAfterNo);
  ending("failed", state.failed);
  for (const reach of Object.keys(REACH_CLAIMS) as Reach[])
    for (const asked of [0, 1, 2]) told.push([reach, state.reach[reach](asked), AT_END[reach]]);
  return told.map(([name, sentence, claim]) => [name, patternOf(sentence), claim]);
}

/** What the room says of the person's text, and over a plan. */
function inRoom({ done }: ReturnType<typeof roomTexts>): Sentences {
  const told: [Reach, string][] = [
    ["broadcast", done.broadcast],
    ["broadcast", done.broadcastAt("00:00:00")],
    ["not_broadcast", done.notBroadcast],
    ["nobody_asked", done.nobodyAsked],
  ];
  const leads = [0, 1, 2].flatMap((weeks) => [1, 2].map((people) => done.peopleAndWeeks(people, weeks)));
  return [
    ...told.map(([reach, sentence]) => [reach, patternOf(sentence), AT_END[reach]] as const),
    ...leads.map((lead) => ["plan", patternOf(lead), ENDING_CLAIMS.plan] as const),
  ];
}

/** What a plan's sentence counts, in the order in which the language says it. */
interface Counted {
  pattern: RegExp;
  order: readonly Count[];
}
const COUNTS = {
  rounds: (n: NegotiationView) => n.center_rounds,
  received: (n: NegotiationView) => count(n, "replied"),
  total: (n: NegotiationView) => n.participants.length,
  /** Said where each agent made an offer. */
  all: (n: NegotiationView) => Math.min(count(n, "replied"), n.participants.length),
};
type Count = keyof typeof COUNTS;
const MARKS: Readonly<Record<string, Count>> = { 91: "rounds", 92: "received", 93: "total", 94: "all" };

function countsIn({ state }: Texts): Counted[] {
  return [state.completed(91, 92, 93), state.completed(91, 94, 94)].map((sentence) => ({
    pattern: new RegExp(
      patternOf(sentence)
        .source.replaceAll("\\d+", "(\\d+)")
        .replaceAll(/(agent|round)s/g, "$1s?"),
    ),
    order: (sentence.match(/\d+/g) ?? []).map((mark) => MARKS[mark]!),
  }));
}

const COUNTED: readonly Counted[] = (["en", "zh"] as const).flatMap((lang) => [
  ...countsIn(textsOf(lang)),
  ...countsIn(textsForPerson(lang)),
]);

/** What a plan's sentence counts, and is not so. */
function falseCounts(text: string, n: NegotiationView): string[] {
  return COUNTED.flatMap(({ pattern, order }) => {
    const [, ...figures] = pattern.exec(text) ?? [];
    return order.filter((name, at) => figures[at] !== undefined && Number(figures[at]) !== COUNTS[name](n));
  });
}

const ALL: Sentences = (["en", "zh"] as const).flatMap((lang) => [
  ...sentencesIn(textsOf(lang)),
  ...sentencesIn(textsForPerson(lang)),
  ...inRoom(roomTexts(lang)),
]);
/** Each once. */
const SENTENCES: Sentences = [...new Map(ALL.map((one) => [`${one[0]} ${one[1].source}`, one])).values()];

/** What one surface said of one negotiation. */
export interface Said {
  /** Everything that a person reads there. */
  text: string;
  codes?: readonly string[];
  ending?: Ending | null | undefined;
  reach?: Reach | undefined;
  /** The state that it shows; undefined where it shows none. */
  state?: string | undefined;
  /** It looks like a success: a tick, `ok` and no warning. */
  isSuccess?: boolean;
  /** Whether it says all that must be known; a single message need not. */
  isWhole?: boolean;
}

const MOVED = ["encoding", "offering", "barrier_waiting", "synthesizing"];

/** The names of what was false, each once. */
export function falseClaims(said: Said, truth: Truth): string[] {
  const found = new Set<string>();
  const check = (name: string, claim: Claim | undefined) => {
    if (claim !== undefined && !claim(truth)) found.add(`said ${name}, and it is not so`);
  };
  for (const code of said.codes ?? []) check(code, WARNING_CLAIMS[code as WarningCode]);
  if (said.ending) check(said.ending, ENDING_CLAIMS[said.ending]);
  if (said.reach !== undefined) check(said.reach, REACH_CLAIMS[said.reach]);
  for (const [name, pattern, claim] of SENTENCES) if (pattern.test(said.text)) check(name, claim);
  const { negotiation: n, from } = truth;
  for (const name of falseCounts(said.text, n)) found.add(`said another number of ${name} than there were`);
  // One that was stopped before anybody was asked is told as that.
  const meantSomething = n.participants.length > 0 || hasPlan(truth);
  const wasOut = meantSomething && (n.times.encoding ?? Number.POSITIVE_INFINITY) <= from;
  const shows =
    said.state !== undefined && (MOVED.includes(said.state) || (said.state === "completed" && hasPlan(truth)));
  const isTold = SENTENCES.some(([name, pattern]) => SAYS_SO.includes(name) && pattern.test(said.text));
  const isCoded = said.codes?.some((code) => SAYS_SO.includes(code)) ?? false;
  if (said.isWhole && wasOut && shows && !isByPerson(truth) && !isTold && !isCoded)
    found.add("out without the person's word, and no word on it");
  if (said.isSuccess && !truth.isLeft && hasPlan(truth) && !isByPerson(truth) && !hasText(truth))
    found.add("looks like a success, and is none");
  return [...found];
}

/** The endings that are told there, by their sentences or as one. */
export const toldEndings = ({ text, ending }: Said): string[] => [
  ...(ending ? [ending] : []),
  ...SENTENCES.filter(([name, pattern]) => name in ENDING_CLAIMS && pattern.test(text)).map(([name]) => name),
];
