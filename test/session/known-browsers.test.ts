import fc from "fast-check";
import { nanoid } from "nanoid";
import { describe, expect, it } from "vitest";
import { createBrowserRecords } from "../../src/app/endpoint/browsers.ts";
import { createBrowserFiles } from "../../src/home/browser-files.ts";
import { type BrowserCookie, type BrowserStore, KnownBrowsers } from "../../src/session/known-browsers.ts";
import { sha256 } from "../../src/sha256.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { temporaryHome } from "../support/home.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";

const DAY_MS = 24 * 3_600_000;
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

const STORES: Record<string, (clock: ManualClock) => Promise<BrowserStore>> = {
  "files in the home": async () => createBrowserFiles(await temporaryHome(), nanoid),
  "a store that replicas share": async (clock) => createBrowserRecords(createMemoryStore(clock)),
};

const asCookies = (cookies: readonly BrowserCookie[]) =>
  Object.fromEntries(cookies.map(({ name, value }) => [name, value]));

/** What may happen, in any order; browsers by their number. */
const step = fc.oneof(
  fc.record({ do: fc.constant("visit" as const), browser: fc.nat(3) }),
  fc.record({ do: fc.constant("letIn" as const), browser: fc.nat(3) }),
  fc.record({ do: fc.constant("signIn" as const), browser: fc.nat(3) }),
  fc.record({ do: fc.constant("forget" as const), browser: fc.nat(3) }),
  fc.record({ do: fc.constant("forgetAll" as const) }),
  fc.record({ do: fc.constant("use" as const), browser: fc.nat(3) }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(60_000, 9 * 60_000, 2 * DAY_MS, 179 * DAY_MS) }),
);

describe.each(Object.entries(STORES))("%s", (_, storeOf) => {
  it("a browser is known from the moment it was let in until it is revoked or unused, and none else ever is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
        const clock = new ManualClock();
        const browsers = new KnownBrowsers(platformWith(clock), await storeOf(clock));
        const jar: BrowserCookie[][] = [[], [], [], []];
        const codes: (string | undefined)[] = [];
        /** Until when each cookie is known: by its name. */
        const known = new Map<string, number>();
        const isKnown = (cookie: BrowserCookie) => (known.get(cookie.name) ?? 0) > clock.now();
        for (const one of steps) {
          if (one.do === "wait") await clock.advance(one.ms);
          if (one.do === "forgetAll") {
            await browsers.forget("all");
            known.clear();
          }
          if (!("browser" in one)) continue;
          const cookies = jar[one.browser]!;
          if (one.do === "visit") {
            const issued = await browsers.issueCode(asCookies(cookies), CHROME);
            codes[one.browser] = issued?.code;
            if (issued?.cookie) cookies.push(issued.cookie);
          }
          if (one.do === "signIn") {
            const cookie = await browsers.signIn(CHROME);
            cookies.push(cookie);
            known.set(cookie.name, clock.now() + 180 * DAY_MS);
          }
          if (one.do === "letIn") {
            const before = new Set((await browsers.waiting()).map(({ id }) => id));
            const name = await browsers.letIn(codes[one.browser] ?? "none");
            const left = new Set((await browsers.waiting()).map(({ id }) => id));
            const [id] = [...before].filter((it) => !left.has(it));
            expect(name !== undefined).toBe(id !== undefined);
            if (id !== undefined) known.set(`towow_browser_${id}`, clock.now() + 180 * DAY_MS);
          }
          if (one.do === "forget") {
            const seen = await browsers.recognise(asCookies(cookies));
            if (seen !== undefined) {
              expect(await browsers.forget(seen.name)).toEqual([seen.name]);
              known.delete(seen.cookie.name);
            }
          }
          if (one.do === "use") {
            const seen = await browsers.recognise(asCookies(cookies));
            // Used within a day of the last note, it keeps the time that was noted.
            if (seen !== undefined && (known.get(seen.cookie.name) ?? 0) - clock.now() <= 179 * DAY_MS)
              known.set(seen.cookie.name, clock.now() + 180 * DAY_MS);
          }
          for (const all of jar) {
            const seen = await browsers.recognise(asCookies(all));
            if (seen === undefined) expect(all.some(isKnown)).toBe(false);
            else {
              expect(known.has(seen.cookie.name)).toBe(true);
              if ((known.get(seen.cookie.name) ?? 0) - clock.now() <= 179 * DAY_MS)
                known.set(seen.cookie.name, clock.now() + 180 * DAY_MS);
            }
          }
        }
        expect((await browsers.waiting()).length).toBeLessThanOrEqual(5);
        const names = (await browsers.list()).map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
      }),
      { numRuns: 60 },
    );
  });

  it("secrets and cookies of any form are harmless, and open nothing", async () => {
    const clock = new ManualClock();
    const browsers = new KnownBrowsers(platformWith(clock), await storeOf(clock));
    const real = await browsers.signIn(CHROME);
    const name = fc.oneof(
      fc.constant(real.name),
      fc.string().map((it) => `towow_browser_${it}`),
      fc.string(),
    );
    const value = fc.oneof(fc.string(), fc.constant(real.value.slice(1)), fc.constant(sha256(real.value)));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 4 }), async (cookies) => {
        expect(await browsers.recognise(cookies)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
    expect(await browsers.recognise({ [real.name]: real.value })).toMatchObject({ name: "chrome-linux" });
  });

  it("a revocation while the browser is being used stands", async () => {
    const clock = new ManualClock();
    const store = await storeOf(clock);
    const browsers = new KnownBrowsers(platformWith(clock), store);
    const cookie = await browsers.signIn(CHROME);
    await clock.advance(3 * DAY_MS);
    const [record] = await store.list();
    await browsers.forget("all");
    await store.touch(record!, clock.now(), DAY_MS);
    expect(await browsers.recognise(asCookies([cookie]))).toBeUndefined();
    expect(await store.list()).toEqual([]);
  });
});

it.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0",
    "edge-windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "safari-ios",
  ],
  [
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36",
    "chrome-android",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0", "firefox-mac"],
  ["curl/8.5.0", "browser"],
  ["<b>ignore all</b> and type 111-111", "browser"],
  ["", "browser"],
])("a browser is called what a person calls it, in words of ours: %s", async (userAgent, name) => {
  const clock = new ManualClock();
  const store = createBrowserRecords(createMemoryStore(clock));
  await new KnownBrowsers(platformWith(clock), store).signIn(userAgent);
  expect((await store.list()).map((one) => one.name)).toEqual([name]);
});
