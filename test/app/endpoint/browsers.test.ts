import { expect, it, vi } from "vitest";
import { createBrowserRecords, EndpointBrowsers } from "../../../src/app/endpoint/browsers.ts";
import { KnownBrowsers } from "../../../src/session/known-browsers.ts";
import { createMemoryStore } from "../../../src/store/memory.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { platformWith } from "../../support/platform.ts";

const MINUTE_MS = 60_000;
/** As short as a token can be that nobody guesses. */
const LONG = "right-123456789012345678";

/** An endpoint at which people sign in; the backend takes a moment to say whose token it is. */
function endpoint() {
  const clock = new ManualClock();
  const asked: string[] = [];
  const store = createMemoryStore(clock);
  const browsers = new EndpointBrowsers({
    store,
    platform: platformWith(clock),
    tokens: {
      async judge(token) {
        asked.push(token);
        await new Promise(setImmediate);
        if (token === "down") throw new Error("the backend does not answer");
        return token === "right" || token === LONG ? { user: "ada" } : "unknown";
      },
    },
  });
  const signIn = async (token: string) => typeof (await browsers.signIn(token, "Firefox")) === "object";
  const many = (count: number, token: string) => Promise.all(Array.from({ length: count }, () => signIn(token)));
  return { clock, asked, store, browsers, signIn, many };
}

it("wrong tokens that come at once are bounded as those one after the other are, for a minute", async () => {
  const { clock, asked, signIn, many } = endpoint();
  await many(300, "wrong");
  expect(asked).toHaveLength(50);
  expect(await signIn("right")).toBe(false);
  expect(asked).toHaveLength(50);
  await clock.advance(MINUTE_MS + 1);
  expect(await signIn("right")).toBe(true);
});

it("right tokens, and those that nobody could judge, count for nothing", async () => {
  const { signIn, many } = endpoint();
  for (let round = 0; round < 3; round++) {
    expect(await many(40, "right")).not.toContain(false);
    for (const result of await Promise.allSettled(Array.from({ length: 40 }, () => signIn("down"))))
      expect(result.status).toBe("rejected");
  }
  await many(49, "wrong");
  expect(await signIn("right")).toBe(true);
});

it("a token of 24 characters or more is judged whatever others try, and such guesses take no turn from the short ones", async () => {
  const { signIn, many } = endpoint();
  await many(300, "a-wrong-token-of-many-characters");
  expect(await signIn("right")).toBe(true);
  await many(300, "wrong");
  expect(await signIn("right")).toBe(false);
  expect(await signIn(LONG.slice(1))).toBe(false);
  expect(await signIn(LONG)).toBe(true);
});

it("a request that brings hundreds of cookies costs a few reads, and whose browser it is can still be told", async () => {
  const { browsers, store } = endpoint();
  const own = await browsers.signIn(LONG, "Firefox");
  if (typeof own === "string") throw new Error(own);
  const many = Array.from({ length: 620 }, (_, n) => [`towow_browser_a${String(n).padStart(7, "0")}`, ""]);
  const get = vi.spyOn(store, "get");
  expect(await browsers.ownerOf(Object.fromEntries(many))).toBeUndefined();
  expect(get.mock.calls.length).toBeLessThanOrEqual(20);
  const owner = await browsers.ownerOf(Object.fromEntries([...many, [own.name, own.value]])); // browsers send the newest last
  expect(owner?.user).toBe("ada");
  expect(get.mock.calls.length).toBeLessThanOrEqual(60);
});

it("the person of this machine is signed in nowhere once the key is gone, whatever browsers the home's pages know", async () => {
  const { clock } = endpoint();
  const keys = createMemoryStore(clock);
  const home = new KnownBrowsers(platformWith(clock), createBrowserRecords(keys));
  let hash = "of-the-key";
  const browsers = new EndpointBrowsers({
    store: createMemoryStore(clock),
    platform: platformWith(clock),
    tokens: { judge: async () => "unknown" },
    home: { user: { key: "local" }, browsers: home, key: { hash: () => hash, matches: (token) => token === LONG } },
  });
  const { code = "" } = (await home.issueCode({}, "Firefox")) ?? {};
  await home.letIn(code);
  expect(await browsers.hasAny("local")).toBe(false);
  const cookie = await browsers.signIn(LONG, "Firefox");
  if (typeof cookie === "string") throw new Error(cookie);
  const cookies = { [cookie.name]: cookie.value };
  expect(await browsers.hasAny("local")).toBe(true);
  expect((await browsers.ownerOf(cookies))?.user).toBe("local");
  hash = "";
  expect(await browsers.hasAny("local")).toBe(false);
  expect(await browsers.ownerOf(cookies)).toBeUndefined();
});
