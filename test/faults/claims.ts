import type { NegotiationView } from "../../mock-backend/main.ts";
import { falseClaims } from "./said.ts";

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
  /** The earliest moment at which the backend may confirm by itself, as programs can know it. */
  deadlineAt: number;
  /** Its person wants silence to broadcast it. */
  isLeft?: boolean | undefined;
  /** Whether the program ended by itself before the backend's deadline, so that it could not keep a promise. */
  endedBefore: (pid: number, at: number) => boolean;
}

type Rule = (said: Statement, truth: Truth) => boolean;

const ALL_OFFERS_IN = /all offers are in|响应都到了|全部响应/i;

const wentOutBy = (n: NegotiationView, at: number): boolean => (n.times.encoding ?? Number.POSITIVE_INFINITY) <= at;
const replied = (n: NegotiationView): number => n.participants.filter(({ state }) => state === "replied").length;

/** What a result says beside the table's words, each as a rule that is true when it is false. */
const FALSEHOODS: Readonly<Record<string, Rule>> = {
  "said decided, and another text went out": ({ data, warnings, failed, from }, { negotiation: n, decisions }) =>
    !failed &&
    ["accept", "edit"].includes(data.decision) &&
    wentOutBy(n, from) &&
    n.confirmedBy !== "user" &&
    !decisions.some((d) => d.kind === data.decision && d.text === n.confirmedText) &&
    !warnings.includes("confirmed_text_mismatch") &&
    !warnings.includes("auto_confirmed"),
  "said confirmed by the person, and nothing went out": ({ text, failed }, { negotiation: n }) =>
    !failed && /^Confirmed;|negotiation is moving on/.test(text) && n.times.encoding === undefined && !n.cancelled,
  "said a rejection, and a text was confirmed for the person": ({ data, failed }, { negotiation: n }) =>
    !failed && data.decision === "reject" && n.confirmedBy === "user",
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

/** The names of what was false in one statement: by the table's own words, and by what it says beside them. */
export function falsehoodsIn(said: Statement, truth: Truth): string[] {
  const { from, at, text, warnings, data, failed, status } = said;
  const { negotiation, decisions, deadlineAt, isLeft = false } = truth;
  const isWhole = !failed && (data.state === "completed" || data.participants !== undefined);
  const isSuccess = !failed && status === "ok" && data.state === "completed";
  const byTable = falseClaims(
    { text, codes: warnings, state: data?.state, isWhole, isSuccess },
    { negotiation, from, at, agreed: agreedIn(decisions, negotiation), deadlineAt, isLeft },
  );
  return [...byTable, ...Object.entries(FALSEHOODS).flatMap(([name, isFalse]) => (isFalse(said, truth) ? [name] : []))];
}

/** A yes whose text nobody knows counts for the one that went out. */
const agreedIn = (decisions: readonly Decision[], n: NegotiationView) =>
  decisions.flatMap(({ kind, text }) => (kind === "accept" || kind === "edit" ? [text ?? n.confirmedText] : []));
