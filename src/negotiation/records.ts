import {
  type FactStore,
  type Facts,
  factName,
  factsOf,
  type NegotiationKey,
  type Outcome,
  type Owner,
} from "./facts.ts";
import { TIMES } from "./plan.ts";
import { type Decision, lastOutcome, reduce, type Stage } from "./stage.ts";

/** The ways in which a negotiation can end, from this user's side. */
export const ENDINGS = [
  "confirmed",
  "rejected",
  "cancelled",
  "withdrawn",
  "auto_confirmed",
  "completed",
  "gone",
] as const;
type Ending = (typeof ENDINGS)[number];

/**
 * One negotiation of a list, as it is written down. The backend may show a later state. Times are in ms since the
 * epoch.
 */
export interface Listed {
  negotiation_id: string;
  origin: string;
  scene_id?: string;
  submitted_at: number;
  /** When the backend would confirm by itself. The field is absent for a demand that others submitted. */
  deadline_at?: number;
  owner?: Owner;
  stage: Stage["name"];
  decision?: Decision;
  ended?: { at: number; as: Ending };
}

function endingOf(kind: string, decision: string | undefined): Ending {
  if (kind === "confirmed") return "confirmed";
  if (kind === "moved") return "auto_confirmed";
  if (kind === "ended") return "completed";
  if (kind === "not_found") return "gone";
  return decision === "reject" ? "rejected" : decision === "cancel" ? "cancelled" : "withdrawn";
}

/** Returns the record of one negotiation, from its facts. */
export function recordOf(key: NegotiationKey, facts: Facts): Listed {
  const { submitted } = facts;
  const { name: stage, deadlineAt, owner, decision } = reduce(facts);
  const outcome = lastOutcome(facts);
  return {
    negotiation_id: key.id,
    origin: key.origin,
    stage,
    ...(submitted?.scene_id && { scene_id: submitted.scene_id }),
    submitted_at: submitted?.at ?? facts.asked[0]?.at ?? facts.decided[0]?.at ?? 0,
    ...(deadlineAt !== undefined && { deadline_at: deadlineAt }),
    ...(owner && { owner }),
    ...(decision && { decision }),
    ...(outcome && { ended: { at: outcome.at, as: endingOf(outcome.kind, decision?.kind) } }),
  };
}

/** Lists what happened to the negotiation that no result has reported to the person yet. */
function unreportedNotes(facts: Facts): { name: string; code: string }[] {
  const notes: { name: string; code: string }[] = [];
  for (const [number, outcome] of facts.outcomes)
    if (outcome.owed && !isLostEdit(facts, outcome))
      notes.push({ name: factName.outcome(number), code: endingOf(outcome.kind, facts.decided[number - 1]?.kind) });
  for (const [index, fact] of facts.adopted.entries())
    if (fact?.decisions === 0 && fact.handed === undefined)
      notes.push({ name: factName.adopted(index + 1), code: "pause_was_unguarded" });
  return notes.filter(({ name }) => !facts.reported.has(name));
}

/**
 * Returns whether the text of an edit that counted as lost went out after all, because its request was still on its
 * way.
 */
const isLostEdit = ({ decided, undone }: Facts, { kind, text_hash }: Outcome): boolean =>
  kind === "moved" &&
  decided.some((fact, index) => fact?.kind === "edit" && fact.text_hash === text_hash && undone.has(index + 1));

/** Returns whether anything readable is written about the negotiation. */
export const isKnown = ({ submitted, asked, decided }: Facts): boolean =>
  submitted !== undefined || asked.length > 0 || decided.some((fact) => fact !== undefined);

/** Selects negotiations. If nothing is set, all are selected. */
export interface Wanted {
  origin?: string;
  id?: string;
  /**
   * The number of newest negotiations to select. Negotiations that were submitted since `since`, in ms since the epoch,
   * are selected too.
   */
  count?: number;
  since?: number;
  /** Returns whether a record is selected. Records that are not selected do not use up `count`. */
  fits?: (record: Listed) => boolean;
}

export type OwnWanted = Omit<Wanted, "origin">;

/** The negotiations that were found. `written` counts every negotiation that is written down, selected or not. */
export interface Found {
  records: Listed[];
  written: number;
}

