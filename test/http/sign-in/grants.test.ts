import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { HttpError } from "../../../src/mcp/http/http-error.ts";
import {
  ACCESS_MS,
  type Credential,
  type GrantInUse,
  type GrantStore,
  Grants,
} from "../../../src/mcp/http/sign-in/grants.ts";
import { Seals } from "../../../src/mcp/http/sign-in/sealing.ts";
import { createMemoryStore } from "../../../src/store/memory.ts";
import { type Store, StoreUnreachable } from "../../../src/store/store.ts";
import { ManualClock } from "../../support/manual-clock.ts";

/** What people let programs do: codes, access and refresh tokens over one store, at several replicas. */

const TOKEN = "towow_UYUhCQ4oBx5UvXtz7-1AJEshs_odjTOg";
const CREDENTIAL: Credential = { account: "ada", token: TOKEN, userId: "id-of-ada", expiresAt: 5 };
const VERIFIER = "v".repeat(43);
const challenge = createHash("sha256").update(VERIFIER).digest("base64url");
const DAY_MS = 24 * 3_600_000;

function world() {
  const clock = new ManualClock();
  const memory = createMemoryStore(clock);
  const written = new Map<string, unknown>();
  let reads = 0;
  let isAway = false;
  let answersLeft = Number.POSITIVE_INFINITY;
  let isBusy = false;
  const guarded = <A extends unknown[], T>(work: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      if (isAway || answersLeft-- <= 0) throw new StoreUnreachable();
      return work(...args);
    };
  };
  const store = {
    ...memory,
    get: guarded((...args: Parameters<Store["get"]>) => {
      reads += 1;
      return memory.get(...args);
    }),
    getMany: guarded((...args: Parameters<Store["getMany"]>) => {
      reads += 1;
      return memory.getMany(...args);
    }),
    put: guarded(async (key: string, value: unknown, ttlMs: number) => {
      written.set(key, value);
      await memory.put(key, value, ttlMs);
    }),
    create: guarded(async (...args: Parameters<Store["create"]>) => {
      written.set(args[0], args[1]);
      return memory.create(...args);
    }),
    replace: guarded(async (key: string, current: unknown, value: unknown, ttlMs: number) => {
      written.set(key, value);
      return memory.replace(key, current, value, ttlMs);
    }),
    delete: guarded(memory.delete),
  } as unknown as GrantStore;
  const ended: string[] = [];
  const key = randomBytes(32);
  const replica = (own = key) =>
    new Grants({
      ...{ store, clock, random: randomBytes, seals: new Seals(own, randomBytes) },
      counted: async () => {
        if (isBusy) throw new HttpError("rate_limited");
      },
      ended: async (_, id) => void ended.push(id),
    });
  const [a, b] = [replica(), replica()];
  const code = (more: Partial<Credential> = {}, passesWord = false) =>
    a.begin(
      { clientId: "c", name: "Probe", redirect: "claude.ai", passesWord },
      { ...CREDENTIAL, ...more },
      { clientId: "c", redirect: "https://claude.ai/cb", challenge },
    );
  const asked = { clientId: "c", redirect: "https://claude.ai/cb", verifier: VERIFIER };
  const issued = async (...args: Parameters<typeof code>) => {
    const given = await b.redeem(await code(...args), asked);
    if (given === undefined) throw new Error("no token");
    return given;
  };
  return {
    ...{ clock, memory, written, ended, replica, a, b, code, asked, issued },
    counted: async (work: () => Promise<unknown>) => {
      reads = 0;
      await work();
      return reads;
    },
    away: (is: boolean) => {
      isAway = is;
    },
    /** Then it is away. */
    answers: (times: number) => {
      answersLeft = times;
    },
    busy: (is: boolean) => {
      isBusy = is;
    },
  };
}
const tokenOf = (grant: GrantInUse | undefined) => grant?.credential.token;

it("a code of one replica is redeemed at another, and every replica takes the token; a look costs one read", async () => {
  const { a, b, issued, counted } = world();
  const { accessToken, expiresInS } = await issued();
  expect(expiresInS).toBe(3_600);
  for (const replica of [a, b]) expect(await replica.use(accessToken)).toMatchObject({ credential: CREDENTIAL });
  expect(await counted(() => a.use(accessToken))).toBe(1);
  expect(await counted(() => a.use("towow_somebody"))).toBe(0);
});

