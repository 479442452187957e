import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Reached } from "../support/reached.ts";
import { A, B, MINUTE, person, unsupported } from "./person.ts";
import { runTogether } from "./processes.ts";
import { emptyHome, homeWith, tokenServer } from "./support.ts";

describe("one person, one id", () => {
  test("the first request has no id and no token; the answer is kept and mirrored", async () => {
    const { identity, asks, file, restart } = person(emptyHome());
    expect(await identity.peek()).toEqual({ token: false, unsupported: false, warnings: [] });
    expect(await Promise.all([identity.userId(), identity.bearer(), identity.userId()])).toEqual([
      "user-1",
      "token-1",
      "user-1",
    ]);
    expect(asks).toEqual([{ user_id: "", device_info: "towow/1", bearer: undefined, url: A }]);
    expect(file()).toMatchObject({ user_id: "user-1", api_token: "token-1" });
    expect(file().identities[A]).toMatchObject({ user_id: "user-1", api_token: "token-1" });
    expect([await restart().bearer(), asks.length]).toEqual(["token-1", 1]);
    expect(await identity.peek()).toEqual({ user_id: "user-1", token: true, unsupported: false, warnings: [] });
  });

  test("an account has one name for all programs of a home, whatever token it has; a given id or token has its own", async () => {
    const { identity, home, clock, restart } = person(emptyHome());
    const name = identity.account();
    expect(name).toMatch(/^[0-9a-f]{16}$/);
    await identity.bearer();
    await clock.advance(59.5 * MINUTE);
    await identity.bearer(); // another token
    expect([identity.account(), restart().account()]).toEqual([name, name]);
    const given = [{ user_id: "user-2" }, { api_token: "other" }].map((flags) =>
      person(home, { backend_url: A, ...flags }).identity.account(),
    );
    expect(new Set([name, ...given]).size).toBe(3);
    expect(person(home, { backend_url: A, user_id: "user-1" }).identity.account()).toBe(name);
    expect(person(home, {}).identity.account()).toBeUndefined();
  });

  test("eight processes on an empty home: one request, one id", async () => {
    const server = await tokenServer();
    const all = await runTogether(8, [emptyHome(), server.url, "identity"]);
    expect(server.asked).toEqual([{ user_id: "", bearer: undefined }]);
    expect(new Set(all.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ user_id: "user-1", api_token: "issued-1" })]),
    );
  });

  test("an id that another process was given while this one's answer was on its way stays the one id", async () => {
    const { identity, state, store, file } = person();
    state.answer = async () => {
      await store.update((current) => ({
        ...current,
        identities: { [A]: { user_id: "theirs", api_token: "their-token" } },
      }));
      return { user_id: "late", api_token: "late-token" };
    };
    expect([await identity.bearer(), await identity.userId()]).toEqual(["their-token", "theirs"]);
    expect(file().identities[A]).toMatchObject({ user_id: "theirs", api_token: "their-token" });
  });

  test.each([
    ["expired", "identity", ""],
    ["refused", "renew", "old"],
  ])("three processes with one token that is %s: one renewal, with the old bearer", async (why, job, failed) => {
    const server = await tokenServer();
    const expires_at = why === "expired" ? "2020-01-01T00:00:00Z" : "2099-01-01T00:00:00Z";
    const home = homeWith({ identities: { [server.url]: { user_id: "me", api_token: "old", expires_at } } });
    const all = await runTogether(3, [home, server.url, job, failed]);
    expect(server.asked).toEqual([{ user_id: "me", bearer: "old" }]);
    expect(new Set(all.map((one) => one.api_token))).toEqual(new Set(["issued-1"]));
  });

  test("three processes against a backend without tokens: one local id", async () => {
    const server = await tokenServer({ issues: false });
    const all = await runTogether(3, [emptyHome(), server.url, "identity"]);
    expect(new Set(all.map((one) => one.user_id)).size).toBe(1);
    expect(all[0]).toEqual({ user_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  test("without the route it is a local id, asked for again after minutes, and then claimed", async () => {
    const { identity, state, asks, clock, log } = person();
    state.answer = unsupported;
    expect([await identity.userId(), await identity.bearer()]).toEqual(["local-1", undefined]);
    await identity.bearer();
    expect(asks).toHaveLength(1);
    expect(await identity.peek()).toMatchObject({ unsupported: true, warnings: ["auth_unsupported"] });
    state.answer = undefined;
    await clock.advance(6 * MINUTE);
    expect([await identity.bearer(), await identity.userId()]).toEqual(["token-2", "local-1"]);
    expect(asks[1]).toMatchObject({ user_id: "local-1", bearer: undefined });
    expect(log.warnings).toEqual(["auth_unsupported"]);
  });

  test("the seed's file, written by hand, is taken up for its own backend", async () => {
    const { identity, asks, file } = person({ user_id: "me", api_token: "mine", backend_url: A, mode: "normal" }, {});
    expect([await identity.userId(), await identity.bearer(), asks.length]).toEqual(["me", "mine", 0]);
    expect(file().identities).toEqual({ [A]: { user_id: "me", api_token: "mine" } });
  });

  test("an empty template of it is a first use", async () => {
    const { identity, asks } = person({ user_id: "", api_token: "", backend_url: A }, {});
    expect([await identity.userId(), asks[0]?.user_id]).toEqual(["user-1", ""]);
  });

  test("a token pasted over the old one by hand is used; the old one put back is not", async () => {
    const { identity, store } = person({ backend_url: A, user_id: "me", api_token: "first" }, {});
    await identity.bearer();
    await store.update((file) => ({ ...file, api_token: "second" }));
    expect(await identity.bearer()).toBe("second");
    await store.update((file) => ({ ...file, api_token: "first" }));
    expect(await identity.bearer()).toBe("second");
  });
});

describe("a token stays with its origin", () => {
  test("another backend gets an identity of its own; the first is still there afterwards", async () => {
    const { identity, state, asks } = person();
    await identity.bearer();
    state.flags = { backend_url: B };
    expect([await identity.bearer(), await identity.userId()]).toEqual(["token-2", "user-2"]);
    expect(asks[1]).toMatchObject({ user_id: "", bearer: undefined, url: B });
    expect(await identity.renew("token-2")).toBe("token-3");
    state.flags = { backend_url: `${A}/v2` };
    expect([await identity.bearer(), await identity.userId(), asks.length]).toEqual(["token-1", "user-1", 3]);
  });

  test("editing backend_url by hand leaves the old mirror unused, then replaces it", async () => {
    const { identity, store, asks, file } = person({ backend_url: A, user_id: "me", api_token: "mine" }, {});
    await identity.bearer();
    await store.update((current) => ({ ...current, backend_url: B }));
    expect(await identity.bearer()).toBe("token-1");
    expect(asks).toMatchObject([{ user_id: "", bearer: undefined, url: B }]);
    expect(file()).toMatchObject({ user_id: "user-1", api_token: "token-1" });
    expect(file().identities[A]).toMatchObject({ user_id: "me", api_token: "mine" });
  });

  test("a given token belongs to the first origin that it was used with, after a restart too", async () => {
    const { identity, state, asks, log, restart } = person({}, { backend_url: A, api_token: "given", user_id: "me" });
    expect([await identity.bearer(), await identity.userId(), asks.length]).toEqual(["given", "me", 0]);
    state.flags = { backend_url: B, api_token: "given", user_id: "me" };
    for (const one of [identity, restart()]) {
      expect(await one.bearer()).toBe("token-1");
      expect(await one.peek()).toMatchObject({ user_id: "me", token: true, warnings: ["token_other_origin"] });
    }
    expect(asks).toEqual([{ user_id: "me", device_info: "towow/1", bearer: undefined, url: B }]);
    expect(log.warnings).toContain("token_other_origin");
  });

  test("a given token whose very first request fails is bound all the same", async () => {
    const { identity, state, asks } = person({}, { backend_url: A, api_token: "given" });
    state.answer = async () => Promise.reject(new Error("cut"));
    await expect(identity.userId()).rejects.toThrow("cut");
    state.answer = undefined;
    state.flags = { backend_url: B, api_token: "given" };
    await identity.userId();
    expect(asks.map(({ bearer, url }) => [bearer, url])).toEqual([
      ["given", A],
      [undefined, B],
    ]);
  });

  test("the file never holds a given token, only whose it is", async () => {
    const { identity, file } = person({}, { backend_url: A, api_token: "given" });
    await identity.bearer();
    expect(JSON.stringify(file())).not.toContain("given");
    expect(Object.values(file().token_origins)).toEqual([A]);
  });

  test("a given id has a record beside this home's own", async () => {
    const { identity, state, asks } = person();
    await identity.bearer();
    state.flags = { backend_url: A, user_id: "guest" };
    expect([await identity.userId(), await identity.bearer()]).toEqual(["guest", "token-2"]);
    expect(asks[1]).toMatchObject({ user_id: "guest", bearer: undefined });
    state.flags = { backend_url: A };
    expect([await identity.userId(), await identity.bearer(), asks.length]).toEqual(["user-1", "token-1", 2]);
  });

  test("whatever happens in whatever order, no origin is ever sent another one's token", async () => {
    const step = fc.oneof(
      fc.record({ go: fc.constantFrom(A, B), by: fc.constantFrom("flag", "file") }),
      fc.constant("bearer"),
      fc.constant("renew"),
      fc.record({ given: fc.constantFrom("g1", "g2", undefined) }),
      fc.record({ wait: fc.integer({ min: 1, max: 90 }) }),
      fc.constant("restart"),
    );
    const reached = new Reached();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const { state, asks, store, clock, restart } = person({ backend_url: A }, {});
        let identity = restart();
        const seenAt = new Map<string, string>();
        const sent = (token: string | undefined, url: string) => {
          if (token === undefined || !reached.when(true)) return;
          expect(seenAt.get(token) ?? url).toBe(url);
          seenAt.set(token, url);
        };
        const here = () => String(state.flags.backend_url ?? store.read().values.backend_url);
        for (const now of steps) {
          if (now === "bearer") sent(await identity.bearer(), here());
          else if (now === "renew") sent(await identity.renew(await identity.bearer()), here());
          else if (now === "restart") identity = restart();
          else if ("wait" in now) await clock.advance(now.wait * MINUTE);
          else if ("given" in now) state.flags = { ...state.flags, api_token: now.given };
          else if (now.by === "flag") state.flags = { ...state.flags, backend_url: now.go };
          else {
            state.flags = { ...state.flags, backend_url: undefined };
            await store.update((file) => ({ ...file, backend_url: now.go }));
          }
        }
        for (const { bearer, url } of asks) sent(bearer, url);
      }),
      { numRuns: 30 },
    );
    reached.atLeast(50);
  });
});

