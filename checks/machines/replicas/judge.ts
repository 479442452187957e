import type { MockBackend, NegotiationView } from "../../../mock-backend/main.ts";
import { falseClaims } from "../../../test/faults/said.ts";
import { editedOf, type Need, type Person } from "./person.ts";

export interface Outcome {
  counts: Map<string, number>;
  violations: string[];
}

/** In milliseconds since the start of the run. */
export interface Span {
  from: number;
  to: number;
}

export interface Course {
  disturbances: readonly Span[];
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/** What the backend received and did, beside what users were told. */
export function judge(people: readonly Person[], mock: MockBackend, course: Course): Outcome {
  const counts = new Map<string, number>();
  const violations: string[] = [];
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const byIntent = Map.groupBy(mock.negotiations(), (n) => n.demand_raw);
  const ownerOf = new Map<string, string>();

  for (const person of people) {
    if (person.foreignMarks.size > 0) violations.push(`${person.userId} received marks of ${person.foreignMarks.size}`);
    for (const need of person.needs) {
      const made = byIntent.get(need.intent) ?? [];
      for (const { negotiation_id: id } of made) ownerOf.set(id, person.userId);
      const about = () => `${person.userId} ${JSON.stringify({ ...need, ids: [...need.ids], told: [...need.told] })}`;
      const violate = (what: string) => violations.push(`${what}: ${about()} ${JSON.stringify(made)}`.slice(0, 2_500));
      if (need.gaveUp) count("gave up in the end");
      if (made.length === 0) {
        count("never reached the backend");
        if (need.told.size > 0) violate("told of a negotiation that is not there");
        continue;
      }
      const counted = made.filter((negotiation, i) => !wasOverBefore(made[i + 1], negotiation));
      for (let i = counted.length; i < made.length; i++) count("ended, its answer lost, and asked for again");
      if (counted.length > 1 && need.submitUnknown)
        count("created twice after an outcome that was reported as unknown");
      else if (counted.length > 1) violate("created twice for one call");
      for (const negotiation of counted)
        one(need, negotiation, { count, violate, watched: wasWatched(need, negotiation, course) });
    }
  }
  for (const { path, userId, body } of mock.journal) {
    const id = /negotiations\/(neg_[^/]+)/.exec(path)?.[1];
    const owner = id === undefined ? undefined : ownerOf.get(id);
    if (owner !== undefined && userId !== undefined && owner !== userId)
      violations.push(`${userId} touched a negotiation of ${owner}: ${path}`);
    const submitter = /submit$/.test(path) ? (body as { user_id?: string }).user_id : undefined;
    if (submitter?.startsWith("user-") && submitter !== userId) violations.push(`${userId} submitted as ${submitter}`);
  }
  return { counts, violations };
}

interface Verdict {
  count: (what: string) => void;
  violate: (what: string) => void;
  watched: boolean;
}

/**
 * Whether a demand was stopped, and nobody had been asked, before the next of the same words was made: a person whose
 * call broke on the way back asks again, and only a demand that still serves may answer them.
 */
function wasOverBefore(next: NegotiationView | undefined, n: NegotiationView): boolean {
  const wasStopped = n.cancelled && n.confirmCount === 0 && n.confirmedBy === undefined && n.participants.length === 0;
  const { completed } = n.times;
  return wasStopped && completed !== undefined && completed <= (next?.times.created ?? Number.NEGATIVE_INFINITY);
}

/**
 * Whether some replica must have answered for it at its deadline: an answer about it came before that, and nothing was
 * away from then on. What a client heard of before a disturbance may have lost its watcher, whose place another takes in
 * time or not; and an answer behind the deadline says nothing of who watched before it.
 */
function wasWatched(need: Need, n: NegotiationView, { disturbances, startedAt }: Course): boolean {
  const deadline = (n.confirmDeadline ?? Number.POSITIVE_INFINITY) - startedAt;
  const answeredAt = need.ids.get(n.negotiation_id)?.findLast((at) => at <= deadline);
  return answeredAt !== undefined && !disturbances.some(({ from, to }) => to >= answeredAt && from <= deadline);
}

/** The guard acts 15 s before the deadline, and reckons with one that is earlier by as long as the text took. */
const surelyInTime = ({ confirmDeadline = 0 }: NegotiationView): number => confirmDeadline - 12_000;

/** What the last look said, by the words of the one table. */
function falseIn({ plan, answered, intent }: Need, final: NonNullable<Need["final"]>, n: NegotiationView) {
  const { summary: text, warnings: codes, state, from, at } = final;
  const texts = { accept: [`Wanted: ${intent}`], edit: [editedOf({ intent })] }[plan as string] ?? [];
  const truth = { negotiation: n, from, at, agreed: answered ? texts : [], deadlineAt: n.confirmDeadline ?? at };
  return falseClaims({ text, codes, state, isWhole: true }, truth);
}

function one(need: Need, n: NegotiationView, { count, violate, watched }: Verdict): void {
  const byUser = n.confirmedBy === "user";
  if (n.confirmCount > 1) violate("confirmed twice");
  if (byUser && (!need.answered || !["accept", "edit"].includes(need.plan))) violate("a confirm without a decision");
  if (byUser && need.plan === "accept" && n.demand_formulated !== `Wanted: ${need.intent}`) violate("another text");
  if (byUser && need.plan === "edit" && n.demand_formulated !== editedOf(need)) violate("another text than the edit");
  if (need.told.has("confirmed") && !byUser) violate("told confirmed, and it is not");
  if (need.told.has("rejected") && !n.cancelled) violate("told rejected, and it is not cancelled");
  if (n.cancelled && byUser) violate("cancelled after a confirm");
  const said = (code: string) => need.final?.warnings.includes(code) === true;
  if (said("decision_pending")) violate("still said to be under way, long after its deadline");
  const wasInTime = n.cancelled && n.confirmedBy === undefined && (n.times.completed ?? 0) < surelyInTime(n);
  if (wasInTime && said("withdrawn_late")) violate("said withdrawn late, and it was in time");
  if (need.final?.id === n.negotiation_id) for (const name of falseIn(need, need.final, n)) violate(name);

  if (byUser) count(need.told.has("confirmed") ? "confirmed, and told so" : "confirmed, learned by a later look");
  else if (n.confirmedBy === "timeout") {
    if (watched) violate("broadcast without a decision, though its watcher is there");
    if (n.negotiation_id !== [...need.ids.keys()][0]) count("unguarded, and its user never heard of it");
    else if (said("auto_confirmed")) count("unguarded: broadcast at the deadline, and told so");
    // It was stopped before anybody was asked: then nobody can know more.
    else if (n.cancelled && n.participants.length === 0 && n.center_rounds === 0 && said("withdrawn_late"))
      count("unguarded: withdrawn behind the deadline, and told so");
    else violate("broadcast in silence");
  } else if (n.cancelled) count(need.told.has("rejected") ? "rejected, and told so" : `withdrawn (${need.plan})`);
  else violate(`left open in ${n.state}`);
}
