import { LRUCache } from "lru-cache";
import { type Clock, stopwatch } from "../clock.ts";
import { type Store, StoreUnreachable } from "./store.ts";

/**
 * How long a value is remembered, in milliseconds, which is longer than a demand waits for a decision. In this time changes by
 * other replicas stay unknown.
 */
const REMEMBERED_MS = 10 * 60_000;
/** The most values that are remembered. People use fewer browsers than this at one replica within that time. */
const MOST = 10_000;

/**
 * Wraps a store so that, while it is away, `get` and `getMany` return what was read a short time ago. People are then still
 * recognised, and a person's no is still sent (contract §10).
 */
export function remembered(store: Store, clock: Clock): Store {
  const read = new LRUCache<string, { value: unknown; ageMs: () => number }>({ max: MOST });
  /**
   * Wraps a write so that its value is no longer remembered. A new value is read afresh, and a deleted one no longer
   * counts even if the store refuses the deletion.
   */
  const afresh =
    <A extends [key: string, ...rest: unknown[]], T>(write: (...args: A) => T) =>
    (...args: A): T => {
      read.delete(args[0]);
      return write(...args);
    };
  return {
    ...store,
    put: afresh(store.put),
    replace: afresh(store.replace) as Store["replace"],
    delete: afresh(store.delete),
    async getMany<T>(...[keys, shape]: Parameters<Store["getMany"]>): Promise<(T | undefined)[]> {
      const ageMs = stopwatch(clock);
      const note = (key: string, value: unknown) =>
        value === undefined ? read.delete(key) : read.set(key, { value, ageMs });
      try {
        const values = await store.getMany(keys, shape);
        for (const [index, key] of keys.entries()) note(key, values[index]);
        return values as (T | undefined)[];
      } catch (error) {
        const last = keys.map((key) => read.get(key));
        const isKnown = last.every((one) => one !== undefined && one.ageMs() <= REMEMBERED_MS);
        if (!(error instanceof StoreUnreachable) || !isKnown) throw error;
        return last.map((one) => one?.value as T);
      }
    },
    async get<T>(...[key, shape, unread]: Parameters<Store["get"]>): Promise<T | undefined> {
      try {
        const ageMs = stopwatch(clock);
        const value = (await store.get(key, shape, unread)) as T | undefined;
        if (value === undefined) read.delete(key);
        else read.set(key, { value, ageMs });
        return value;
      } catch (error) {
        const last = read.get(key);
        if (!(error instanceof StoreUnreachable) || last === undefined || last.ageMs() > REMEMBERED_MS) throw error;
        return last.value as T;
      }
    },
  };
}
