import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/clock.ts";
import { alongside } from "../../journeys/alongside.ts";
import { type Endpoint, initialize, openSession, rpc, send, startEndpoint, toolCall } from "../../support/endpoint.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { hasRedis, type RedisServer, startRedis, valuesIn } from "../../support/redis.ts";
import { AskingProgram, ConsentingPerson, type SignInEndpoint, signedIn, startSignIn } from "../../support/sign-in.ts";
import { soon } from "../../support/soon.ts";

/** Programs that sign in at two replicas of one endpoint, with one Redis, which goes away and comes back. */

const env = { TOWOW_STATE_KEY: Buffer.alloc(32, 7).toString("base64") };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe.skipIf(!hasRedis())("two replicas", () => {
  let redis: RedisServer;
  let a: SignInEndpoint;
  let b: Endpoint;
  beforeAll(async () => {
    redis = await startRedis({ durable: true });
    a = await startSignIn({ args: ["--store", redis.url, "--replica", "a"], env, mock: { tokenLifetimeMs: 63_000 } });
    b = await startEndpoint({
      args: ["--public-url", a.origin, "--store", redis.url, "--replica", "b"],
      env,
      backend: { mock: a.mock, url: a.mockUrl },
    });
  });
  afterAll(async () => {
    await b.close();
    await a.close();
    await redis.close();
  });

  const statusAt = async ({ port }: Endpoint, token: string) =>
    (await send(port, { headers: bearer(token), body: initialize({}) })).status;
  const atB = (program: AskingProgram) =>
    Object.assign(new AskingProgram({ port: b.port, origin: a.origin }), program, {
      at: { port: b.port, origin: a.origin },
    });
  const issuedTokens = () => a.mock.journal.filter(({ path }) => path === "/v1/api/auth/mcp-token").length;

  it("a code of one is redeemed at the other; twenty refreshes at both at once are one family", async () => {
    const [program, person] = [new AskingProgram(a), new ConsentingPerson(a)];
    await program.register();
    const code = await person.allows(program.asks(), { who: "token", token: await a.token() });
    const issued = JSON.parse((await atB(program).redeem(code)).text);
    expect([await statusAt(a, issued.access_token), await statusAt(b, issued.access_token)]).toEqual([200, 200]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? program : atB(program)).refresh(issued.refresh_token)),
    );
    expect(new Set(answers.map(({ text }) => JSON.parse(text).refresh_token)).size).toBe(1);
    expect(await statusAt(b, issued.access_token)).toBe(200);
  });

  it("nothing is kept of strangers who ask, register, try codes and say no", async () => {
    const client = new Redis(redis.url);
    const keysOf = async () => new Set((await client.keys("*")).filter((key) => /consent:|sign-in:|joined:/.test(key)));
    const before = await keysOf();
    for (let n = 0; n < 20; n++) {
      const [program, eve] = [new AskingProgram(a), new ConsentingPerson(a)];
      await program.register();
      const { page } = await eve.opens(program.asks());
      expect((await eve.answers(page, { do: "deny" })).status).toBe(303);
      expect((await program.redeem(`twc_${"x".repeat(43)}`)).status).toBe(400);
      expect((await program.refresh(`twr_${"x".repeat(43)}`)).status).toBe(400);
      expect((await program.form("/oauth/revoke", { token: `twr_${"x".repeat(43)}` })).status).toBe(200);
    }
    expect(await keysOf()).toEqual(before);
    await client.quit();
  });

  it("a replica whose clock is minutes off asks, redeems and renews as the others do", async () => {
    const offMs = 5 * 60_000;
    for (const sign of [1, -1]) {
      const c = await startEndpoint({
        args: ["--public-url", a.origin, "--store", redis.url, "--replica", "c"],
        env,
        clock: { ...systemClock, now: () => systemClock.now() + sign * offMs },
        backend: { mock: a.mock, url: a.mockUrl },
      });
      const [program, person] = [new AskingProgram(a), new ConsentingPerson(a)];
      await program.register();
      const { page } = await person.opens(program.asks());
      const there = new ConsentingPerson({ port: c.port, origin: a.origin });
      for (const [name, value] of person.browser.cookies) there.browser.cookies.set(name, value);
      const token = await a.token();
      const { headers } = await there.answers(page, { do: "allow", who: "token", token });
      const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
      const issued = JSON.parse((await program.redeem(code)).text);
      expect([await statusAt(a, issued.access_token), await statusAt(c, issued.access_token)]).toEqual([200, 200]);
      const renewed = await program.refresh(issued.refresh_token);
      expect(renewed.status).toBe(200);
      await c.close();
    }
  });

  it("ended at one, its sessions at the other are closed", async () => {
    const { access, refresh, program } = await signedIn(a, await a.token());
    const session = await openSession(b.port, bearer(access));
    const stream = send(b.port, {
      method: "GET",
      headers: { ...bearer(access), "Mcp-Session-Id": session, Accept: "text/event-stream" },
    });
    await program.form("/oauth/revoke", { token: refresh });
    expect((await stream).status).toBe(200); // its end is what is waited for
    const after = await send(b.port, { headers: { ...bearer(access), "Mcp-Session-Id": session }, body: rpc("ping") });
    expect(after.status).toBe(401);
  });

  it("a token of the backend's is renewed once for both; what is kept of it is sealed", async () => {
    const [program, person] = [new AskingProgram(a), new ConsentingPerson(a)];
    await program.register();
    const { page } = await person.opens(program.asks());
    const joined = await person.answers(page, { do: "allow", who: "new" });
    const token = /id="token"[^>]*>([^<]+)</.exec(joined.text)?.[1] ?? "";
    const { headers } = await person.answers(page, { do: "allow" });
    const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
    const { access_token } = JSON.parse((await program.redeem(code)).text);
    const before = issuedTokens();
    const look = ({ port }: Endpoint) =>
      send(port, { headers: bearer(access_token), body: toolCall("towow_join", { scene: "x" }) });
    // It has 63 seconds, and is renewed a minute before its end.
    await soon(async () => {
      await Promise.all([look(a), look(b), look(a), look(b)]);
      return issuedTokens() - before;
    }).toBe(1);
    const client = new Redis(redis.url);
    const keys = await client.keys("*");
    const kept = JSON.stringify([keys, await valuesIn(client, keys)]) + a.log() + b.log();
    await client.quit();
    for (const secret of [token, access_token, code]) expect(kept).not.toContain(secret);
    expect(kept).not.toMatch(/towow_[\w-]{32}/);
  });

  it("while Redis is away a client is asked to wait, and has lost nothing when it is back", async () => {
    const { access, refresh, program, person } = await signedIn(a, await a.token());
    const code = await person.allows(program.asks(), {});
    await redis.stop();
    for (const answer of [
      await program.refresh(refresh),
      await program.redeem(code),
      await program.form("/oauth/revoke", { token: refresh }),
    ]) {
      expect([answer.status, JSON.parse(answer.text).error]).toEqual([503, "temporarily_unavailable"]);
      expect(answer.headers["retry-after"]).toBe("5");
    }
    // Nobody has come with it to this one: it cannot be known.
    expect(await statusAt(b, access)).toBe(503);
    const { page } = await person.opens(program.asks()).catch(() => ({ page: "" }));
    expect(page).not.toContain("code=");
    await redis.start();
    await soon(() => statusAt(b, access)).toBe(200);
    await soon(async () => (await program.refresh(refresh)).status).toBe(200);
    expect((await program.redeem(code)).status).toBe(200);
  });
});

