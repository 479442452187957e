import type { NegotiationView } from "../../mock-backend/main.ts";

/** What a result said of one negotiation, at that moment. */
export interface Statement {
  id: string;
  tool: string;
  pid: number;
  /** When the call began, and when its result came. */
  from: number;
  at: number;
  /** Every sentence: summary, error, progress. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the data of many tools
  data: any;
  status: string;
  warnings: readonly string[];
  failed: boolean;
}

/** A decision that reached a program: through a form, or as a tool's argument. */
export interface Decision {
  id: string;
  kind: "accept" | "edit" | "reject" | "cancel";
  /** What goes out then; none for a reject or a cancel. */
  text: string | undefined;
  at: number;
  pid: number;
  /** What was answered: carried out, refused, or unknown because no answer came. */
  took: boolean | undefined;
}

/**
 * Whether a text may go out after what was answered as carried out. Two decisions of one kind may cross each other, and a
 * result then reports whichever was first: so it is the kind that is compared.
 */
export function isDecidedText(text: string | undefined, decisions: readonly Decision[]): boolean {
  const kinds = decisions.filter((d) => d.took === true && d.kind !== "cancel").map(({ kind }) => kind);
  return (
    kinds.length === 0 ||
    decisions.some((d) => kinds.includes(d.kind) && (d.text === text || (d.kind === "accept" && d.text === undefined)))
  );
}

export interface Truth {
  negotiation: NegotiationView;
  decisions: readonly Decision[];
  /** Whether the program ended by itself before the backend's deadline, so that it could not keep a promise. */
  endedBefore: (pid: number, at: number) => boolean;
  /** Whether a cancel of it had reached the backend by then. */
  cancelSent: (at: number) => boolean;
}

type Rule = (said: Statement, truth: Truth) => boolean;

const NOT_BROADCAST =
  /\b(?:was|is) not broadcast\b|never broadcast|before the backend could broadcast|没有广播|未被?广播|未广播/i;
const NOBODY_ASKED = /nobody was asked|no one was asked|没有(?:人|任何人)被询问|没有询问/i;
const PLAN_WITH_AGENTS = /plan is ready: [1-9]|方案(?:已|好)[^。]*[1-9]\d* ?(?:位|个|名)/i;
const ALL_OFFERS_IN = /all offers are in|响应都到了|全部响应/i;

const wentOutBy = (n: NegotiationView, at: number): boolean => (n.times.encoding ?? Number.POSITIVE_INFINITY) <= at;
const replied = (n: NegotiationView): number => n.participants.filter(({ state }) => state === "replied").length;

const isSilentBroadcast = ({ failed, data, from, warnings, text }: Statement, n: NegotiationView): boolean =>
  !failed &&
  data.decision === null &&
  n.confirmedBy !== "user" &&
  wentOutBy(n, from) &&
  (data.state === "completed" || data.participants !== undefined) &&
  !warnings.includes("auto_confirmed") &&
  !/without your decision|too late|somebody else|by itself/.test(text);

const carriedDecision = ({ pid, from, at }: Statement, { decisions }: Truth): boolean =>
  decisions.some((d) => d.pid === pid && d.at >= from && d.at <= at);

/** "What is said is true", each as a rule that is given what was said and what the backend did; true when it is false. */
const FALSEHOODS: Readonly<Record<string, Rule>> = {
  "said not broadcast, and it was": ({ text, at }, { negotiation: n, cancelSent }) =>
    NOT_BROADCAST.test(text) && n.times.encoding !== undefined && !cancelSent(at),
  "a cancel that came too late, reported as not broadcast": ({ text, at }, { negotiation: n, cancelSent }) =>
    NOT_BROADCAST.test(text) && n.times.encoding !== undefined && cancelSent(at),
  "said nobody was asked, and somebody was": ({ text }, { negotiation: n }) =>
    NOBODY_ASKED.test(text) && n.participants.length > 0,
  "said broadcast as it was, and another text went out": ({ text }, { negotiation: n }) =>
    /broadcast as it was/.test(text) && n.confirmedBy === "other",
  "broadcast without the person's decision, and not said": (said, truth) =>
    isSilentBroadcast(said, truth.negotiation) && !carriedDecision(said, truth),
  "a decision that came too late, and no word on it": (said, truth) =>
    isSilentBroadcast(said, truth.negotiation) && carriedDecision(said, truth),
  "said decided, and another text went out": ({ data, warnings, failed, from }, { negotiation: n, decisions }) =>
    !failed &&
    ["accept", "edit"].includes(data.decision) &&
    wentOutBy(n, from) &&
    n.confirmedBy !== "user" &&
    !decisions.some((d) => d.kind === data.decision && d.text === n.confirmedText) &&
    !warnings.includes("confirmed_text_mismatch") &&
    !warnings.includes("auto_confirmed"),
  "said auto-confirmed, and the person had confirmed": ({ warnings }, { negotiation: n }) =>
    warnings.includes("auto_confirmed") && n.confirmedBy === "user",
  "said confirmed by the person, and nothing went out": ({ text, failed }, { negotiation: n }) =>
    !failed && /^Confirmed;|negotiation is moving on/.test(text) && n.times.encoding === undefined && !n.cancelled,
  "said a rejection, and a text was confirmed for the person": ({ data, failed }, { negotiation: n }) =>
    !failed && data.decision === "reject" && n.confirmedBy === "user",
  "said a plan with agents, and nobody had offered": ({ text }, { negotiation: n }) =>
    PLAN_WITH_AGENTS.test(text) && replied(n) === 0,
  "said all offers in, and there was none": ({ text }, { negotiation: n }) =>
    ALL_OFFERS_IN.test(text) && replied(n) === 0,
  "a cancel of the person's reported as a missing plan": ({ warnings, from }, { negotiation: n, decisions }) =>
    warnings.includes("plan_missing") &&
    n.cancelled &&
    decisions.some((d) => d.kind === "cancel" && d.took === true && d.at <= from),
  "a degraded resonance reported as resonance": ({ text }, { negotiation: n }) =>
    /resonance found/i.test(text) && n.participants.every(({ resonance_score }) => resonance_score === 0),
  "a sub-negotiation in the data, and no sentence on it": ({ data, text, failed }) =>
    !failed && (data.sub_session_ids?.length ?? 0) > 0 && !/sub-?(?:negotiation|demand)|子(?:协商|需求)/i.test(text),
  "a time that never was": ({ text, data }) => /1970-01-01/.test(text + JSON.stringify(data ?? "")),
  "said watched again, by a program that ended": ({ text, pid }, { negotiation: n, endedBefore }) =>
    /it is watched again/i.test(text) &&
    n.confirmedBy === "timeout" &&
    endedBefore(pid, n.confirmDeadline ?? Number.NEGATIVE_INFINITY),
};

/** The names of what was false in one statement. */
export const falsehoodsIn = (said: Statement, truth: Truth): string[] =>
  Object.entries(FALSEHOODS).flatMap(([name, isFalse]) => (isFalse(said, truth) ? [name] : []));
