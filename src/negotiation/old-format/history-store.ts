import type { Store } from "../../store/store.ts";
import type { Decision, HistoryStore, NegotiationRecord, SubmitAttempt } from "./history.ts";

/** How long a negotiation is remembered, in milliseconds. */
const KEPT_MS = 30 * 24 * 3_600_000;
/** As long as an identical submit is refused after a lost answer, with room to spare. */
const ATTEMPT_MS = 3_600_000;

export interface StoreHistoryDeps {
  /** Where this user's own names begin. */
  store: Store;
  hash: (text: string) => string;
}

/** One user's history in a store that replicas share. */
export function createStoreHistory({ store, hash }: StoreHistoryDeps): HistoryStore {
  const attemptOf = (key: string) => `attempt:${hash(key)}`; // it holds the demand's text
  const get = (id: string) => store.get<NegotiationRecord>(`negotiation:${id}`);
  async function listOf(index: string): Promise<NegotiationRecord[]> {
    const records = await Promise.all((await store.members(index)).map(get));
    return records.filter((r) => r !== undefined).sort((a, b) => b.submitted_at - a.submitted_at);
  }
  return {
    get,
    list: () => listOf("negotiations"),
    listOpen: async () => (await listOf("open")).filter((record) => record.ended === undefined),
    async put(record) {
      const { negotiation_id: id, ended } = record;
      await store.put(`negotiation:${id}`, record, KEPT_MS);
      if (ended !== undefined) return store.removeMember("open", id);
      await Promise.all([store.addMember("open", id, KEPT_MS), store.addMember("negotiations", id, KEPT_MS)]);
    },
    decision: (id) => store.get<Decision>(`decision:${id}`),
    async decide(id, wanted) {
      const { created, value } = await store.create(`decision:${id}`, wanted, KEPT_MS);
      return { won: created, decision: value };
    },
    release: (id) => store.delete(`decision:${id}`),
    async beginAttempt(key, attempt, over) {
      if (over !== undefined && (await store.replace(attemptOf(key), over, attempt, ATTEMPT_MS))) return undefined;
      const { created, value } = await store.create<SubmitAttempt>(attemptOf(key), attempt, ATTEMPT_MS);
      return created ? undefined : value;
    },
    putAttempt: (key, value) => store.put(attemptOf(key), value, ATTEMPT_MS),
    settleAttempt: (key, value) => store.put(attemptOf(key), value, ATTEMPT_MS),
    dropAttempt: (key) => store.delete(attemptOf(key)),
  };
}
