import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMockBackend } from "../../mock-backend/main.ts";
import { createHomeBackends } from "../../src/app/home-backends.ts";
import { createUser } from "../../src/app/user.ts";
import { createHttp } from "../../src/backend/http.ts";
import { DryRun } from "../../src/backend/operation.ts";
import { Failure, type TowowError } from "../../src/errors.ts";
import { ConfigStore } from "../../src/home/config-store.ts";
import type { LiveSettings } from "../../src/home/live-settings.ts";
import { temporaryHome } from "../support/home.ts";
import { clockOf, whileAlive } from "../support/life.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { createMemoryFacts } from "../support/memory-facts.ts";
import { platformWith } from "../support/platform.ts";
import { settingsOf } from "../support/settings.ts";
import { memoryOf, serverPartsOf } from "../support/user.ts";

/** What is waiting is guarded at the backend at which it was submitted, whatever its person changes in the settings. */

const HOST = "https://network.example";

/** One home whose settings change while its program runs, and one backend that answers under every path of one host. */
async function program({ idOf = (id: string) => id } = {}) {
  const clock = new ManualClock();
  const mock = createMockBackend({ clock, seed: 3, stepMs: 150, auth: false });
  onTestFinished(() => mock.close());
  const file: Record<string, unknown> = { backend_url: HOST, confirm_deadline_s: 300 };
  const settings = settingsOf(file);
  const sent: string[] = [];
  const bearers: string[] = [];
  const state: { problem?: TowowError; answers?: (() => Response) | undefined } = {};
  const known = () => mock.negotiations()[0]?.negotiation_id ?? "none";
  async function answerTo(request: Request): Promise<Response> {
    const { pathname, origin } = new URL(request.url);
    sent.push(`${request.method} ${pathname}`);
    bearers.push(request.headers.get("authorization") ?? "none");
    if (state.answers !== undefined && request.method === "POST") return state.answers();
    const own = decodeURIComponent(pathname).replace(/^\/(?:prod|test)\b/, "");
    const answer = await mock.fetch(new Request(`${origin}${own.replace(idOf(known()), known())}`, request));
    return new Response((await answer.text()).replaceAll(known(), idOf(known())), answer);
  }
  const facts = createMemoryFacts();
  const home = await temporaryHome();
  let kill = () => {};
  function start() {
    let alive = true;
    kill = () => {
      alive = false;
    };
    const isAlive = () => alive;
    const own = clockOf(clock, isAlive);
    const fetch = (request: Request) => whileAlive(isAlive, () => answerTo(request));
    const http = createHttp(platformWith(own), { version: "test", fetch });
    const live: LiveSettings = {
      current: settings,
      problem: () => state.problem,
      onChange: () => () => {},
      save: async () => {},
      saveLastIds: async () => {},
      refresh: () => {},
      watch: () => () => {},
    };
    const server = serverPartsOf(own);
    const backends = createHomeBackends({
      live,
      config: new ConfigStore(server, home),
      http,
      sandbox: { address: async () => "http://127.0.0.1:9", http },
      peers: { hasOthers: async () => false },
      platform: server,
      version: server.version,
    });
    return createUser({
      settings: { live, with: () => live },
      backends,
      history: {
        facts,
        owner: { instance: nanoid(), pid: 1 },
        asAnother: () => ({ instance: nanoid(), pid: 1 }),
        isAlive: async () => false,
      },
      memory: memoryOf(own),
      server,
    });
  }
  let user = start();
  const scene_id = mock.scenes()[0]?.scene_id ?? "";
  return {
    clock,
    scene_id,
    file,
    state,
    only: () => mock.negotiations()[0],
    posts: () => sent.filter((line) => line.startsWith("POST") && line.endsWith("/action")),
    forget() {
      sent.splice(0);
      bearers.splice(0);
    },
    /** As whom it was asked: the values of `Authorization`, each once. */
    askedAs: () => [...new Set(bearers)],
    /** Somebody writes an account into the file. */
    become: (user_id: string) => {
      const identities = { [HOST]: { user_id, api_token: `token-of-${user_id}` } };
      writeFileSync(join(home, "config.json"), JSON.stringify({ identities }), { mode: 0o600 });
    },
    sent: () => [...sent],
    /** Another program of the same home, after this one was killed. */
    restart() {
      kill();
      user = start();
    },
    server: (chosen = {}) => user.server(chosen),
    account: (path = "") => user.server().accounts.at(`${HOST}${path}`),
    /** Submits and waits until the text is there. */
    async paused(path = "") {
      const { negotiations } = user.server().accounts.at(`${HOST}${path}`);
      const demand = { scene_id, user_id: "ada", intent: "A designer", min_score: 0 };
      const { id } = await clock.run(negotiations.submit(demand));
      await clock.run(negotiations.wait(id, { until: (n) => n.state === "formulated", budgetMs: 10_000 }));
      return id;
    },
  };
}

it.each(["dry_run", "offline", "read_only"])(
  "profile %s, set while a demand waits: it is withdrawn in time",
  async (profile) => {
    const { paused, clock, file, only, forget, sent, account } = await program();
    await paused();
    file.profile = profile;
    forget();
    await clock.advance(299_000);
    expect(only()).toMatchObject({ cancelled: true, confirmCount: 0, confirmedBy: undefined });
    if (profile === "offline") expect(sent().filter((line) => !line.endsWith("/action"))).toEqual([]);
    const scenes = account()
      .backend("call")
      .then((backend) => backend.listScenes({}));
    await (profile === "offline"
      ? expect(scenes).rejects.toMatchObject({ code: "tool.policy.blocked.offline" })
      : scenes);
  },
);

