import type { JournalEntry, MockBackend } from "../../mock-backend/main.ts";
import { type Decision, isDecidedText } from "./claims.ts";
import type { FaultHome } from "./home.ts";
import type { Span } from "./machine.ts";
import type { Mix } from "./mixes.ts";
import { WRITE_LIMIT_MS } from "./network.ts";
import type { Program } from "./program.ts";

/** Which promise was broken: (a) a decision before each confirm, (b) the undecided withdrawn, … (h) what is said is true. */
export interface Violation {
  invariant: "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h";
  /** Which cause it looks like; the same words for the same defect. */
  kind: string;
  detail: string;
}

/** What a run has seen at the front door: what arrived at the backend, what programs were asked, and what they answered. */
export interface Evidence {
  home: FaultHome;
  mix: Pick<Mix, "leave" | "deadlineMs">;
  processes: readonly Program[];
  decisions: readonly Decision[];
  /** Which program sent a request. */
  senderOf: (entry: JournalEntry) => Program | undefined;
  /** Whether a result named this negotiation before that moment. */
  named: (id: string, before: number) => boolean;
  /** Calls that their client gave up. */
  gaveUp: readonly { intent: string | undefined; at: number }[];
  confirmsSent: readonly { id: string; at: number; text: string }[];
  /** Stretches in which nothing answered, and those in which the engine stood still. */
  blackedOut: readonly Span[];
  stoodStill: readonly Span[];
  count: (what: string) => void;
  violate: (invariant: Violation["invariant"], kind: string, detail: string) => void;
}

type Ended = ReturnType<MockBackend["negotiations"]>[number];

/** Near a deadline and at its end a program gives a request up after this. */
const URGENT_LIMIT_MS = 4_000;
/** What starts a program may kill it this long after it has told it to end. */
const AT_ONCE_MS = 500;
/** A yes that was lost goes again within this, if reads are answered; several of the program's pauses of 5 s. */
const AGAIN_MS = 60_000;
/** The last moments before a deadline, in which a fault leaves a withdrawal no time. */
const LAST_MS = 15_000;
/** After the submit's answer a program has this long to write down what it has to look after. */
const SETTLED_MS = 1_000;

/** How one negotiation ended, and whether it may have: what nothing could have prevented is counted apart. */
export function judge(n: Ended, evidence: Evidence): void {
  const { count, violate } = evidence;
  judgeConfirms(n, evidence);
  judgeRepeats(n, evidence);
  judgeAtOnce(n, evidence);
  if (n.confirmedBy === "user") count("confirmed by the person");
  if (n.confirmedBy === "other") count("confirmed by somebody else");
  if (n.cancelled) count("cancelled");
  if (n.confirmedBy !== "timeout") return;
  const excuse = excuseOf(n, evidence);
  if (excuse !== undefined) {
    count(excuse);
    return;
  }
  const standing = standingOf(n, evidence);
  const who = responsible(n, evidence);
  const word = standing?.kind ?? "undecided";
  if (who.excused) count(`auto-confirmed, ${who.words} (${word})`);
  else violate("b", `${word}: ${who.words}`, `${n.negotiation_id} ${n.demand_raw} ${n.confirmedText?.slice(0, 10)}`);
}

/** At most one confirm takes effect, and nothing that was refused is broadcast. */
function judgeConfirms(n: Ended, { home, processes, decisions, confirmsSent, count, violate }: Evidence): void {
  const id = n.negotiation_id;
  if (n.confirmCount > 1) {
    const lost = home.mock.journal.some(
      (e) => e.path.endsWith(`${id}/confirm`) && e.fault !== undefined && e.fault !== "status",
    );
    const killed = processes.some((p) => p.diedAt !== undefined || p.stops.length > 0);
    const one = new Set(confirmsSent.filter((c) => c.id === id).map((c) => c.text)).size === 1;
    if (one && (lost || killed)) count("repeated confirm after a lost answer");
    else violate("d", one ? "confirmed twice" : "confirmed twice with two texts", id);
  }
  const refused = decisions.find((d) => d.id === id && d.took === true && d.kind === "reject");
  if (refused !== undefined && n.confirmedBy === "user") violate("d", "refused, and confirmed all the same", id);
  if (
    n.confirmedBy === "user" &&
    !isDecidedText(
      n.confirmedText,
      decisions.filter((d) => d.id === id),
    )
  )
    violate("d", "another text than the one that was decided on", id);
}

