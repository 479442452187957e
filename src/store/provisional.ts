import type { TowowError } from "../errors.ts";
import type { Store } from "./store.ts";

/** The store of a user whose token the backend has not accepted yet. Its content is deleted if the token never is. */
export interface Provisional {
  store: Store;
  /** Keeps everything that was written, and lifts the limits from now on. */
  keep(): void;
  /** Deletes everything that was written and would still exist. Does nothing once the store is kept. */
  drop(): Promise<void>;
}

/** Values that live no longer than this, in milliseconds, expire soon enough by themselves. */
const SHORT_MS = 30_000;

/**
 * Wraps a store. Until the store is kept, at most `most` names can be written, and all of them can be deleted again. Writing
 * more names throws the error that `full` returns.
 */
export function provisional(store: Store, most: number, full: () => TowowError): Provisional {
  let written: Set<string> | undefined = new Set();
  const fields = new Set<string>();
  const note = (key: string, ttlMs: number): void => {
    if (written === undefined || ttlMs <= SHORT_MS || written.has(key)) return;
    if (written.size >= most) throw full();
    written.add(key);
  };
  /** Notes a field of a hash. The fields are limited too, because a hash is one name but could grow without end. */
  const noteField = (key: string, field: string, ttlMs: number): void => {
    note(key, ttlMs);
    const name = JSON.stringify([key, field]);
    if (written === undefined || fields.has(name)) return;
    if (fields.size >= most) throw full();
    fields.add(name);
  };
  return {
    keep() {
      written = undefined;
      fields.clear();
    },
    async drop() {
      const keys = [...(written ?? [])];
      written?.clear();
      await Promise.allSettled(keys.map((key) => store.delete(key)));
    },
    store: {
      ...store,
      async put(key, value, ttlMs) {
        note(key, ttlMs);
        await store.put(key, value, ttlMs);
      },
      async create(key, value, ttlMs, shape) {
        note(key, ttlMs);
        return store.create(key, value, ttlMs, shape);
      },
      async replace(key, current, value, ttlMs) {
        note(key, ttlMs);
        return store.replace(key, current, value, ttlMs);
      },
      async createField(key, field, value, options) {
        noteField(key, field, options.ttlMs);
        for (const [set] of options.add) note(set, options.ttlMs);
        return store.createField(key, field, value, options);
      },
      async increment(key, by, ttlMs) {
        note(key, ttlMs);
        return store.increment(key, by, ttlMs);
      },
      async addMember(set, member, ttlMs) {
        note(set, ttlMs);
        await store.addMember(set, member, ttlMs);
      },
      async acquireLease(key, holder, ttlMs) {
        note(key, ttlMs);
        return store.acquireLease(key, holder, ttlMs);
      },
    },
  };
}
