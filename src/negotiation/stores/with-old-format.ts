import { isAttemptsId } from "../attempt-ids.ts";
import {
  type Created,
  type Entries,
  type FactStore,
  factName,
  isSameDecision,
  type NegotiationKey,
  type Outcome,
  revocable,
} from "../facts.ts";
import type { NegotiationRecord, OldDecision } from "../old-format/history.ts";
import { createFileHistory, type FileHistory, type FileHistoryDeps } from "../old-format/history-files.ts";
import { createStoreHistory } from "../old-format/history-store.ts";
import { decidedFactOf, oldFactsOf } from "../old-format/old-facts.ts";
import { endingOf } from "../records.ts";
import { createFactFiles, type HomeFacts, type HomeFactsDeps } from "./home-facts.ts";
import { createSharedFacts, type SharedFactsDeps } from "./shared-facts.ts";

/**
 * A negotiation that version 0.1 began keeps its record and its decision there to its end, because a program of that
 * version may still be running: it must find the first decision, and what became of it. It deletes the file of a
 * decision that it takes back, also of one that it took over from a program of this version.
 */
function withOldFormat(store: FactStore, old: FileHistory): FactStore {
  /** Those that were begun in the new format: their old record is not looked for again. */
  const begunHere = new Set<string>();

  const nameOf = ({ origin, id }: NegotiationKey) => `${origin} ${id}`;
  const isNew = (key: NegotiationKey) => begunHere.has(nameOf(key)) || isAttemptsId(key.id);

  async function recordOf(key: NegotiationKey): Promise<NegotiationRecord | undefined> {
    if (isNew(key)) return undefined;
    const { origin, id } = key;
    const record = await old.at(origin).get(id);
    return record?.origin === origin ? record : undefined;
  }

  async function readBoth(key: NegotiationKey): Promise<Entries> {
    const entries = await store.read(key);
    if (entries.get(factName.submitted) !== undefined) begunHere.add(nameOf(key));
    if (isNew(key)) return entries;
    const record = await recordOf(key);
    if (record === undefined) return entries;
    const decision = await old.at(key.origin).decision(key.id);
    const lost = [...takenBack(entries, decision)].map(([name, undone]) => [name, revocable(undone)] as const);
    return new Map([...oldFactsOf(record, decision, slotOf(entries, decision)), ...lost, ...entries]);
  }

  /** What an old program looks at is written first, so that of both versions one wins. */
  async function decide(record: NegotiationRecord, value: unknown): Promise<Created | undefined> {
    const { origin, negotiation_id: id } = record;
    const history = old.at(origin);
    for (let tries = 0; ; tries++) {
      const { won, decision } = await history.decide(id, value as OldDecision);
      if (won) return undefined;
      const isRead = (await history.decision(id)) !== undefined;
      const current = decidedFactOf(record, decision);
      if (isRead) return { created: false, current: revocable(current) };
      // Taken back in between, it is tried again; a file that nobody can read is never taken back, and is passed over.
      if (tries > 0) return { created: false, current };
    }
  }

  /** The file goes, and its decision keeps its number. */
  async function release(record: NegotiationRecord, slot: number): Promise<void> {
    const { origin, negotiation_id: id } = record;
    const decision = await old.at(origin).decision(id);
    if (decision === undefined) return;
    const fact = decidedFactOf(record, decision);
    const current = (await store.create({ origin, id }, factName.decided(slot), fact)).current as Partial<OldDecision>;
    // Taken back before, it may have made room for another one, which stands.
    if (isSameDecision(current, decision)) await old.at(origin).release(id);
  }

  return {
    read: (key) => (isNew(key) ? store.read(key) : readBoth(key)),
    async create(key, name, value, index) {
      if (name === factName.submitted) begunHere.add(nameOf(key));
      const record = await recordOf(key);
      if (record === undefined) return store.create(key, name, value, index);
      const entries = await store.read(key);
      const standing = await old.at(key.origin).decision(key.id);
      const slot = slotOf(entries, standing);
      const isOldToo = name === factName.decided(slot);
      const lost = isOldToo ? await decide(record, value) : undefined;
      if (lost !== undefined) return lost;
      if (isOldToo) for (const [undone, why] of takenBack(entries, standing)) await store.create(key, undone, why);
      if (name === factName.undone(slot)) await release(record, slot);
      const result = await store.create(key, name, isOldToo ? inOldFile(value as object) : value, index);
      const as = name.startsWith("outcome.")
        ? endingOf((value as Outcome).kind, (await old.at(key.origin).decision(key.id))?.kind)
        : undefined;
      if (as !== undefined) await old.at(key.origin).put({ ...record, ended: { at: (value as Outcome).at, as } });
      return result;
    },
    close: (key) => store.close(key),
    listOpen: async () => merged(await store.listOpen(), await old.listOpen()),
    list: async () => merged(await store.list(), await old.list()),
  };
}

/** The facts of a home, whichever version began a negotiation. */
export function createHomeFacts(deps: HomeFactsDeps & FileHistoryDeps): HomeFacts {
  const files = createFactFiles(deps);
  return { ...withOldFormat(files, createFileHistory(deps)), listDemands: files.listDemands };
}

/** One user's facts in a store that replicas of both versions may share. */
export function createReplicaFacts(deps: SharedFactsDeps): FactStore {
  const old = createStoreHistory(deps);
  return withOldFormat(createSharedFacts(deps), { at: () => old, list: old.list, listOpen: old.listOpen });
}

function merged(keys: NegotiationKey[], records: NegotiationRecord[]): NegotiationKey[] {
  if (records.length === 0) return keys;
  const known = new Set(keys.map(({ origin, id }) => `${origin} ${id}`));
  const more = records.map(({ origin, negotiation_id: id }) => ({ origin, id }));
  return [...keys, ...more.filter(({ origin, id }) => !known.has(`${origin} ${id}`))];
}

/** The number of the decision that the old file holds, or would: the first that was not taken back. */
function slotOf(entries: Entries, standing: OldDecision | undefined): number {
  return firstStanding(entries) + takenBack(entries, standing).size;
}

function firstStanding(entries: Entries): number {
  let number = 1;
  while (entries.has(factName.undone(number))) number++;
  return number;
}

/** Marks a decision that was written to the old file as well. */
const inOldFile = <T extends object>(value: T) => ({ ...value, is_in_old_file: true });

/** What a program of version 0.1 took back, of a decision that is written here: the old file holds it no more. */
function takenBack(entries: Entries, standing: OldDecision | undefined): Map<string, object> {
  const number = firstStanding(entries);
  const written = entries.get(factName.decided(number)) as (OldDecision & { is_in_old_file?: true }) | undefined;
  if (written?.is_in_old_file === undefined || isSameDecision(written, standing)) return new Map();
  return new Map([[factName.undone(number), { at: written.at, why: "no_effect" }]]);
}
