import * as z from "zod";
import type { BrowserRecord, BrowserStore } from "../../session/known-browsers.ts";
import type { Store } from "../../store/store.ts";

const SET = "browsers";
/** Longer than any of its members: an id whose browser is gone is taken out when the set is read. */
const SET_KEPT_MS = 365 * 24 * 3_600_000;
const nameOf = (id: string): string => `browser:${id}`;

const browserRecord = z.looseObject({
  id: z.string(),
  name: z.string(),
  secret_hash: z.string(),
  at: z.number(),
  used_at: z.number(),
  code_hash: z.string().exactOptional(),
  key_hash: z.string().exactOptional(),
});

/** The browsers in which one user of an endpoint decides, where all replicas find them. Methods throw StoreUnreachable. */
export function createBrowserRecords(store: Store): BrowserStore {
  const get = (id: string) => store.get<BrowserRecord>(nameOf(id), browserRecord);
  return {
    get,
    async list() {
      const ids = await store.members(SET);
      const found = await Promise.all(ids.map(get));
      for (const id of ids.filter((_, index) => found[index] === undefined)) await store.removeMember(SET, id);
      return found.filter((record) => record !== undefined);
    },
    async put(record, keptMs) {
      await store.put(nameOf(record.id), record, keptMs);
      await store.addMember(SET, record.id, SET_KEPT_MS);
    },
    async touch(record, used_at, keptMs) {
      if (await store.replace(nameOf(record.id), record, { ...record, used_at }, keptMs))
        await store.addMember(SET, record.id, SET_KEPT_MS);
    },
    async remove(id) {
      await store.delete(nameOf(id));
      await store.removeMember(SET, id);
    },
  };
}
