import { describe, expect, test } from "vitest";
import { toIso } from "../../src/home/iso-time.ts";
import { soon } from "../support/soon.ts";
import { A, MINUTE, person, unsupported } from "./person.ts";

describe("renewal", () => {
  test("is ahead of the end, and a token that lives seconds is not renewed at every call", async () => {
    const { identity, state, asks, clock } = person();
    await identity.bearer();
    await clock.advance(58 * MINUTE);
    expect(await identity.bearer()).toBe("token-1");
    state.lifetimeMs = 20_000;
    await clock.advance(1.5 * MINUTE);
    expect(await identity.bearer()).toBe("token-2");
    expect(asks[1]).toMatchObject({ user_id: "user-1", bearer: "token-1" });
    await clock.advance(17_000);
    expect(await identity.bearer()).toBe("token-2");
    await clock.advance(1500);
    expect(await identity.bearer()).toBe("token-3");
  });

  test("a token newer than the failed one is used as it is", async () => {
    const { identity, asks, restart } = person();
    await identity.bearer();
    expect(await Promise.all([identity.renew("token-1"), identity.renew("token-1")])).toEqual(["token-2", "token-2"]);
    expect([await restart().renew("token-1"), asks.length]).toEqual(["token-2", 2]);
  });

  test("one that fails early costs nothing until the token ends, then its error comes through as it is", async () => {
    const { identity, state, asks, clock, log } = person();
    await identity.bearer();
    const refusal = new Error("the backend's own");
    state.answer = async () => Promise.reject(refusal);
    await clock.advance(59.5 * MINUTE);
    expect([await identity.bearer(), await identity.bearer(), asks.length]).toEqual(["token-1", "token-1", 2]);
    expect(log.warnings).toEqual(["token_renewal_failed"]);
    await clock.advance(MINUTE);
    await expect(identity.bearer()).rejects.toBe(refusal);
    await expect(identity.renew("token-1")).rejects.toBe(refusal);
  });

  test("one that takes long holds nobody up: the old token is used, the new one comes when it comes", async () => {
    const { identity, state, asks, clock, log, file } = person();
    await identity.bearer();
    const slow = Promise.withResolvers<void>();
    state.answer = async () => {
      await slow.promise;
      return { user_id: "user-1", api_token: "late", expires_at: toIso(clock.now() + 60 * MINUTE) };
    };
    await clock.advance(59.5 * MINUTE);
    const waiting = identity.bearer();
    await soon(() => asks.length).toBe(2);
    await clock.advance(2_000);
    expect([await waiting, await identity.bearer(), asks.length]).toEqual(["token-1", "token-1", 2]);
    expect(log.warnings).toEqual(["token_renewal_slow"]);
    slow.resolve();
    await soon(() => file().api_token).toBe("late");
    expect([await identity.bearer(), asks.length]).toEqual(["late", 2]);
  });

  test("a given token that failed is renewed once, for everybody who was given it", async () => {
    const { identity, asks, restart, state } = person({}, { backend_url: A, api_token: "given", user_id: "me" });
    await identity.bearer();
    expect(await identity.renew("given")).toBe("token-1");
    expect(asks).toMatchObject([{ user_id: "me", bearer: "given" }]);
    expect([await restart().bearer(), await restart().renew("given"), asks.length]).toEqual(["token-1", "token-1", 1]);
    state.flags = { backend_url: A, api_token: "newer", user_id: "me" };
    expect(await identity.bearer()).toBe("newer");
  });

  test("where there is no route a failed token has no successor, and a clock that is wrong asks no more often", async () => {
    const { identity, state, asks } = person({ backend_url: A, api_token: "hand" }, {});
    state.answer = unsupported;
    expect([await identity.bearer(), await identity.renew("hand")]).toEqual(["hand", undefined]);
    state.answer = undefined;
    state.lifetimeMs = -MINUTE;
    expect(await identity.renew("hand")).toBe("token-2");
    expect([await identity.bearer(), await identity.bearer(), asks.length]).toEqual(["token-2", "token-2", 2]);
  });
});
