import type { Store } from "../../store/store.ts";
import type { HistoryStore, NegotiationRecord } from "./history.ts";
import { decisionSchema, recordSchema } from "./history-schema.ts";

/** How long a negotiation is remembered, in milliseconds. */
const KEPT_MS = 30 * 24 * 3_600_000;

export interface StoreHistoryDeps {
  /** Where this user's own names begin. */
  store: Store;
}

/** One user's history in a store that replicas share. */
export function createStoreHistory({ store }: StoreHistoryDeps): HistoryStore {
  const get = (id: string) => store.get(`negotiation:${id}`, recordSchema);
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
    decision: (id) => store.get(`decision:${id}`, decisionSchema),
    async decide(id, wanted) {
      const { created, value } = await store.create(`decision:${id}`, wanted, KEPT_MS, decisionSchema);
      return { won: created, decision: value };
    },
    release: (id) => store.delete(`decision:${id}`),
  };
}
