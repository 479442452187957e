import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { alongside, until } from "../journeys/alongside.ts";
import { confirms, type RunningMock, runningMock } from "../support/backend.ts";
import { TERMINAL } from "../support/cli.ts";
import { buttonIn } from "../support/decision-page.ts";
import { send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { temporaryHome } from "../support/home.ts";
import { httpBrowser } from "../support/http-browser.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { NODE_ENV } from "../support/node-env.ts";
import { openedRoom } from "../support/open-room.ts";
import { program, type Running } from "../support/program.ts";
import { realPause } from "../support/real-pause.ts";
import { screenOf } from "../support/screen.ts";
import { soon } from "../support/soon.ts";
import { person } from "../support/terminal.ts";

/** Every way for a program to end before it is done, and what becomes of a demand then, by what the backend did. */

const INTENT = "A designer for a hospital queue pilot";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Way = (typeof SIGNALS)[number] | "crash" | "stdin";

const SITUATIONS = ["undecided", "undecided, left to the backend", "decided"] as const;
type Situation = (typeof SITUATIONS)[number];

/** What the backend has done by the program's end. */
const OUTCOMES = {
  undecided: { cancelled: true, confirmCount: 0 },
  "undecided, left to the backend": { cancelled: false, confirmCount: 0 },
  decided: { cancelled: false, confirmCount: 1 },
} satisfies Record<Situation, object>;

async function setUp(situation: Situation) {
  const clock = new ManualClock();
  const mock = await runningMock({ clock });
  const env: Record<string, string> = {
    PATH: NODE_ENV.PATH,
    LANG: "en_US.UTF-8",
    TOWOW_LANG: "en",
    TOWOW_HOME: await temporaryHome(),
    TOWOW_BACKEND_URL: mock.url,
    ...(situation === "undecided, left to the backend" && { TOWOW_ON_UNCONFIRMED: "leave" }),
  };
  // The program is told to end while its yes is on its way.
  mock.faults.add({ route: "confirm", kind: "delay", delayMs: 300 });
  const run = <T>(work: Promise<T>) => alongside(clock, work, realPause);
  const confirmArrives = () => until(clock, () => confirms(mock).length === 1, realPause);
  return { clock, mock, env, run, confirmArrives };
}

/** Ends it so; gives its exit status, and what the backend had done when it was over. */
async function ended(it: Running, way: Way, mock: RunningMock) {
  const over = new Promise((resolve) =>
    it.once("exit", (status) => {
      const [{ cancelled, confirmCount } = {}] = mock.negotiations();
      resolve([status, { cancelled, confirmCount }]);
    }),
  );
  if (way === "crash") it.crash(new Error("broken"));
  else if (way === "stdin") it.stdin?.end();
  else it.kill(way);
  return over;
}

/** A server that one client has started, by lines of JSON. */
function stdioServer(env: Record<string, string>, clock: ManualClock) {
  const it = program(["stdio"], { env, clock });
  const answers = new Map<number, (result: never) => void>();
  createInterface({ input: it.stdout! }).on("line", (line) => {
    const { id, result } = JSON.parse(line);
    answers.get(id)?.(result as never);
  });
  const request = (id: number, method: string, params: object) =>
    // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
    new Promise<any>((resolve) => {
      answers.set(id, resolve);
      it.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  let id = 1;
  return {
    it,
    async begin() {
      const clientInfo = { name: "ends", version: "1" };
      await request(id++, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
      it.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    },
    call: (name: string, args: object) => request(id++, "tools/call", { name, arguments: args }),
  };
}

describe.each(SITUATIONS)("%s", (situation) => {
  it.each<[Way, number]>([
    ["SIGINT", 0],
    ["SIGTERM", 0],
    ["SIGHUP", 0],
    ["stdin", 0],
    ["crash", 1],
  ])("a server ends by %s", async (way, status) => {
    const { clock, mock, env, run, confirmArrives } = await setUp(situation);
    const { it, begin, call } = stdioServer(env, clock);
    await run(begin());
    const { structuredContent } = await run(call("towow_demand", { intent: INTENT, scene_id: mock.sceneId }));
    expect(structuredContent.data.state).toBe("formulated");
    if (situation === "decided") {
      const { params } = structuredContent.data.resume_with;
      void call("towow_demand", { ...params, decision: "accept" });
      await confirmArrives();
    }
    expect(await run(ended(it, way, mock))).toEqual([status, OUTCOMES[situation]]);
  });

  it.each<[Way, number]>([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["crash", 1],
  ])("a call ends by %s at its question", async (way, status) => {
    const { clock, mock, env, run, confirmArrives } = await setUp(situation);
    const line = ["call", "towow_demand", JSON.stringify({ intent: INTENT, scene_id: mock.sceneId })];
    const it = program(line, { env, clock, terminal: TERMINAL });
    const user = person(it);
    await run(user.sees(/\[a\]ccept/));
    if (situation === "decided") {
      user.types("a");
      user.types(await run(user.sees(/Type (\d{4})/)));
      await confirmArrives();
    }
    expect(await run(ended(it, way, mock))).toEqual([status, OUTCOMES[situation]]);
  });

  it.each<[Way, number]>([
    ["SIGINT", 0],
    ["SIGTERM", 0],
    ["SIGHUP", 0],
    ["crash", 1],
  ])("serve ends by %s", async (way, status) => {
    const { clock, mock, env, run, confirmArrives } = await setUp(situation);
    const backend = { mock, url: mock.url };
    const endpoint = await run(startEndpoint({ backend, clock, env, home: env.TOWOW_HOME!, args: ["--drain", "1"] }));
    try {
      const headers = { Authorization: `Bearer ${endpoint.homeKey()}` };
      const call = async (name: string, args: object) =>
        (await run(send(endpoint.port, { headers, body: toolCall(name, args) }))).json.result.structuredContent;
      const { data } = await call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
      expect(data.state).toBe("formulated");
      if (situation === "decided") {
        void call("towow_demand", { ...data.resume_with.params, decision: "accept" }).catch(() => {});
        await confirmArrives();
      }
      if (way === "crash") endpoint.crash(new Error("broken"));
      else endpoint.signal(way as NodeJS.Signals);
      expect(await run(endpoint.exited)).toBe(status);
      expect(mock.negotiations()).toMatchObject([OUTCOMES[situation]]);
      // What it has in memory may be wrong after an error: nobody's call is waited for.
      expect(endpoint.events("draining")).toHaveLength(way === "crash" ? 0 : 1);
    } finally {
      await run(endpoint.close());
    }
  });
});

describe("a demand that cannot be withdrawn, since the backend does not answer, is named with the remedy", () => {
  const isAway = (mock: RunningMock) => {
    for (const route of ["action", "get"] as const) mock.faults.add({ route, kind: "drop_before", times: Infinity });
  };
  const LEFT = /(neg_\w+)\s+could\s+not\s+be\s+withdrawn:[\s\S]*towow-mcp\s+cancel\s+\1/;

  it("at Ctrl-C in a room", async () => {
    const { mock, address, origin, program: it } = await openedRoom();
    const [browser, over] = [httpBrowser(Number(new URL(origin).port), origin), once(it, "exit")];
    const room = `${origin}${(await browser.ask(address)).headers.location}`;
    const look = async () => (await browser.ask(room)).text;
    const press = async (tool: string, form = {}) =>
      browser.ask(`${room}/act`, { do: buttonIn(await look(), tool) ?? tool, ...form });
    const choose = `next?sceneId=${mock.sceneId}`;
    await soon(look).toContain(choose);
    await press(choose);
    await press("next", { "f.display_name": "Lin", "f.skills": "design\nresearch\nfigma" });
    await soon(look).toContain('name="f.intent"');
    await press("next", { "f.intent": INTENT });
    await soon(look).toContain('value="broadcast?');
    isAway(mock);
    const screen = screenOf(it);
    it.kill("SIGINT");
    expect(await over).toEqual([1, null]);
    expect(screen.text()).toMatch(LEFT);
    expect(mock.negotiations()).toMatchObject([{ cancelled: false, confirmCount: 0 }]);
  });

  it("at Ctrl-C at the question of a call", async () => {
    const { clock, mock, env, run } = await setUp("undecided");
    const line = ["call", "towow_demand", JSON.stringify({ intent: INTENT, scene_id: mock.sceneId })];
    const it = program(line, { env, clock, terminal: TERMINAL });
    const [user, over] = [person(it), once(it, "exit")];
    await run(user.sees(/\[a\]ccept/));
    isAway(mock);
    it.kill("SIGINT");
    expect(await over).toEqual([130, null]);
    expect(user.screen()).toMatch(LEFT);
    expect(mock.negotiations()).toMatchObject([{ cancelled: false, confirmCount: 0 }]);
  });
});
