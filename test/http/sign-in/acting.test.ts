import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { alongside } from "../../journeys/alongside.ts";
import { initialize, openSession, type RawAnswer, rpc, send, startEndpoint, toolCall } from "../../support/endpoint.ts";
import { command } from "../../support/in-process.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { AskingProgram, ConsentingPerson, type SignInEndpoint, signedIn, startSignIn } from "../../support/sign-in.ts";
import { soon } from "../../support/soon.ts";

/** What a program may do that its person has let act for them, and how that ends. */

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const resultOf = ({ json }: RawAnswer) => json.result.structuredContent;

async function serving(options: Parameters<typeof startSignIn>[0] = {}) {
  const at = await startSignIn(options);
  onTestFinished(() => (options.clock instanceof ManualClock ? alongside(options.clock, at.close()) : at.close()));
  const call = async (token: string, name: string, args: object = {}) =>
    resultOf(await send(at.port, { headers: bearer(token), body: toolCall(name, args) }));
  const demand = async (token: string, intent = "A designer") => {
    const asked = await call(token, "towow_demand", {
      intent,
      scene_id: at.mock.scenes()[0]?.scene_id,
    });
    return asked as { summary: string; data: { negotiation_id: string; resume_with: { params: object } } };
  };
  const there = (id: string) => at.mock.negotiations().find((one) => one.negotiation_id === id);
  return { at, call, demand, there };
}

const listOf = async ({ person, at }: { person: { browser: Browser }; at: SignInEndpoint }) =>
  (await person.browser.ask(`${at.origin}/browsers`)).text;
type Browser = Awaited<ReturnType<typeof signedIn>>["person"]["browser"];
const idIn = (text: string, name: "end" | "word") =>
  new RegExp(`name="${name}" value="([\\w-]+)"`).exec(text)?.[1] ?? "";