describe("when things go wrong", () => {
  test("no backend: what is known can still be looked at", async () => {
    const { identity } = person({}, {});
    expect(await identity.peek()).toEqual({ token: false, unsupported: false, warnings: [] });
    await expect(identity.userId()).rejects.toMatchObject({ code: "tool.config.invalid.backend_url_missing" });
  });

  test("an unwritable home: no request without a place for its answer, but a given token works", async () => {
    const below = join(homeWith({}), "config.json", "below");
    const { identity, asks, state, log } = person(below);
    await expect(identity.bearer()).rejects.toMatchObject({ code: "tool.config.unavailable.home_unwritable" });
    state.flags = { backend_url: A, api_token: "given", user_id: "me" };
    expect([await identity.bearer(), await identity.userId(), asks.length]).toEqual(["given", "me", 0]);
    expect(log.warnings).toEqual(["identity_not_kept"]);
  });

  test("one caller that gives up leaves the others their request; the last one ends it", async () => {
    const { identity, state } = person();
    const answers: ((token: string) => void)[] = [];
    const signals: AbortSignal[] = [];
    state.answer = (_, __, signal) =>
      new Promise((resolve, reject) => {
        signals.push(signal!);
        signal!.addEventListener("abort", () => reject(signal!.reason));
        answers.push((api_token) => resolve({ user_id: "me", api_token }));
      });
    const first = new AbortController();
    const leaving = identity.bearer(first.signal);
    const staying = identity.bearer();
    await expect.poll(() => answers.length).toBe(1);
    first.abort(new Error("gave up"));
    await expect(leaving).rejects.toThrow("gave up");
    answers[0]!("late");
    expect(await staying).toBe("late");

    const second = new AbortController();
    const alone = identity.renew("late", second.signal);
    await expect.poll(() => answers.length).toBe(2);
    second.abort(new Error("closing"));
    await expect(alone).rejects.toThrow("closing");
    expect(signals.map((signal) => signal.aborted)).toEqual([false, true]);
  });

  test("records that are no records are neither used nor lost", async () => {
    const odd = { [B]: "text", [A]: { user_id: 7, api_token: "kept", note: "mine" } };
    const { identity, file } = person({ backend_url: A, identities: odd, other: 1 }, {});
    expect(await identity.bearer()).toBe("kept");
    expect(await identity.renew("kept")).toBe("token-1");
    expect(file()).toMatchObject({
      other: 1,
      identities: { [B]: "text", [A]: { api_token: "token-1", note: "mine" } },
    });
  });
});