describe.skipIf(!hasRedis())("two replicas, by a clock that stands still", () => {
  const clock = new ManualClock();
  const run = <T>(work: Promise<T>) => alongside(clock, work);
  let redis: RedisServer;
  let client: Redis;
  let a: SignInEndpoint;
  let b: Endpoint;
  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url);
    a = await startSignIn({
      args: ["--store", redis.url, "--replica", "a"],
      ...{ env, clock, mock: { tokenLifetimeMs: LIFETIME_MS } },
    });
    b = await startEndpoint({
      args: ["--public-url", a.origin, "--store", redis.url, "--replica", "b"],
      ...{ env, clock, backend: { mock: a.mock, url: a.mockUrl } },
    });
  });
  afterAll(async () => {
    await run(b.close());
    await run(a.close());
    await client.quit();
    await redis.close();
  });

  const LIFETIME_MS = 120_000;
  /** A token is renewed a minute before its end. */
  const RENEWED_EVERY_MS = LIFETIME_MS - 60_000;
  const issuedAt = () =>
    a.mock.journal.filter(({ path, status }) => path.endsWith("/auth/mcp-token") && status === 200).map(({ at }) => at);
  const call = async ({ port }: Endpoint, token: string, name = "towow_status", args = {}) =>
    (await send(port, { headers: bearer(token), body: toolCall(name, args) })).json.result.structuredContent;
  const joined = async () => {
    const [program, person] = [new AskingProgram(a), new ConsentingPerson(a)];
    await program.register();
    const { page } = await person.opens(program.asks());
    const { text } = await person.answers(page, { do: "allow", who: "new" });
    const { headers } = await person.answers(page, { do: "allow" });
    const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
    const { access_token, refresh_token } = JSON.parse((await program.redeem(code)).text);
    return { access: access_token as string, secrets: [code, access_token, refresh_token, tokenIn(text)] as string[] };
  };
  const tokenIn = (text: string) => /id="token"[^>]*>([^<]+)</.exec(text)?.[1] ?? "";
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path, "utf8"));

  it("for ten minutes its token is renewed ahead of each end, once for both, and its person stays the same", async () => {
    const { access, secrets } = await run(joined());
    const scene_id = a.mock.scenes()[0]?.scene_id;
    const asked = await run(call(a, access, "towow_demand", { intent: "A designer", scene_id }));
    for (let quarter = 0; quarter < 40; quarter++) {
      await run(clock.advance(15_000));
      const seen = await run(Promise.all([a, b, a, b].map((at) => call(at, access))));
      for (const one of seen) expect([one.error, one.data.negotiation_id]).toEqual([null, asked.data.negotiation_id]);
    }
    const times = issuedAt();
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    // A call comes every fifteen seconds, and the clock goes on a little with each.
    expect(pauses.length).toBeGreaterThanOrEqual(7);
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(RENEWED_EVERY_MS);
    for (const pause of pauses) expect(pause).toBeLessThan(LIFETIME_MS);
    const users = new Set(a.mock.journal.filter(({ userId }) => userId !== undefined).map(({ userId }) => userId));
    expect(users.size).toBe(1);
    const keys = await client.keys("*");
    const kept = [...keys, ...(await valuesIn(client, keys)), ...filesIn(a.home), ...filesIn(b.home), a.log(), b.log()];
    for (const secret of secrets) expect(kept.join()).not.toContain(secret);
    expect(kept.join()).not.toMatch(/towow_[\w-]{32}/);
  });

  it("a call costs one read of the store more than by its person's own token", async () => {
    const token = await run(a.token());
    const { access } = await run(signedIn(a, token));
    const monitor = await client.monitor();
    onTestFinished(() => monitor.disconnect());
    const asked: string[] = [];
    monitor.on("monitor", (_, [name, ...rest]: string[], source: string) => {
      if (source !== "lua") asked.push([name, ...rest].join(" "));
    });
    const commandsOf = async (work: () => Promise<unknown>) => {
      asked.length = 0;
      await work(); // the clock stands still meanwhile: no replica says that it is alive
      await client.echo("over");
      await soon(() => asked.at(-1)).toBe("echo over");
      return asked.slice(0, -1);
    };
    for (const at of [a, b])
      for (const name of ["towow_status", "towow_list_scenes"]) {
        for (const one of [token, access]) await run(call(at, one, name)); // the first call of a person reads more
        const [own, granted] = [
          await commandsOf(() => call(at, token, name)),
          await commandsOf(() => call(at, access, name)),
        ];
        expect(granted.length - own.length).toBe(1);
        expect(granted.filter((one) => /^mget .*sign-in:/.test(one)).length).toBe(1);
      }
  });
});