describe("a yes that its AI passes on", () => {
  it("does not count, whatever call brings it; the person decides themselves", async () => {
    const { at, call, demand, there } = await serving();
    const { access } = await signedIn(at, await at.token());
    const { summary, data } = await demand(access);
    expect(summary).toContain("This sign-in lets no AI pass on a yes.");
    const { negotiation_id } = data;
    for (const [tool, more] of [
      ["towow_demand", { decision: "accept" }],
      ["towow_demand", { decision: "edit", confirmed_text: "Another text" }],
    ] as const) {
      const refused = await call(access, tool, { negotiation_id, ...data.resume_with?.params, ...more });
      expect(refused.error.code).toBe("tool.policy.blocked.not_passed_on");
    }
    expect(there(negotiation_id)).toMatchObject({ confirmCount: 0, state: "formulated" });
    const withdrawn = await call(access, "towow_demand", { negotiation_id, decision: "reject" });
    expect(withdrawn.data).toMatchObject({ decision: "reject" });
  });

  it("counts where its person has allowed just that, until they take it back", async () => {
    const { at, call, demand, there } = await serving();
    const { access, person } = await signedIn(at, await at.token(), { word: "yes" });
    const first = await demand(access);
    const yes = await call(access, "towow_demand", { ...first.data.resume_with.params, decision: "accept" });
    expect(yes.data).toMatchObject({ decision: "accept", decided_by: "argument" });
    await soon(() => there(first.data.negotiation_id)?.confirmCount).toBe(1);
    const list = await listOf({ person, at });
    expect(list).toContain("Its AI may pass on your yes.");
    await person.browser.ask(`${at.origin}/browsers`, { word: idIn(list, "word") });
    expect(await listOf({ person, at })).not.toContain("Its AI may pass on your yes.");
    const second = await call(access, "towow_demand", {
      intent: "A nurse",
      scene_id: at.mock.scenes()[0]?.scene_id,
    });
    const { negotiation_id } = second.data;
    const no = await call(access, "towow_demand", { negotiation_id, decision: "accept" });
    expect(no.error.code).toBe("tool.policy.blocked.not_passed_on");
    expect(there(negotiation_id)).toMatchObject({ confirmCount: 0 });
  });

  it("the same person's own token passes it on as before", async () => {
    const { at, call, demand } = await serving();
    const token = await at.token();
    await signedIn(at, token);
    const { data } = await demand(token);
    const yes = await call(token, "towow_demand", { ...data.resume_with.params, decision: "accept" });
    expect(yes.data).toMatchObject({ decided_by: "argument" });
  });

  it("sends no profile, creates no scene and stops nothing that is out", async () => {
    const { at, call, demand, there } = await serving();
    const token = await at.token();
    const { access } = await signedIn(at, token);
    const scene_id = at.mock.scenes()[0]?.scene_id;
    const profile = { scene: scene_id, display_name: "Lin", profile_data: { skills: ["design", "research", "figma"] } };
    const shown = await call(access, "towow_join", profile);
    const hash = /"?profile_hash"?:\s*"([^"]+)"/.exec(JSON.stringify(shown))?.[1];
    const joined = await call(access, "towow_join", { ...profile, ...(hash && { profile_hash: hash }) });
    const scenes = at.mock.scenes().length;
    const made = await send(at.port, {
      path: "/mcp?mode=developer",
      headers: bearer(access),
      body: toolCall("towow_create_scene", { name: "Mine", description: "A scene of my own" }),
    });
    const { data } = await demand(token, "A designer [[center=hang]]"); // it is out, and not over
    await call(token, "towow_demand", { ...data.resume_with.params, decision: "accept" });
    const stopped = await send(at.port, {
      path: "/mcp?mode=developer",
      headers: bearer(access),
      body: toolCall("towow_action", { negotiation_id: data.negotiation_id, action: "cancel" }),
    });
    const codes = [shown, joined, resultOf(made), resultOf(stopped)].map(({ error }) => error?.code);
    expect(codes.map((code) => code?.startsWith("tool.policy.blocked."))).toEqual([true, true, true, true]);
    expect(at.mock.journal.filter(({ method, path }) => method === "POST" && /agents$/.test(path))).toEqual([]);
    expect(at.mock.scenes().length).toBe(scenes);
    expect(there(data.negotiation_id)).toMatchObject({ cancelled: false });
  });

  it("under strict is not offered, and not granted to who asks for it", async () => {
    const { at } = await serving({ env: { TOWOW_CONFIRMATION_POLICY: "strict" } });
    const { access, person, program } = await signedIn(at, await at.token(), { word: "yes" });
    const { text } = await person.opens(program.asks());
    expect(text).not.toContain('name="word"');
    expect(text).toContain("It can never broadcast without your own yes");
    expect(await listOf({ person, at })).not.toContain("may pass on your yes");
    expect(access).toMatch(/^twa_/);
  });
});