it.each(["dry_run", "offline", "a mistake in the settings"])(
  "a no whose first try failed goes out after all, though %s has come",
  async (change) => {
    const { paused, clock, file, state, account, only } = await program();
    const id = await paused();
    state.answers = () => Response.json({ detail: "bad gateway" }, { status: 502 });
    const call = account().negotiations.forCall({ requestId: "call" });
    const no = clock.run(call.decide({ negotiationId: id, kind: "reject", by: "argument" }));
    await expect(no).rejects.toThrow();
    if (change.includes(" "))
      state.problem = new Failure("tool.config.invalid.file", { path: "config.json", reason: "not_json" });
    else file.profile = change;
    state.answers = undefined;
    await clock.advance(30_000);
    expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 });
  },
);

it("another path of the same host is another backend: what waits is withdrawn where it was submitted", async () => {
  const { paused, clock, account, posts, only } = await program();
  const id = await paused("/prod");
  account("/test");
  await clock.advance(299_000);
  expect(posts()).toEqual([`POST /prod/v1/api/negotiations/${id}/action`]);
  expect(only()).toMatchObject({ cancelled: true });
});

describe("what was begun as one account, where the settings name another one by now", () => {
  it("is read and withdrawn as the first, at the deadline and at the end", async () => {
    for (const ends of [false, true]) {
      const { paused, clock, account, become, askedAs, forget, only } = await program();
      become("ada");
      await paused();
      expect(askedAs()).toEqual(["Bearer token-of-ada"]);
      become("bob");
      forget();
      if (ends) await clock.run(account().negotiations.shutdown());
      else await clock.advance(299_000);
      expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 });
      expect(askedAs()).toEqual(["Bearer token-of-ada"]);
    }
  });

  it("is decided as the first; what is begun then is the other's", async () => {
    const { paused, clock, account, become, askedAs, forget, scene_id } = await program();
    become("ada");
    const id = await paused();
    become("bob");
    forget();
    const call = account().negotiations.forCall({ requestId: "call" });
    await clock.run(call.decide({ negotiationId: id, kind: "reject", by: "argument" }));
    expect(askedAs()).toEqual(["Bearer token-of-ada"]);
    forget();
    await clock.run(account().negotiations.submit({ scene_id, user_id: "bob", intent: "A nurse", min_score: 0 }));
    expect(askedAs()).toEqual(["Bearer token-of-bob"]);
  });

  it("is withdrawn as nobody by a program that never had the first one's token", async () => {
    const { paused, clock, account, become, askedAs, forget, restart, only } = await program();
    become("ada");
    await paused();
    restart();
    become("bob");
    forget();
    await clock.run(account().negotiations.recover());
    await clock.advance(299_000);
    expect(askedAs()).toEqual(["none"]);
    expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 }); // this backend asks for no token
  });

  it("is withdrawn as the first one, though the demand names a third", async () => {
    const { clock, account, become, askedAs, forget, scene_id, only } = await program();
    become("ada");
    await clock.run(account().negotiations.submit({ scene_id, user_id: "eve", intent: "A nurse", min_score: 0 }));
    forget();
    await clock.advance(310_000);
    expect(askedAs()).toEqual(["Bearer token-of-ada"]);
    expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 });
  });
});

it.each(["live", "dry_run", "offline"])(
  "a program that is started under %s withdraws what a killed one left",
  async (profile) => {
    const { paused, clock, file, only, restart, account } = await program();
    await paused();
    restart();
    file.profile = profile;
    await clock.run(account().negotiations.recover());
    await clock.advance(299_000);
    expect(only()?.cancelled).toBe(profile !== "dry_run"); // which answers for nobody's question but its own
  },
);

it.each(["-5b8cf8d6ab84", "neg~1", "neg_$(touch)"])(
  "a demand whose id could stand in no command (%s) is taken back at once",
  async (id) => {
    const { account, clock, only, scene_id } = await program({ idOf: () => id });
    const demand = { scene_id, user_id: "ada", intent: "A designer", min_score: 0 };
    const submitted = clock.run(account().negotiations.submit(demand));
    await expect(submitted).rejects.toMatchObject({ code: "tool.backend.invalid.wrong_shape" });
    await clock.advance(1_000);
    expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 });
    expect(await account().negotiations.records()).toEqual([]);
  },
);

it("a request that chooses dry_run sends nothing, and what waits is guarded all the same", async () => {
  const { paused, clock, server, posts, only } = await program();
  const id = await paused();
  const { negotiations } = server({ profile: "dry_run" }).accounts.at(HOST);
  const no = negotiations.forCall({ requestId: "call" }).decide({ negotiationId: id, kind: "reject", by: "argument" });
  await expect(clock.run(no)).rejects.toBeInstanceOf(DryRun);
  expect(posts()).toEqual([]);
  await clock.advance(299_000);
  expect(posts()).toHaveLength(1);
  expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 });
  expect(server({ profile: "dry_run" }).accounts.at(HOST).negotiations).toBe(negotiations);
});
