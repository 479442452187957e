import { Redis } from "ioredis";
import type * as z from "zod";
import { excessOf, jsonIn } from "../json.ts";
import { failureOf, type Log } from "../log.ts";
import { type FieldOptions, type Store, StoreUnreachable } from "./store.ts";

export interface RedisStoreDeps {
  /** The address, `redis://…` or `rediss://…`. A password in it is never logged. */
  url: string;
  log: Log;
  /** The time limit of one command, in milliseconds. */
  commandTimeoutMs?: number;
}

/** The longest text that is parsed, in UTF-16 units. The longest kept result is shorter. */
const MAX_LENGTH = 1_500_000;
/** The most depth and the most values of a text that is parsed. Nothing that is kept has as many. */
const MOST = { depth: 200, values: 200_000 };
const TRIES = 3;

const PREFIX = "towow:";
const WRITTEN_MS = 1_000;
/** Takes the lease if it is free or already this holder's, and renews it, in one step. */
const ACQUIRE_LEASE = `local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return 1`;
const REPLACE = `if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2], 'px', ARGV[3])
return 1`;
const LET_GO = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;
const INCREMENT = `local before = redis.call('get', KEYS[1])
if before and not (#before < 16 and string.match(before, '^%-?%d+$')) then redis.call('del', KEYS[1]) end
local sum = redis.call('incrby', KEYS[1], ARGV[1])
if sum == tonumber(ARGV[1]) then redis.call('pexpire', KEYS[1], ARGV[2]) end
return sum`;
const CREATE = `if redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2], 'nx') then return false end
return redis.call('get', KEYS[1])`;
/**
 * KEYS: the hash, then the sets. ARGV: the field, its value, the lifetime, the number of sets that gain their member,
 * then the members.
 */
const CREATE_FIELD = `local created = redis.call('hsetnx', KEYS[1], ARGV[1], ARGV[2])
redis.call('pexpire', KEYS[1], ARGV[3])
for i = 2, #KEYS do
  if i - 1 <= tonumber(ARGV[4]) then
    redis.call('sadd', KEYS[i], ARGV[3 + i])
    redis.call('pexpire', KEYS[i], ARGV[3])
  else
    redis.call('srem', KEYS[i], ARGV[3 + i])
  end
end
if created == 1 then return false end
return redis.call('hget', KEYS[1], ARGV[1])`;

const at = (key: string) => PREFIX + key;
const px = (ttlMs: number) => Math.max(1, Math.ceil(ttlMs));

/**
 * Creates a store in Redis or Valkey, which reconnects by itself. While the server is away every command fails at once or
 * within its timeout, and nothing is queued, because a late write of an old answer would be worse than a clear error.
 * @throws StoreUnreachable if there is no server at the start
 */
export async function createRedisStore({ url, log, commandTimeoutMs = 2_000 }: RedisStoreDeps): Promise<Store> {
  const { commands, feed } = await connect(url, log, commandTimeoutMs);
  const { jsonOf, readAs } = readerOf(log);
  const channels = new Channels(feed, jsonOf);
  return {
    get: (key, shape, unread) => run(async () => readAs(await commands.get(at(key)), shape, unread)),
    getMany: (keys, shape) => run(async () => (await commands.mget(keys.map(at))).map((text) => readAs(text, shape))),
    async put(key, value, ttlMs) {
      await run(() => commands.set(at(key), JSON.stringify(value), "PX", px(ttlMs)));
    },
    create: <T>(key: string, value: T, ttlMs: number, shape: z.ZodType<T>) =>
      run(async () => {
        const written = [JSON.stringify(value), px(ttlMs)] as const;
        for (let tries = 0; tries < TRIES; tries++) {
          const text = (await commands.eval(CREATE, 1, at(key), ...written)) as string | null;
          if (text === null) return { created: true, value };
          const current = readAs(text, shape);
          if (current !== undefined) return { created: false, value: current };
          // An unreadable value is replaced, because it would otherwise be in the way forever.
          if ((await commands.eval(REPLACE, 1, at(key), text, ...written)) === 1) return { created: true, value };
        }
        throw new Error("somebody writes what cannot be read, again and again");
      }),
    replace: (key, current, value, ttlMs) =>
      run(async () => {
        const [from, to] = [JSON.stringify(current), JSON.stringify(value)];
        return (await commands.eval(REPLACE, 1, at(key), from, to, px(ttlMs))) === 1;
      }),
    take: (key, shape) => run(async () => readAs(await commands.getdel(at(key)), shape)),
    createField: (key: string, field: string, value: unknown, { ttlMs, add, remove }: FieldOptions) =>
      run(async () => {
        const sets = [...add, ...remove];
        const keys = [at(key), ...sets.map(([set]) => at(set))];
        const members = sets.map(([, member]) => member);
        const words = [field, JSON.stringify(value), px(ttlMs), add.length, ...members];
        const current = (await commands.eval(CREATE_FIELD, keys.length, ...keys, ...words)) as string | null;
        return current === null ? { created: true, value } : { created: false, value: jsonOf(current) };
      }),
    fields: (key) =>
      run(async () => {
        const fields = Object.entries(await commands.hgetall(at(key)));
        return Object.fromEntries(fields.map(([name, text]) => [name, jsonOf(text)]));
      }),
    async delete(key) {
      await run(() => commands.del(at(key)));
    },
    increment: (key, by, ttlMs) =>
      run(async () => Number(await commands.eval(INCREMENT, 1, at(key), Math.trunc(by), px(ttlMs)))),
    async addMember(set, member, ttlMs) {
      await run(() => commands.multi().sadd(at(set), member).pexpire(at(set), px(ttlMs)).exec());
    },
    async removeMember(set, member) {
      await run(() => commands.srem(at(set), member));
    },
    members: (set) => run(() => commands.smembers(at(set))),
    acquireLease: (key, holder, ttlMs) =>
      run(async () => (await commands.eval(ACQUIRE_LEASE, 1, at(key), holder, px(ttlMs))) === 1),
    async releaseLease(key, holder) {
      await run(() => commands.eval(LET_GO, 1, at(key), holder));
    },
    async publish(channel, message) {
      await run(() => commands.publish(at(channel), JSON.stringify(message)));
    },
    subscribe: (channel, listener) => channels.subscribe(at(channel), listener),
    async checkWritable() {
      await run(() => commands.set(at("writable"), 1, "PX", WRITTEN_MS));
    },
    async close() {
      commands.disconnect();
      feed.disconnect();
    },
  };
}