describe("the end", () => {
  it("closes its sessions and streams at once, and no one else's; what waits stays guarded to its deadline", async () => {
    const clock = new ManualClock();
    const { at, demand, there } = await serving({ clock, mock: { confirmTimeoutMs: 300_000 } });
    const run = <T>(work: Promise<T>) => alongside(clock, work);
    const token = await at.token();
    const [one, other] = [await run(signedIn(at, token)), await run(signedIn(at, token))];
    const { negotiation_id } = (await run(demand(one.access))).data;
    const sessions = [
      await run(openSession(at.port, bearer(one.access))),
      await run(openSession(at.port, bearer(other.access))),
    ];
    const ping = async (index: number, access: string) =>
      (
        await run(
          send(at.port, { headers: { ...bearer(access), "Mcp-Session-Id": sessions[index] }, body: rpc("ping") }),
        )
      ).status;
    expect([await ping(0, one.access), await ping(1, other.access)]).toEqual([200, 200]);
    // Another program of the same person has no part in it.
    expect(await ping(0, other.access)).toBe(404);
    const stream = run(
      send(at.port, {
        method: "GET",
        headers: { ...bearer(one.access), "Mcp-Session-Id": sessions[0], Accept: "text/event-stream" },
      }),
    );
    const list = (await run(listOf({ person: one.person, at }))).split("<li>");
    const mine = list.filter((row) => row.includes('name="end"'));
    expect(mine).toHaveLength(2);
    for (const row of mine) {
      const ids = [idIn(row, "end")];
      if (Buffer.from(one.access).toString().startsWith(`twa_${ids[0]}`))
        await run(one.person.browser.ask(`${at.origin}/browsers`, { end: ids[0] ?? "" }));
    }
    expect((await stream).status).toBe(200); // it ended
    expect(await ping(0, one.access)).toBe(401);
    expect(await ping(1, other.access)).toBe(200);
    expect(there(negotiation_id)?.state).toBe("formulated");
    await clock.until(() => there(negotiation_id)?.state === "completed", { stepMs: 1_000, limitMs: 400_000 });
    expect(there(negotiation_id)).toMatchObject({ confirmCount: 0 });
  });

  it("of another person's is not theirs to bring", async () => {
    const { at } = await serving();
    const [ada, eve] = [await signedIn(at, await at.token()), await signedIn(at, await at.token())];
    const id = ada.access.slice(4, 26);
    await eve.person.browser.ask(`${at.origin}/browsers`, { end: id, word: id });
    expect((await send(at.port, { headers: bearer(ada.access), body: initialize({}) })).status).toBe(200);
  });
});

describe("one process", () => {
  it("a restart signs nobody out, between code and token either; files are the operator's alone, and hold no token", async () => {
    const { at } = await serving();
    const token = await at.token();
    const { access, refresh, program, person } = await signedIn(at, token);
    const code = await person.allows(program.asks(), {});
    at.signal("SIGTERM");
    await at.exited;
    const dir = join(at.home, "sign-in");
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    const files = readdirSync(dir).map((name) => join(dir, name));
    expect(files.every((file) => (statSync(file).mode & 0o077) === 0)).toBe(true);
    const text = files.map((file) => readFileSync(file, "utf8")).join();
    for (const secret of [token, access, refresh, code]) expect(text).not.toContain(secret);
    const next = await startSignIn({ backend: { mock: at.mock, url: at.mockUrl }, home: at.home });
    onTestFinished(() => next.close());
    expect((await send(next.port, { headers: bearer(access), body: initialize({}) })).status).toBe(200);
    Object.assign(program.at, { port: next.port, origin: next.origin });
    const redeemed = await program.redeem(code, { resource: undefined });
    expect(redeemed.status).toBe(200);
    expect((await program.refresh(refresh)).status).toBe(200);
    expect(existsSync(join(dir, "key.json"))).toBe(true);
    const forgotten = await command(["forget", "--all", "--yes", "--force"], { TOWOW_HOME: at.home });
    expect(forgotten.stdout).toContain("sign-ins of programs at an endpoint of this home");
    expect(existsSync(dir) ? readdirSync(dir) : []).toEqual([]);
  });
});

it("a yes that could not be written down is no answer yet: the same page takes it when it can be", async () => {
  const { at } = await serving();
  const [program, person] = [new AskingProgram(at), new ConsentingPerson(at)];
  await program.register();
  const { page } = await person.opens(program.asks());
  await person.answers(page, { do: "check", who: "token", token: await at.token() });
  const folder = join(at.home, "sign-in");
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, "");
  const failed = await person.answers(page, { do: "allow" });
  expect([failed.status, failed.headers.location]).toEqual([502, undefined]);
  rmSync(folder);
  renameSync(`${folder}.away`, folder);
  await person.opens(page);
  const { headers } = await person.answers(page, { do: "allow" });
  expect(headers.location).toContain("code=");
});

