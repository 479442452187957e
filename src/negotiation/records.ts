import {
  type FactStore,
  type Facts,
  factName,
  factsOf,
  type NegotiationKey,
  type Outcome,
  type Owner,
} from "./facts.ts";
import { TIMES } from "./plan/times.ts";
import { type Decision, lastOutcome, reduce, type Stage } from "./stage.ts";

/** How it can end, from this user's side. */
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

/** One negotiation of a list, as it is written down: what the backend shows may be further. Times in ms since the epoch. */
export interface Listed {
  negotiation_id: string;
  origin: string;
  scene_id?: string;
  submitted_at: number;
  /** When the backend would confirm by itself; absent for negotiations that others submitted. */
  deadline_at?: number;
  /** The program that answers for it. */
  owner?: Owner;
  stage: Stage["name"];
  decision?: Decision;
  ended?: { at: number; as: Ending };
}

/** How it ended, from this user's side. */
function endingOf(kind: string, decision: string | undefined): Ending {
  if (kind === "confirmed") return "confirmed";
  if (kind === "moved") return "auto_confirmed";
  if (kind === "ended") return "completed";
  if (kind === "not_found") return "gone";
  return decision === "reject" ? "rejected" : decision === "cancel" ? "cancelled" : "withdrawn";
}

/** One negotiation as its facts say it. */
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

/** What happened without a result that said so, and has not been said since. */
function unreportedNotes(facts: Facts): { name: string; code: string }[] {
  const notes: { name: string; code: string }[] = [];
  for (const [number, outcome] of facts.outcomes)
    if (outcome.owed && !isLostEdit(facts, outcome))
      notes.push({ name: factName.outcome(number), code: endingOf(outcome.kind, facts.decided[number - 1]?.kind) });
  for (const [index, fact] of facts.watched.entries())
    if (fact?.decisions === 0 && fact.handed === undefined)
      notes.push({ name: factName.watched(index + 1), code: "pause_was_unguarded" });
  for (const [number, { why }] of facts.undone)
    if (why === "edit_lost") notes.push({ name: factName.undone(number), code: why });
  return notes.filter(({ name }) => !facts.reported.has(name));
}

/** The text of an edit that counted as lost went out after all: its request was still on its way. */
const isLostEdit = ({ decided, undone }: Facts, { kind, text_hash }: Outcome): boolean =>
  kind === "moved" &&
  decided.some((fact, index) => fact?.kind === "edit" && fact.text_hash === text_hash && undone.has(index + 1));

/** Whether anything is written that can be read. */
export const isKnown = ({ submitted, asked, decided }: Facts): boolean =>
  submitted !== undefined || asked.length > 0 || decided.some((fact) => fact !== undefined);

/** All negotiations of this user, newest first. One whose facts cannot be read must not hide all the others. */
export async function listRecords(store: FactStore): Promise<Listed[]> {
  const found = await Promise.all(
    (await store.list()).map(async (key) => {
      const facts = await store.read(key).then(factsOf, () => undefined);
      return facts !== undefined && isKnown(facts) ? recordOf(key, facts) : undefined;
    }),
  );
  return found.filter((record) => record !== undefined).sort((a, b) => b.submitted_at - a.submitted_at);
}

/**
 * Whether no end of it is written down, and it is younger than a day: what is older waits for nobody any more, also where
 * no program wrote down how it ended. `now`: ms since the epoch.
 */
export const isOpen = ({ ended, submitted_at }: Listed, now: number): boolean =>
  ended === undefined && now - submitted_at < TIMES.givenUpAfterMs;

/** The first of these, newest first, that is open. */
export const newestOpen = (records: readonly Listed[], now: number): Listed | undefined =>
  records.find((record) => isOpen(record, now));

/** What is still owed to the person, written down as reported: of all programs one gets it. `at`: ms since the epoch. */
export async function takeOwed(owing: {
  store: FactStore;
  key: NegotiationKey;
  facts: Facts;
  /** It still waits for a decision, and a running program watches its deadline. */
  isWatched: boolean;
  at: number;
}): Promise<string[]> {
  const { store, key, facts, isWatched, at } = owing;
  const owed = unreportedNotes(facts).filter(({ code }) => code !== "pause_was_unguarded" || isWatched);
  const taken = await Promise.allSettled(owed.map(({ name }) => store.create(key, factName.reported(name), { at })));
  return owed.flatMap(({ code }, index) => {
    const result = taken[index];
    return result?.status === "fulfilled" && result.value.created ? [code] : []; // what cannot be written is owed still
  });
}

/** Those of one backend. That one was completed is the backend's to say and stands in no fact: `isFinished` knows. */
export async function ownRecords(
  { facts, origin }: { facts: FactStore; origin: string },
  isFinished: (id: string) => boolean,
): Promise<Listed[]> {
  const own = (await listRecords(facts)).filter((record) => record.origin === origin);
  return own.map((record) => (isFinished(record.negotiation_id) ? { ...record, stage: "over" } : record));
}
