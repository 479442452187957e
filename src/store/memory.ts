import type * as z from "zod";
import type { Clock } from "../clock.ts";
import { frozen } from "../frozen.ts";
import type { Store } from "./store.ts";

interface Entry {
  value: unknown;
  until: number;
}

/** How many writes may come before expired entries are dropped. */
const SWEEP_EVERY = 1_000;

/**
 * Keeps an object as JSON, as a shared store does, and as a frozen object once it has been read. Numbers and texts need no such
 * copy because they cannot change, and sets and hashes need none because they belong to the store.
 */
class Json {
  #text: string | undefined;
  #value: unknown;
  constructor(value: unknown) {
    this.#text = JSON.stringify(value);
  }
  get value(): unknown {
    if (this.#text !== undefined) this.#value = frozen(JSON.parse(this.#text));
    this.#text = undefined;
    return this.#value;
  }
}

const asStored = (value: unknown): unknown =>
  typeof value !== "object" || value === null || value instanceof Map || value instanceof Set ? value : new Json(value);
const fromStored = (value: unknown): unknown => (value instanceof Json ? value.value : value);

/**
 * Creates the store of one process. Values are copied on writing, as in a shared store, and returned values never
 * change.
 */
export function createMemoryStore(clock: Clock): Store {
  const entries = new Map<string, Entry>();
  const channels = new Map<string, Set<(message: unknown) => void>>();
  let writes = 0;

  const live = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    return entry !== undefined && entry.until > clock.monotonic() ? entry : undefined;
  };
  const write = (key: string, value: unknown, ttlMs: number): void => {
    entries.set(key, { value: asStored(value), until: clock.monotonic() + ttlMs });
    if (++writes < SWEEP_EVERY) return;
    writes = 0;
    for (const [name, { until }] of entries) if (until <= clock.monotonic()) entries.delete(name);
  };
  const read = <T>(key: string): T | undefined => fromStored(live(key)?.value) as T | undefined;

  const addMember = (set: string, member: string, ttlMs: number): void => {
    const current = live(set);
    if (current === undefined) {
      write(set, new Set([member]), ttlMs);
      return;
    }
    // The set is changed in place, because copying it for each member would take quadratic time.
    (current.value as Set<string>).add(member);
    current.until = clock.monotonic() + ttlMs;
  };
  const removeMember = (set: string, member: string): void => {
    (live(set)?.value as Set<string> | undefined)?.delete(member);
  };

  return {
    get: async (key) => read(key),
    getMany: async <T>(keys: readonly string[], _: z.ZodType<T>) => keys.map((key) => read<T>(key)),
    put: async (key, value, ttlMs) => write(key, value, ttlMs),
    async create(key, value, ttlMs) {
      const current = live(key);
      if (current !== undefined) return { created: false, value: fromStored(current.value) as typeof value };
      write(key, value, ttlMs);
      return { created: true, value };
    },
    async replace(key, current, value, ttlMs) {
      if (JSON.stringify(read(key)) !== JSON.stringify(current)) return false;
      write(key, value, ttlMs);
      return true;
    },
    async take(key) {
      const value = read<never>(key);
      entries.delete(key);
      return value;
    },
    async createField(key, field, value, { ttlMs, add, remove }) {
      const current = live(key);
      const fields = (current?.value as Map<string, unknown> | undefined) ?? new Map<string, unknown>();
      const created = !fields.has(field);
      if (created) fields.set(field, asStored(value));
      if (current === undefined) write(key, fields, ttlMs);
      else current.until = clock.monotonic() + ttlMs;
      for (const [set, member] of add) addMember(set, member, ttlMs);
      for (const [set, member] of remove) removeMember(set, member);
      return { created, value: fromStored(fields.get(field)) as typeof value };
    },
    async fields(key) {
      const fields = (live(key)?.value as Map<string, unknown> | undefined) ?? [];
      return Object.fromEntries([...fields].map(([name, value]) => [name, fromStored(value)]));
    },
    async delete(key) {
      entries.delete(key);
    },
    async increment(key, by, ttlMs) {
      const current = live(key);
      const sum = ((current?.value as number | undefined) ?? 0) + by;
      write(key, sum, current === undefined ? ttlMs : current.until - clock.monotonic());
      return sum;
    },
    addMember: async (set, member, ttlMs) => addMember(set, member, ttlMs),
    removeMember: async (set, member) => removeMember(set, member),
    members: async (set) => [...((live(set)?.value as Set<string> | undefined) ?? [])],
    async acquireLease(key, holder, ttlMs) {
      const current = live(key);
      if (current !== undefined && current.value !== holder) return false;
      write(key, holder, ttlMs);
      return true;
    },
    async releaseLease(key, holder) {
      if (live(key)?.value === holder) entries.delete(key);
    },
    async publish(channel, message) {
      for (const listener of [...(channels.get(channel) ?? [])]) listener(fromStored(asStored(message)));
    },
    subscribe(channel, listener) {
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && channels.get(channel) === listeners) channels.delete(channel);
      };
    },
    checkWritable: async () => {},
    close: async () => entries.clear(),
  };
}