describe("a token of the backend's that ends", () => {
  it("is renewed ahead of that, once, and the account stays", async () => {
    const clock = new ManualClock();
    const { at, call, demand } = await serving({ clock, mock: { tokenLifetimeMs: 120_000 } });
    const run = <T>(work: Promise<T>) => alongside(clock, work);
    const { access, negotiation } = await run(
      (async () => {
        const [program, person] = [new AskingProgram(at), new ConsentingPerson(at)];
        await program.register();
        const { page } = await person.opens(program.asks());
        await person.answers(page, { do: "allow", who: "new" });
        const { headers } = await person.answers(page, { do: "allow" });
        const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
        const issued = JSON.parse((await program.redeem(code)).text);
        const access = issued.access_token as string;
        return { access, negotiation: (await demand(access)).data.negotiation_id };
      })(),
    );
    const issued = () => at.mock.journal.filter(({ path }) => path === "/v1/api/auth/mcp-token").length;
    const before = issued();
    for (let minute = 0; minute < 10; minute++) {
      await run(clock.advance(60_000));
      const both = await run(
        Promise.all([
          call(access, "towow_status", { negotiation_id: negotiation }),
          call(access, "towow_list_scenes", {}),
        ]),
      );
      expect(both[0].error).toBeNull();
    }
    expect(issued() - before).toBeGreaterThanOrEqual(5);
    expect(issued() - before).toBeLessThanOrEqual(10);
  });

  it("before it can be called ahead of its end, or by a clock that is ahead, is not renewed at every call", async () => {
    const clock = new ManualClock();
    const { at, call } = await serving({ clock, mock: { tokenLifetimeMs: 50_000 } });
    const run = <T>(work: Promise<T>) => alongside(clock, work);
    const [program, person] = [new AskingProgram(at), new ConsentingPerson(at)];
    await program.register();
    const { page } = await run(person.opens(program.asks()));
    await run(person.answers(page, { do: "allow", who: "new" }));
    const { headers } = await run(person.answers(page, { do: "allow" }));
    const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
    const access = JSON.parse((await run(program.redeem(code))).text).access_token as string;
    const issued = () => at.mock.journal.filter(({ path }) => path === "/v1/api/auth/mcp-token").length;
    const before = issued();
    for (let n = 0; n < 5; n++) await run(call(access, "towow_join", { scene: "x" }));
    expect(issued() - before).toBe(1);
  });

  it("and cannot be renewed ends the grant: 401, and one sign-in puts it right", async () => {
    const { at, call } = await serving();
    const { access } = await signedIn(at, await at.token());
    at.mock.expireTokens();
    await call(access, "towow_status", { negotiation_id: "neg_none" });
    const refused = await send(at.port, { headers: bearer(access), body: initialize({}) });
    expect([refused.status, refused.headers["www-authenticate"]]).toEqual([
      401,
      expect.stringContaining("invalid_token"),
    ]);
  });
});

it("with --own-tokens off only programs that were allowed are served", async () => {
  const { at } = await serving({ args: ["--own-tokens", "off"] });
  const token = await at.token();
  const { access } = await signedIn(at, token);
  const statusOf = async (one: string) => (await send(at.port, { headers: bearer(one), body: initialize({}) })).status;
  expect([await statusOf(token), await statusOf(access)]).toEqual([401, 200]);
});

it("on this machine alone its person signs in with the home's key; without that the grant opens nothing", async () => {
  const { port, homeKey, home, close } = await startEndpoint();
  onTestFinished(close);
  const at = { port, origin: `http://127.0.0.1:${port}` };
  const [program, person] = [new AskingProgram(at), new ConsentingPerson(at)];
  await program.register();
  const code = await person.allows(program.asks(), { who: "token", token: homeKey() });
  const { access_token } = JSON.parse((await program.redeem(code)).text);
  const statusOf = async () => (await send(port, { headers: bearer(access_token), body: initialize({}) })).status;
  expect(await statusOf()).toBe(200);
  expect((await person.browser.ask(`${at.origin}/browsers`)).text).toContain("a program on a computer of yours");
  rmSync(join(home, "home.key"));
  expect(await statusOf()).toBe(401);
});

it("revoking all but this browser ends the programs too", async () => {
  const { at } = await serving();
  const { access, person } = await signedIn(at, await at.token());
  await person.browser.ask(`${at.origin}/browsers`, { forget: "others" });
  expect((await send(at.port, { headers: bearer(access), body: initialize({}) })).status).toBe(401);
  expect(await listOf({ person, at })).toContain("This browser");
});