/** A yes that never arrived, of a program that lives, goes again as long as the backend shows that it waits. */
function judgeRepeats(n: Ended, evidence: Evidence): void {
  const { home, decisions, confirmsSent, senderOf, blackedOut, stoodStill, violate } = evidence;
  const { journal } = home.mock;
  const id = n.negotiation_id;
  const [decision, ...others] = decisions.filter((d) => d.id === id && d.took !== false);
  if (decision === undefined || others.length > 0 || !isStillAsked(n, decision)) return;
  const sent = confirmsSent.filter((c) => c.id === id);
  for (const [i, { at }] of sent.entries()) {
    const span = { from: at, to: at + AGAIN_MS };
    if ((sent[i + 1]?.at ?? Number.POSITIVE_INFINITY) <= span.to || span.to > (n.confirmDeadline ?? 0) - LAST_MS)
      continue;
    const entries = journal.filter((e) => e.path.includes(id) && e.at >= span.from && e.at <= span.to);
    const own = entries.find((e) => e.path.endsWith("confirm"));
    const sender = own && senderOf(own);
    const isDisturbed =
      (n.times.encoding ?? Number.POSITIVE_INFINITY) <= span.to ||
      entries.some((e) => e.path.endsWith("action") || (e.method === "GET" && !isAnsweredRead(e))) ||
      [...blackedOut, ...stoodStill].some((it) => it.from <= span.to && it.to >= span.from) ||
      home.machine.sleptMs(span) > 0 ||
      (sender !== undefined && stoodIn(sender, span));
    const isThere = (sender?.endedAt ?? sender?.diedAt ?? Number.POSITIVE_INFINITY) > span.to;
    if (own?.fault === "drop_before" && isThere && !isDisturbed)
      violate("d", "a yes that was lost did not go again", `${id} ${n.demand_raw} ${decision.kind}`);
  }
}

/** What nobody has decided is withdrawn at once by a program that ends, whatever reads do meanwhile. */
function judgeAtOnce(n: Ended, evidence: Evidence): void {
  const { home, mix, decisions, confirmsSent, blackedOut, stoodStill, violate } = evidence;
  const id = n.negotiation_id;
  const submitter = submitterOf(id, evidence);
  const { endedAt, diedAt = Number.POSITIVE_INFINITY } = submitter ?? {};
  if (endedAt === undefined || mix.leave) return;
  if (submitter !== undefined && stoodIn(submitter, { from: 0, to: endedAt + AT_ONCE_MS })) return; // others may have it
  const end = { from: endedAt, to: endedAt + AT_ONCE_MS };
  const { formulated = Number.POSITIVE_INFINITY, encoding = Number.POSITIVE_INFINITY } = n.times;
  const isUndecided =
    formulated <= end.from &&
    encoding > end.to &&
    ![...decisions, ...confirmsSent].some((one) => one.id === id && one.at <= end.to);
  if (!isUndecided || diedAt <= end.to || !wasKnown(n, end.from, evidence)) return;
  const isDisturbed =
    home.mock.journal.some((e) => e.at >= end.from && e.at <= end.to && e.path.endsWith("token")) ||
    [...blackedOut, ...stoodStill].some((it) => it.from <= end.to && it.to >= end.from) ||
    home.machine.sleptMs(end) > 0;
  const isSent = home.mock.journal.some((e) => e.path.endsWith(`${id}/action`) && e.at <= end.to);
  if (!isSent && !isDisturbed)
    violate("b", "its program ended, and did not withdraw it at once", `${id} ${n.demand_raw}`);
}

/** Whether the text that a yes was said to is the backend's to the end. */
const isStillAsked = ({ demand_formulated }: Ended, { kind, text }: Decision): boolean =>
  kind === "edit" || (kind === "accept" && text === demand_formulated);