it("a code lives for a minute, an access token for an hour, a grant for ninety days from its last use", async () => {
  const { clock, a, b, code, asked, issued } = world();
  const late = await code();
  await clock.advance(60_001);
  expect(await b.redeem(late, asked)).toBeUndefined();
  const { accessToken, refreshToken } = await issued();
  await clock.advance(ACCESS_MS - 1);
  expect(tokenOf(await a.use(accessToken))).toBe(TOKEN);
  await clock.advance(2);
  expect(await a.use(accessToken)).toBeUndefined();
  await clock.advance(89 * DAY_MS);
  const next = await a.refresh(refreshToken, "c");
  expect((await a.list("ada")).map(({ used_at }) => used_at)).toEqual([clock.now()]);
  await clock.advance(91 * DAY_MS);
  expect(await a.refresh(next?.refreshToken ?? "", "c")).toBeUndefined();
  expect(await a.list("ada")).toEqual([]);
});

it("of two who bring one code at once one gets the tokens, and they are ended", async () => {
  const { a, b, code, asked } = world();
  const one = await code();
  const both = await Promise.all([a.redeem(one, asked), b.redeem(one, asked)]);
  const [got] = both.filter((it) => it !== undefined);
  expect(both.filter((it) => it !== undefined).length).toBeLessThanOrEqual(1);
  expect(got && (await a.use(got.accessToken))).toBeUndefined();
  expect(await a.list("ada")).toEqual([]);
});

describe("a refresh token", () => {
  it("gives for a minute the same successor, at any replica: an answer that is lost signs nobody out", async () => {
    const { clock, a, b, issued } = world();
    const { refreshToken } = await issued();
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? a : b).refresh(refreshToken, "c")));
    const successors = new Set(all.map((it) => it?.refreshToken));
    expect(successors.size).toBe(1);
    await clock.advance(59_000);
    const again = await a.refresh(refreshToken, "c");
    expect(successors).toContain(again?.refreshToken);
    const next = await a.refresh(again?.refreshToken ?? "", "c");
    expect(next?.refreshToken).not.toBe(again?.refreshToken);
    expect(tokenOf(await a.use(next?.accessToken ?? ""))).toBe(TOKEN);
  });

  it("who comes late in that minute gets the newest of its line", async () => {
    const { a, issued } = world();
    const { refreshToken } = await issued();
    const second = await a.refresh(refreshToken, "c");
    const third = await a.refresh(second?.refreshToken ?? "", "c");
    expect((await a.refresh(refreshToken, "c"))?.refreshToken).toBe(third?.refreshToken);
  });

  it("that is used again after its minute ends its grant, access tokens included", async () => {
    const { clock, a, b, issued, ended } = world();
    const { refreshToken } = await issued();
    const next = await a.refresh(refreshToken, "c");
    await clock.advance(60_001);
    expect(await b.refresh(refreshToken, "c")).toBeUndefined();
    expect(ended).toHaveLength(1);
    expect(await a.use(next?.accessToken ?? "")).toBeUndefined();
    expect(await a.refresh(next?.refreshToken ?? "", "c")).toBeUndefined();
  });
});

describe("what is kept", () => {
  it("holds no token and no secret, and opens nothing without the endpoint's key", async () => {
    const { a, written, replica, issued, code } = world();
    const { accessToken, refreshToken } = await issued();
    const next = await a.refresh(refreshToken, "c");
    const dump = JSON.stringify([...written]);
    for (const secret of [TOKEN, accessToken, refreshToken, next?.refreshToken, await code()])
      expect(dump).not.toContain(secret);
    expect(await replica(randomBytes(32)).use(accessToken)).toBeUndefined();
  });

  it("cannot be made another person's by who can write it", async () => {
    const { a, memory, written, issued } = world();
    const { accessToken } = await issued();
    const [name, record] = [...written].findLast(([key]) => key.startsWith("grant:")) ?? [];
    await memory.put(name ?? "", { ...(record as object), account: "bob" }, 1_000_000);
    expect(await a.use(accessToken)).toBeUndefined();
  });

  it("of one grant does not open another", async () => {
    const { a, memory, issued } = world();
    const [mine, hers] = [await issued({ account: "eve", token: "eves" }), await issued()];
    const nameOf = (token: string) => `access:${createHash("sha256").update(token).digest("hex")}`;
    const { z } = await import("zod");
    await memory.put(nameOf(mine.accessToken), await memory.get(nameOf(hers.accessToken), z.unknown()), 1_000_000);
    expect(await a.use(mine.accessToken)).toBeUndefined();
  });
});

