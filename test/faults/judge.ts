import type { MockBackend } from "../../mock-backend/main.ts";
import type { Decision, NegotiationRecord } from "../../src/negotiation/history.ts";
import { type FaultHome, type FaultProcess, sha256 } from "./home.ts";
import type { Span } from "./machine.ts";
import type { Mix } from "./mixes.ts";

/** Which promise was broken: (a) a decision before each confirm, (b) the undecided withdrawn, … as `run.ts` checks them. */
export interface Violation {
  invariant: "a" | "b" | "c" | "d" | "e" | "f" | "g";
  /** Which cause it looks like; the same words for the same defect. */
  kind: string;
  detail: string;
}

/** What a run has seen, for the judgement at its end. */
export interface Evidence {
  home: FaultHome;
  mix: Pick<Mix, "leave">;
  processes: readonly FaultProcess[];
  /** What stood in the history when: decisions (undefined: taken back) and records. */
  decisions: readonly { id: string; decision: Decision | undefined; at: number }[];
  records: readonly { record: NegotiationRecord; at: number }[];
  confirmsSent: readonly { id: string; at: number; text: string }[];
  blackedOut: readonly Span[];
  count: (what: string) => void;
  violate: (invariant: Violation["invariant"], kind: string, detail: string) => void;
}

type Ended = ReturnType<MockBackend["negotiations"]>[number];

/** How one negotiation ended, and whether it may have: what nothing could have prevented is counted apart. */
export function judge(n: Ended, evidence: Evidence): void {
  const { home, mix, processes, decisions, records, confirmsSent, blackedOut, count, violate } = evidence;
  const { clock, mock, machine } = home;
  const id = n.negotiation_id;
  const deadline = n.confirmDeadline ?? clock.now();
  const start = deadline - 15_000;
  const standing = decisions.findLast((d) => d.id === id && d.at <= deadline)?.decision;
  const record = records.findLast((r) => r.record.negotiation_id === id && r.at <= deadline)?.record;
  if (n.confirmCount > 1) {
    const lost = mock.journal.some(
      (e) => e.path.endsWith(`${id}/confirm`) && e.fault !== undefined && e.fault !== "status",
    );
    const killed = processes.some((p) => p.diedAt !== undefined);
    const one = new Set(confirmsSent.filter((c) => c.id === id).map((c) => c.text)).size === 1;
    if (one && (lost || killed)) count("repeated confirm after a lost answer");
    else violate("d", one ? "confirmed twice" : "confirmed twice with two texts", id);
  }
  if (n.confirmedBy === "user") count("confirmed by the person");
  if (n.cancelled) count("cancelled");
  if (n.confirmedBy !== "timeout") return;
  if (record?.deadline_at === undefined) {
    count("auto-confirmed: submit answer lost or killed in it");
    return;
  }
  if (mix.leave && (standing === undefined || standing.kind === "accept")) {
    count("auto-confirmed under leave");
    return;
  }
  if (standing?.kind === "accept" && standing.text_hash === sha256(n.confirmedText ?? "")) {
    count("auto-confirmed with the accepted text (confirm lost)");
    return;
  }
  const alive = processes.filter((p) => p.startedAt <= start && (p.diedAt === undefined || p.diedAt >= deadline));
  const met = mock.journal.some(
    (e) =>
      e.at >= start && e.at <= deadline && e.fault !== undefined && (e.path.includes(id) || e.path.endsWith("token")),
  );
  if (machine.sleptMs({ from: start, to: deadline }) > 0) {
    count(`auto-confirmed, the machine slept in the last 15 s (${standing?.kind ?? "undecided"})`);
    return;
  }
  const dark = blackedOut.some((b) => b.from <= deadline && b.to >= start);
  const word = standing?.kind ?? "undecided";
  const submitter = records.find((r) => r.record.negotiation_id === id)?.record.owner?.pid;
  const setBack = machine.set.some((it) => it.byMs < 0 && it.at <= deadline);
  // Whoever takes over knows the deadline only as a time of day.
  if (setBack && record.owner?.pid !== submitter) {
    count(`auto-confirmed, its process died and the clock was set back (${word})`);
    return;
  }
  // Timers miss the sleep and the clock hides it: nothing on the machine knows the time any more.
  if (setBack && machine.sleptMs({ from: deadline - 300_000, to: deadline }) > 0) {
    count(`auto-confirmed, the machine slept and its clock was set back (${word})`);
    return;
  }
  if (alive.length === 0) {
    count(`auto-confirmed, no process lived (${word})`);
    return;
  }
  if (met || dark) {
    count(`auto-confirmed, faults in the last 15 s (${word})`);
    return;
  }
  const byPid = (pid: number | undefined) => processes.find((p) => p.pid === pid);
  const lives = (p: FaultProcess | undefined) => p !== undefined && alive.includes(p);
  const owner = byPid(record.owner?.pid);
  const decider = byPid(standing?.owner.pid);
  const orphanedAt = Math.max(owner?.diedAt ?? 0, decider?.diedAt ?? 0);
  const calledSince = alive.some((p) => p.calledAt.some((at) => at > orphanedAt && at < start));
  // Called or not, a process looks each minute, every ten seconds while another's pause is open, and has time for tries.
  const looked = start - 30_000;
  const wasToLook =
    orphanedAt < looked &&
    machine.sleptMs({ from: looked, to: start }) === 0 &&
    alive.some((p) => p.startedAt < looked);
  const who = lives(decider)
    ? "whoever decided lived"
    : lives(owner)
      ? decider === undefined
        ? "its guard lived"
        : "whoever decided died, its new owner lived"
      : calledSince
        ? "its process died, another lived and was called since"
        : wasToLook
          ? "its process died, another lived and was to look again"
          : "its process died too late for another to see it";
  const detail = `${id} ${n.demand_raw} auto-confirmed ${n.confirmedText?.slice(0, 10)}; decision ${word}${standing ? ` by ${standing.by}` : ""}; ended ${record.ended?.as}; ${who}`;
  if (who.endsWith("see it")) count(`auto-confirmed, ${who} (${word})`);
  else violate("b", `${word}: ${who}`, detail);
}
