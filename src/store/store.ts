import type * as z from "zod";
import { TowowError } from "../errors.ts";

/**
 * Holds state that outlives a call and that the replicas of one endpoint share. Every value has a lifetime, in milliseconds, so
 * that nothing stays forever. Values are plain JSON. This is the smallest interface that has an atomic "create", which the one
 * decision needs, a lease and a channel. Keyv, the usual choice, has none of them. Do not change what a store returns, because
 * the same object may be returned again. Anybody who reaches a shared server may write to it, so each reader gives the shape of
 * its value, and a value of another shape counts as absent.
 */
export interface Store {
  /**
   * Returns a value, or undefined if there is none. `unread` is returned for a value that exists but cannot be read.
   */
  get<T>(key: string, shape: z.ZodType<T>, unread?: T): Promise<T | undefined>;
  /** Returns several values of one shape, in the order of the keys. */
  getMany<T>(keys: readonly string[], shape: z.ZodType<T>): Promise<(T | undefined)[]>;
  put(key: string, value: unknown, ttlMs: number): Promise<void>;
  /** Writes a value unless a value of that shape exists, with one winner among all replicas. Returns what is stored now. */
  create<T>(key: string, value: T, ttlMs: number, shape: z.ZodType<T>): Promise<{ created: boolean; value: T }>;
  /** Replaces exactly the value that was read. Returns false if another caller has written since. */
  replace<T>(key: string, current: T, value: T, ttlMs: number): Promise<boolean>;
  /** Reads and removes a value, so that it works only once. */
  take<T>(key: string, shape: z.ZodType<T>): Promise<T | undefined>;
  /**
   * Writes a field of a hash unless a field of that name exists, and adds to or removes from sets of members in the same step.
   * The lifetimes of the hash and the sets begin anew. Returns what is stored now, or undefined if it cannot be read.
   */
  createField(key: string, field: string, value: unknown, options: FieldOptions): Promise<Created>;
  /** Returns all fields of a hash. A field that cannot be read is undefined. */
  fields(key: string): Promise<Record<string, unknown>>;
  delete(key: string): Promise<void>;
  /** Adds to a counter and returns the sum. The lifetime starts with the first addition. */
  increment(key: string, by: number, ttlMs: number): Promise<number>;
  addMember(set: string, member: string, ttlMs: number): Promise<void>;
  removeMember(set: string, member: string): Promise<void>;
  members(set: string): Promise<string[]>;
  /** Takes a lease, or keeps it if it is already this holder's. Returns false while another holder has it. */
  acquireLease(key: string, holder: string, ttlMs: number): Promise<boolean>;
  releaseLease(key: string, holder: string): Promise<void>;
  publish(channel: string, message: unknown): Promise<void>;
  /** Calls `listener` with each message, in order, until the returned function is called. */
  subscribe(channel: string, listener: (message: unknown) => void): () => void;
  /** Checks that writes succeed, because a full or read-only store still answers. @throws StoreUnreachable */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}

interface Created {
  created: boolean;
  value: unknown;
}

export interface FieldOptions {
  ttlMs: number;
  /** Pairs of set and member. */
  add: readonly (readonly [string, string])[];
  remove: readonly (readonly [string, string])[];
}

/** Thrown if the shared store does not answer. */
export class StoreUnreachable extends TowowError {
  readonly code = "tool.config.unavailable.store";
}

/** Wraps a store with a prefix before every name, so that only one user's part can be reached. */
export function scoped(store: Store, prefix: string): Store {
  const at = (name: string) => `${prefix}${name}`;
  return {
    get: (key, shape, unread) => store.get(at(key), shape, unread),
    getMany: (keys, shape) => store.getMany(keys.map(at), shape),
    put: (key, value, ttlMs) => store.put(at(key), value, ttlMs),
    create: (key, value, ttlMs, shape) => store.create(at(key), value, ttlMs, shape),
    replace: (key, current, value, ttlMs) => store.replace(at(key), current, value, ttlMs),
    take: (key, shape) => store.take(at(key), shape),
    createField(key, field, value, { ttlMs, add, remove }) {
      const within = ([set, member]: readonly [string, string]) => [at(set), member] as const;
      return store.createField(at(key), field, value, { ttlMs, add: add.map(within), remove: remove.map(within) });
    },
    fields: (key) => store.fields(at(key)),
    delete: (key) => store.delete(at(key)),
    increment: (key, by, ttlMs) => store.increment(at(key), by, ttlMs),
    addMember: (set, member, ttlMs) => store.addMember(at(set), member, ttlMs),
    removeMember: (set, member) => store.removeMember(at(set), member),
    members: (set) => store.members(at(set)),
    acquireLease: (key, holder, ttlMs) => store.acquireLease(at(key), holder, ttlMs),
    releaseLease: (key, holder) => store.releaseLease(at(key), holder),
    publish: (channel, message) => store.publish(at(channel), message),
    subscribe: (channel, listener) => store.subscribe(at(channel), listener),
    checkWritable: () => store.checkWritable(),
    close: async () => {}, // The code that made the store closes it.
  };
}

/** The most tries of one change, which is far more than the calls that change one value at the same time. */
const MAX_TRIES = 100;

/** Changes a value so that no other change comes in between. Returns the old and the new value. */
export async function changeIn<T>(
  store: Store,
  key: string,
  { shape, ttlMs }: { shape: z.ZodType<T>; ttlMs: number },
  change: (current: T | undefined) => T,
): Promise<{ from: T | undefined; to: T }> {
  for (let tries = 1; ; tries++) {
    const from = await store.get(key, shape);
    const to = change(from);
    // After so many tries the value is deleted, because a value that this program did not write would never be replaced.
    if (tries > MAX_TRIES) await store.delete(key);
    const isWritten =
      from === undefined || tries > MAX_TRIES
        ? (await store.create(key, to, ttlMs, shape)).created
        : await store.replace(key, from, to, ttlMs);
    if (isWritten) return { from, to };
  }
}