describe("its person", () => {
  it("sees their own alone, and ends one", async () => {
    const { a, issued, ended } = world();
    const [ada, bob] = [await issued(), await issued({ account: "bob" })];
    const [hers] = await a.list("ada");
    expect(hers).toMatchObject({ name: "Probe", redirect: "claude.ai" });
    expect(await a.end("bob", hers?.id ?? "")).toBeUndefined();
    expect(tokenOf(await a.use(ada.accessToken))).toBe(TOKEN);
    expect(await a.end("ada", hers?.id ?? "")).toBe("Probe");
    expect(ended).toEqual([hers?.id]);
    expect(await a.use(ada.accessToken)).toBeUndefined();
    expect(await a.use(bob.accessToken)).toBeDefined();
  });

  it("takes back that its AI passes their word on; who can write to the store cannot give it", async () => {
    const { a, memory, written, issued } = world();
    const { accessToken } = await issued({}, true);
    expect((await a.use(accessToken))?.passesWord).toBe(true);
    const [one] = await a.list("ada");
    await a.takeBackWord("bob", one?.id ?? "");
    expect((await a.use(accessToken))?.passesWord).toBe(true);
    await a.takeBackWord("ada", one?.id ?? "");
    expect((await a.use(accessToken))?.passesWord).toBe(false);
    const never = await issued({ account: "bob" });
    const [name, record] = [...written].findLast(([key]) => key.startsWith("grant:")) ?? [];
    await memory.put(name ?? "", { ...(record as object), passes_word: true }, 1_000_000);
    expect((await a.use(never.accessToken))?.passesWord).toBe(false);
  });
});

it("another credential takes its place only where it is newer", async () => {
  const { a, b, issued } = world();
  const { accessToken } = await issued();
  const grant = await a.use(accessToken);
  await grant?.reseal({ ...CREDENTIAL, token: "older", expiresAt: 4 });
  expect(tokenOf(await b.use(accessToken))).toBe(TOKEN);
  await grant?.reseal({ ...CREDENTIAL, token: "newer", expiresAt: 6 });
  expect(tokenOf(await b.use(accessToken))).toBe("newer");
  expect((await grant?.reread())?.token).toBe("newer");
});

it("while the store is away nothing is said to be invalid, and afterwards all of it is good", async () => {
  const { a, away, code, asked, issued } = world();
  const [{ accessToken, refreshToken }, open] = [await issued(), await code()];
  away(true);
  for (const work of [
    () => a.use(accessToken),
    () => a.refresh(refreshToken, "c"),
    () => a.redeem(open, asked),
    () => a.revoke(accessToken),
  ])
    await expect(work()).rejects.toBeInstanceOf(StoreUnreachable);
  away(false);
  expect(tokenOf(await a.use(accessToken))).toBe(TOKEN);
  expect(await a.redeem(open, asked)).toBeDefined();
  expect(await a.refresh(refreshToken, "c")).toBeDefined();
});

it("while its person is too busy a program is asked to wait, and its code and its refresh token stay good", async () => {
  const { a, busy, clock, code, asked, issued } = world();
  const [{ refreshToken }, open] = [await issued(), await code()];
  busy(true);
  await expect(a.redeem(open, asked)).rejects.toBeInstanceOf(HttpError);
  await expect(a.refresh(refreshToken, "c")).rejects.toBeInstanceOf(HttpError);
  busy(false);
  expect(await a.redeem(open, asked)).toBeDefined();
  await clock.advance(61_000);
  expect(await a.refresh(refreshToken, "c")).toBeDefined();
});

it("wherever the store goes away in the middle of it, the same code or refresh token gives tokens when it is back", async () => {
  for (let times = 0; times < 12; times++) {
    const { a, b, answers, code, asked, issued } = world();
    const [{ refreshToken }, open] = [await issued(), await code()];
    const isGone = (error: unknown) => {
      expect(error).toBeInstanceOf(StoreUnreachable);
      return undefined;
    };
    answers(times);
    const first = await a.redeem(open, asked).catch(isGone);
    answers(times);
    const renewed = await a.refresh(refreshToken, "c").catch(isGone);
    answers(Number.POSITIVE_INFINITY);
    const got = first ?? (await b.redeem(open, asked));
    expect(tokenOf(await b.use(got?.accessToken ?? ""))).toBe(TOKEN);
    const next = renewed ?? (await b.refresh(refreshToken, "c"));
    expect(tokenOf(await b.use(next?.accessToken ?? ""))).toBe(TOKEN);
    expect(await b.refresh(next?.refreshToken ?? "", "c")).toBeDefined();
  }
});