/** The decision that a person would name: the last that was answered as carried out, else one whose answer never came. */
function standingOf(n: Ended, { decisions, home }: Evidence): Decision | undefined {
  const deadline = n.confirmDeadline ?? home.clock.now();
  const mine = decisions.filter((d) => d.id === n.negotiation_id && d.at <= deadline);
  return mine.findLast((d) => d.took === true) ?? mine.findLast((d) => d.took === undefined);
}

/** Why nobody on this machine could have kept the backend from confirming by itself; undefined when somebody could. */
function excuseOf(n: Ended, evidence: Evidence): string | undefined {
  const { home, mix, processes, stoodStill } = evidence;
  const { machine } = home;
  const id = n.negotiation_id;
  const deadline = n.confirmDeadline ?? home.clock.now();
  const start = deadline - LAST_MS;
  const last = { from: start, to: deadline };
  const standing = standingOf(n, evidence);
  const word = standing?.kind ?? "undecided";
  const submitter = submitterOf(id, evidence);
  const overlaps = (span: Span) => span.from <= deadline && span.to >= start;
  if (!wasKnown(n, deadline, evidence)) return "auto-confirmed: submit answer lost or killed in it";
  if (mix.leave && (standing?.took !== true || standing.kind === "accept")) return "auto-confirmed under leave";
  if (standing?.kind === "accept" && standing.text === n.confirmedText)
    return "auto-confirmed with the accepted text (confirm lost)";
  if (mix.deadlineMs !== undefined) return `auto-confirmed, its deadline was shorter than ours (${word})`;
  if (stoodStill.some(overlaps)) return `auto-confirmed, the engine stood still in the last 15 s (${word})`;
  if (machine.sleptMs(last) > 0) return `auto-confirmed, the machine slept in the last 15 s (${word})`;
  const setBack = machine.set.some((it) => it.byMs < 0 && it.at <= deadline);
  // Whoever takes over knows the deadline only as a time of day.
  if (setBack && submitter?.diedAt !== undefined && submitter.diedAt <= deadline)
    return `auto-confirmed, its process died and the clock was set back (${word})`;
  // Timers miss the sleep and the clock hides it: nothing on the machine knows the time any more.
  if (setBack && machine.sleptMs({ from: deadline - 300_000, to: deadline }) > 0)
    return `auto-confirmed, the machine slept and its clock was set back (${word})`;
  if (!processes.some((p) => p.startedAt <= start && livedAt(p, deadline)) && !wasLeft(n, evidence))
    return `auto-confirmed, no process lived (${word})`;
  if (wasHindered(id, last, evidence)) return `auto-confirmed, faults in the last 15 s (${word})`;
  return undefined;
}

/** Whether faults left a withdrawal no time. A read that fails, or is slow, is none: a withdrawal does not depend on it. */
function wasHindered(id: string, { from, to }: Span, { home, blackedOut }: Evidence): boolean {
  const met = home.mock.journal.some(
    (e) =>
      e.at >= from &&
      e.at <= to &&
      e.fault !== undefined &&
      (e.path.endsWith("token") || (e.path.includes(id) && !isShortRead(e))),
  );
  return met || blackedOut.some((span) => span.from <= to && span.to >= from);
}

/** What outlasts its program's limit counts: that is measured by the real clock, so a simulated program waits on. */
const isShortRead = ({ method, at, answeredAt = Number.POSITIVE_INFINITY }: JournalEntry): boolean =>
  method === "GET" && answeredAt - at <= URGENT_LIMIT_MS;

const isAnsweredRead = (e: JournalEntry): boolean =>
  isShortRead(e) && e.status === 200 && (e.fault === undefined || e.fault === "delay");

/** Whether the program that had submitted it ended in its own time, and nothing hindered it, before the deadline. */
function wasLeft(n: Ended, evidence: Evidence): boolean {
  const { endedAt, doneAt, stops = [] } = submitterOf(n.negotiation_id, evidence) ?? {};
  const { home, mix } = evidence;
  if (endedAt === undefined || doneAt === undefined || mix.leave || stops.length > 0) return false;
  const end = { from: endedAt, to: doneAt };
  return (
    doneAt < (n.confirmDeadline ?? 0) &&
    wasKnown(n, endedAt, evidence) &&
    home.machine.sleptMs(end) === 0 &&
    !wasHindered(n.negotiation_id, end, evidence)
  );
}