const READ_AT_ONCE = 50;
/** How far a file system's clock may be behind the program's, in milliseconds. */
const CLOCKS_APART_MS = 2_000;

/**
 * Lists this user's negotiations, newest first. A negotiation with unreadable facts is left out, so that the others are
 * still listed. Reading begins with the most recently written ones, and stops once all others must be older than what
 * is selected.
 */
export async function listRecords(store: FactStore, wanted?: Wanted): Promise<Listed[]> {
  return (await findRecords(store, wanted)).records;
}

/**
 * Lists the negotiations with the number that is written down for that origin and id. Unread ones are counted by their
 * names.
 */
async function findRecords(
  store: FactStore,
  { count = Number.POSITIVE_INFINITY, since = Number.POSITIVE_INFINITY, fits = () => true, ...about }: Wanted = {},
): Promise<Found> {
  const keys = await store.list(about);
  let found: Listed[] = [];
  let written = keys.length;
  for (let from = 0; from < keys.length; from += READ_AT_ONCE) {
    const newestLeft = (keys[from]?.writtenAt ?? 0) + CLOCKS_APART_MS;
    const oldestWanted = count === 0 ? since : Math.min(since, found[count - 1]?.submitted_at ?? 0);
    if (from > 0 && newestLeft < oldestWanted) break;
    const some = keys.slice(from, from + READ_AT_ONCE);
    const read = (await Promise.all(some.map((key) => readRecord(store, key)))).filter((it) => it !== undefined);
    written -= some.length - read.length;
    found = [...found, ...read.filter(fits)]
      .sort(newestFirst)
      .filter((record, index) => index < count || record.submitted_at >= since);
  }
  return { records: found, written };
}

async function readRecord(store: FactStore, key: NegotiationKey): Promise<Listed | undefined> {
  const facts = await store.read(key).then(factsOf, () => undefined);
  return facts !== undefined && isKnown(facts) ? recordOf(key, facts) : undefined;
}

const newestFirst = (a: Listed, b: Listed): number =>
  b.submitted_at - a.submitted_at || (a.negotiation_id < b.negotiation_id ? 1 : -1);

/**
 * Returns whether no end is written down and the negotiation is younger than a day. An older one no longer waits for
 * anybody, even if no program wrote its end. `now` is in ms since the epoch.
 */
export const isOpen = ({ ended, submitted_at }: Listed, now: number): boolean =>
  ended === undefined && submitted_at > openSince(now);

/** Returns the time before which nothing that was submitted can still be open, in ms since the epoch. */
export const openSince = (now: number): number => now - TIMES.givenUpAfterMs;

/** Returns the first open record. The records must be sorted with the newest first. */
export const newestOpen = (records: readonly Listed[], now: number): Listed | undefined =>
  records.find((record) => isOpen(record, now));

/**
 * Returns the codes of the notes that no result has given the person yet. Each is first recorded as reported, so that
 * only one program reports it. `at` is in ms since the epoch.
 */
export async function takeOwed(owing: {
  store: FactStore;
  key: NegotiationKey;
  facts: Facts;
  /** True if the negotiation still waits for a decision and a running program guards its deadline. */
  isGuarded: boolean;
  at: number;
}): Promise<string[]> {
  const { store, key, facts, isGuarded, at } = owing;
  const owed = unreportedNotes(facts).filter(({ code }) => code !== "pause_was_unguarded" || isGuarded);
  const taken = await Promise.allSettled(owed.map(({ name }) => store.create(key, factName.reported(name), { at })));
  return owed.flatMap(({ code }, index) => {
    const result = taken[index];
    // An outcome that cannot be written as reported stays owed.
    return result?.status === "fulfilled" && result.value.created ? [code] : [];
  });
}

/**
 * Lists the negotiations of one backend. The facts do not say that a broadcast negotiation was completed, because only
 * the backend shows that, so `isFinished` is asked.
 */
export async function ownRecords(
  { facts, origin }: { facts: FactStore; origin: string },
  isFinished: (id: string) => boolean,
  { fits = () => true, ...wanted }: OwnWanted = {},
): Promise<Found> {
  const told = (one: Listed): Listed => (isFinished(one.negotiation_id) ? { ...one, stage: "over" } : one);
  const { records, written } = await findRecords(facts, { ...wanted, origin, fits: (one) => fits(told(one)) });
  return { records: records.map(told), written };
}
