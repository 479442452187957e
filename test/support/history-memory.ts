import type {
  Decision,
  HistoryStore,
  NegotiationRecord,
  SubmitAttempt,
} from "../../src/negotiation/old-format/history.ts";

/** A history in memory, so that tests on a manual clock wait for no disk. */
export function createMemoryHistory(): HistoryStore {
  const records = new Map<string, NegotiationRecord>();
  const decisions = new Map<string, Decision>();
  const attempts = new Map<string, SubmitAttempt>();
  return {
    get: async (id) => records.get(id),
    list: async () => [...records.values()].sort((a, b) => b.submitted_at - a.submitted_at),
    listOpen: async () => [...records.values()].filter((r) => r.ended === undefined).reverse(),
    put: async (record) => void records.set(record.negotiation_id, record),
    decision: async (id) => decisions.get(id),
    async decide(id, wanted) {
      const current = decisions.get(id);
      if (current !== undefined) return { won: false, decision: current };
      decisions.set(id, wanted);
      return { won: true, decision: wanted };
    },
    release: async (id) => void decisions.delete(id),
    async beginAttempt(key, attempt, over) {
      const current = attempts.get(key);
      if (current !== undefined && current !== over) return current;
      attempts.set(key, attempt);
      return undefined;
    },
    settleAttempt: async (key) => void attempts.delete(key),
    putAttempt: async (key, attempt) => void attempts.set(key, attempt),
    dropAttempt: async (key) => void attempts.delete(key),
  };
}