it("a token that is sent by hand ends when it ends, also where its person's programs go on", async () => {
  const clock = new ManualClock();
  const { at, call } = await serving({ clock, mock: { tokenLifetimeMs: 120_000 } });
  const run = <T>(work: Promise<T>) => alongside(clock, work);
  const [program, person] = [new AskingProgram(at), new ConsentingPerson(at)];
  await program.register();
  const { page } = await run(person.opens(program.asks()));
  const joined = await run(person.answers(page, { do: "allow", who: "new" }));
  const byHand = /id="token"[^>]*>([^<]+)</.exec(joined.text)?.[1] ?? "";
  const { headers } = await run(person.answers(page, { do: "allow" }));
  const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
  const access = JSON.parse((await run(program.redeem(code))).text).access_token as string;
  const list = (token: string) => run(call(token, "towow_join", { scene: "x" }));
  expect((await list(byHand)).error?.code).not.toBe("tool.auth.unauthorized.token_rejected");
  for (let n = 0; n < 3; n++) {
    await run(clock.advance(50_000));
    expect((await list(access)).error?.code).not.toBe("tool.auth.unauthorized.token_rejected");
  }
  await run(clock.advance(66 * 60_000)); // an acceptance that was noted is over too
  const answer = await run(send(at.port, { headers: bearer(byHand), body: toolCall("towow_join", { scene: "x" }) }));
  const said = answer.status === 401 ? "tool.auth.unauthorized.token_rejected" : resultOf(answer).error?.code;
  expect(said).toBe("tool.auth.unauthorized.token_rejected");
});

it("a token that is sent by hand after its end opens nothing while the backend cannot say so", async () => {
  const clock = new ManualClock();
  const { at, call } = await serving({ clock, mock: { tokenLifetimeMs: 120_000 } });
  const run = <T>(work: Promise<T>) => alongside(clock, work);
  const [program, person] = [new AskingProgram(at), new ConsentingPerson(at)];
  await program.register();
  const { page } = await run(person.opens(program.asks()));
  const joined = await run(person.answers(page, { do: "allow", who: "new" }));
  const byHand = /id="token"[^>]*>([^<]+)</.exec(joined.text)?.[1] ?? "";
  const { headers } = await run(person.answers(page, { do: "allow" }));
  const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
  const issued = JSON.parse((await run(program.redeem(code))).text);
  await run(clock.advance(66 * 60_000)); // an acceptance that was noted is over too
  const renewed = JSON.parse((await run(program.refresh(issued.refresh_token))).text);
  const access = renewed.access_token as string;
  await run(call(access, "towow_join", { scene: "x" })); // the program's has been renewed
  await at.mock.close();
  const statusOf = async (token: string) =>
    (await run(send(at.port, { headers: bearer(token), body: initialize({}) }))).status;
  expect([await statusOf(access), await statusOf(byHand)]).toEqual([200, 503]);
});

it("where the network issues no tokens who is new gets one that is good here alone, and is one person with it", async () => {
  const { at, call } = await serving({ mock: { legacyRoutes: true } });
  const [program, person] = [new AskingProgram(at), new ConsentingPerson(at)];
  await program.register();
  const { page } = await person.opens(program.asks());
  const joined = await person.answers(page, { do: "allow", who: "new" });
  expect(joined.text).toContain("This one is valid here alone.");
  const byHand = /id="token"[^>]*>([^<]+)</.exec(joined.text)?.[1] ?? "";
  const { headers } = await person.answers(page, { do: "allow" });
  const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
  const access = JSON.parse((await program.redeem(code)).text).access_token as string;
  const demand = await call(access, "towow_demand", { intent: "A designer", scene_id: at.mock.scenes()[0]?.scene_id });
  const seen = await call(byHand, "towow_status", {});
  expect(seen.data.negotiation_id).toBe(demand.data.negotiation_id);
});