const stoodIn = ({ stops }: Program, span: Span): boolean =>
  stops.some(({ from, to }) => from <= span.to && to >= span.from);

/** Whether it lived then, and in the last moments before did not stand still. */
const livedAt = (p: Program, at: number): boolean =>
  (p.diedAt === undefined || p.diedAt >= at) && !stoodIn(p, { from: at - LAST_MS, to: at });

const submitterOf = (id: string, { home, senderOf }: Evidence): Program | undefined => {
  const entry = home.mock.journal.find((e) => e.made === id);
  return entry && senderOf(entry);
};

/**
 * Whether some program must have known of it: it asked the backend about it, it named it to its client, or it got the
 * submit's answer and lived on.
 */
function wasKnown(n: Ended, deadline: number, { home, senderOf, named, gaveUp }: Evidence): boolean {
  const id = n.negotiation_id;
  if (named(id, deadline) || home.mock.journal.some((e) => e.at <= deadline && e.path.includes(id))) return true;
  return home.mock.journal.some((e) => {
    if (e.made !== id || e.answeredAt === undefined || (e.fault !== undefined && e.fault !== "delay")) return false;
    if (e.answeredAt - e.at >= WRITE_LIMIT_MS) return false; // nobody was waiting for it any more
    const sender = senderOf(e);
    const settled = e.answeredAt + SETTLED_MS + home.machine.sleptMs({ from: e.at, to: deadline });
    const left = Math.min(sender?.diedAt ?? Infinity, sender?.endedAt ?? Infinity);
    return left > settled && !gaveUp.some((g) => g.intent === n.demand_raw && g.at >= e.at && g.at <= settled);
  });
}

/** Who should have withdrawn it, in words; excused when those who knew of it had died too late for others to see. */
function responsible(n: Ended, evidence: Evidence): { words: string; excused: boolean } {
  const { home, processes, decisions, senderOf } = evidence;
  const id = n.negotiation_id;
  const deadline = n.confirmDeadline ?? home.clock.now();
  const start = deadline - LAST_MS;
  const alive = processes.filter((p) => p.startedAt <= start && livedAt(p, deadline));
  const involved = new Set<Program>();
  for (const e of home.mock.journal)
    if (e.at <= deadline && (e.made === id || e.path.includes(id))) {
      const sender = senderOf(e);
      if (sender !== undefined) involved.add(sender);
    }
  const deciders = decisions.filter((d) => d.id === id && d.took !== false && d.at <= deadline).map(({ pid }) => pid);
  if (alive.some(({ pid }) => deciders.includes(pid))) return { words: "the decider lived", excused: false };
  const submitter = home.mock.journal.filter((e) => e.made === id).map((e) => senderOf(e));
  if (alive.some((p) => submitter.includes(p))) return { words: "the submitter lived", excused: false };
  if (wasLeft(n, evidence)) return { words: "its program ended in its own time", excused: false };
  const orphanedAt = Math.max(
    0,
    ...[...involved].filter((p) => !livedAt(p, deadline)).map((p) => p.diedAt ?? p.stops.at(-1)?.from ?? 0),
    ...processes.filter((p) => deciders.includes(p.pid)).map((p) => p.diedAt ?? 0),
  );
  if (alive.some((p) => p.calledAt.some((at) => at > orphanedAt && at < start)))
    return { words: "its process died, another lived and was called since", excused: false };
  // Called or not, a process looks each minute, and at what it knows shortly before the deadline, whoever answers for it.
  const looked = start - 60_000;
  const wasToLook =
    home.machine.sleptMs({ from: looked, to: start }) === 0 &&
    alive.some((p) => p.startedAt < looked && !stoodIn(p, { from: looked, to: start }));
  if (wasToLook) return { words: "its process died, another lived and was to look", excused: false };
  return { words: "its process died too late for another to see it", excused: true };
}