/** Connects one client for commands and one for the channels. @throws StoreUnreachable if there is no server */
async function connect(url: string, log: Log, commandTimeoutMs: number): Promise<{ commands: Redis; feed: Redis }> {
  const options = {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 5_000,
    ...(/^rediss:/i.test(url) && { tls: { rejectUnauthorized: true } }), // The environment cannot turn this off.
    retryStrategy: (tries: number) => Math.min(100 * tries, 2_000),
  };
  const commands = new Redis(url, options);
  const feed = new Redis(url, { ...options, autoResubscribe: true });
  for (const client of [commands, feed])
    client.on("error", (error: Error) => log.warn("store_error", { error: failureOf(withCode(error)) }));
  commands.on("end", () => log.warn("store_gone"));
  commands.on("ready", () => log.info("store_ready"));
  await run(() => Promise.all([commands.connect(), feed.connect()])).catch((error) => {
    commands.disconnect();
    feed.disconnect();
    throw error;
  });
  return { commands, feed };
}

async function run<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    throw new StoreUnreachable({}, { cause: withCode(error) });
  }
}

/** Returns readers of what is on the server, which anybody may have written. */
function readerOf(log: Log) {
  /** Parses a text. Returns undefined if it cannot be read. */
  const jsonOf = (text: string): unknown => {
    const value = text.length > MAX_LENGTH || excessOf(text, MOST) !== undefined ? undefined : jsonIn(text);
    if (value === undefined) log.warn("store_value_unread", { length: text.length });
    return value;
  };
  /**
   * Reads a value of a shape. Returns the raw value instead of the shape's output, because `replace` compares with what is
   * stored.
   */
  const readAs = <T>(text: string | null, shape: z.ZodType<T>, unread?: T): T | undefined => {
    if (text === null) return undefined;
    const value = jsonOf(text);
    return shape.safeParse(value).success ? (value as T) : unread;
  };
  return { jsonOf, readAs };
}

/** Holds the listeners of each channel. */
class Channels {
  readonly #feed: Redis;
  readonly #listeners = new Map<string, Set<(message: unknown) => void>>();

  constructor(feed: Redis, jsonOf: (text: string) => unknown) {
    this.#feed = feed;
    feed.on("message", (channel: string, text: string) => {
      const here = this.#listeners.get(channel);
      if (here === undefined) return;
      const message = jsonOf(text);
      if (message === undefined) return; // An unreadable message is ignored.
      for (const listener of [...here]) listener(message);
    });
    // Repeats the subscriptions that were requested while the server was away.
    feed.on("ready", () => {
      if (this.#listeners.size > 0) feed.subscribe(...this.#listeners.keys()).catch(() => {});
    });
  }

  subscribe(name: string, listener: (message: unknown) => void): () => void {
    const known = this.#listeners.get(name);
    const here = known ?? new Set();
    this.#listeners.set(name, here.add(listener));
    // A failed subscription is repeated once the server is back.
    if (known === undefined) this.#feed.subscribe(name).catch(() => {});
    return () => {
      here.delete(listener);
      if (here.size > 0 || this.#listeners.get(name) !== here) return;
      this.#listeners.delete(name);
      this.#feed.unsubscribe(name).catch(() => {});
    };
  }
}

/**
 * Adds the code of a refusal, such as OOM, READONLY or WRONGPASS, which may be logged. The rest of the message may
 * quote a command.
 */
function withCode(error: unknown): unknown {
  if (!(error instanceof Error && error.name === "ReplyError")) return error;
  const [code] = /^[A-Z]+(?= )/.exec(error.message) ?? [];
  return code === undefined ? error : Object.assign(error, { code });
}
