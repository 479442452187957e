import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { cancels, confirms, type RunningMock, runningMock } from "../support/backend.ts";
import { CLI, cli, inPseudoTerminal, SCRIPT, TERMINAL } from "../support/cli.ts";
import { send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { temporaryHome } from "../support/home.ts";
import { NODE_ENV } from "../support/node-env.ts";
import { program, type Running } from "../support/program.ts";
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
  const mock = await runningMock();
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
  return { mock, env };
}

const confirmArrived = (mock: RunningMock) => expect.poll(() => confirms(mock).length).toBe(1);

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
function stdioServer(env: Record<string, string>) {
  const it = program(["stdio"], { env });
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
    const { mock, env } = await setUp(situation);
    const { it, begin, call } = stdioServer(env);
    await begin();
    const { structuredContent } = await call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    expect(structuredContent.data.state).toBe("formulated");
    if (situation === "decided") {
      const { params } = structuredContent.data.resume_with;
      void call("towow_demand", { ...params, decision: "accept" });
      await confirmArrived(mock);
    }
    expect(await ended(it, way, mock)).toEqual([status, OUTCOMES[situation]]);
  });

  it.each<[Way, number]>([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["crash", 1],
  ])("a call ends by %s at its question", async (way, status) => {
    const { mock, env } = await setUp(situation);
    const line = ["call", "towow_demand", JSON.stringify({ intent: INTENT, scene_id: mock.sceneId })];
    const it = program(line, { env, terminal: TERMINAL });
    const user = person(it);
    await user.sees(/\[a\]ccept/);
    if (situation === "decided") {
      user.types("a");
      user.types(await user.sees(/Type (\d{4})/));
      await confirmArrived(mock);
    }
    expect(await ended(it, way, mock)).toEqual([status, OUTCOMES[situation]]);
  });

  it.each<[Way, number]>([
    ["SIGINT", 0],
    ["SIGTERM", 0],
    ["SIGHUP", 0],
    ["crash", 1],
  ])("serve ends by %s", async (way, status) => {
    const { mock, env } = await setUp(situation);
    const backend = { mock, url: mock.url };
    const endpoint = await startEndpoint({ backend, env, home: env.TOWOW_HOME!, args: ["--drain", "1"] });
    try {
      const headers = { Authorization: `Bearer ${endpoint.homeKey()}` };
      const call = async (name: string, args: object) =>
        (await send(endpoint.port, { headers, body: toolCall(name, args) })).json.result.structuredContent;
      const { data } = await call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
      expect(data.state).toBe("formulated");
      if (situation === "decided") {
        void call("towow_demand", { ...data.resume_with.params, decision: "accept" }).catch(() => {});
        await confirmArrived(mock);
      }
      if (way === "crash") endpoint.crash(new Error("broken"));
      else endpoint.signal(way as NodeJS.Signals);
      expect(await endpoint.exited).toBe(status);
      expect(mock.negotiations()).toMatchObject([OUTCOMES[situation]]);
      expect(endpoint.events("draining")).toHaveLength(way === "crash" ? 0 : 1);
    } finally {
      await endpoint.close();
    }
  });
});

/** Runs in the program before anything of it, and breaks it when it is told to. */
const breaksAtSignal = (statement: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2",()=>{${statement}})`)}`;

const demandLine = (mock: RunningMock) => [
  "call",
  "towow_demand",
  JSON.stringify({ intent: INTENT, scene_id: mock.sceneId }),
];

/** A program in a terminal of its own; `pid` is its process's. */
async function inWindow(args: readonly string[], env: Record<string, string>, before = "exec") {
  const quoted = args.map((arg) => `'${arg}'`).join(" ");
  const window = inPseudoTerminal(`echo pid $$; ${before} '${process.execPath}' '${CLI}' ${quoted}`, {
    ...NODE_ENV,
    ...env,
  });
  const user = person(window);
  return { window, user, pid: Number(await user.sees(/pid (\d+)/)) };
}

const isGone = (pid: number) => {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
};

describe.skipIf(SCRIPT === undefined)("a process of its own", () => {
  it.each([
    ["an uncaught error", 'throw new Error("SEC"+"RET")'],
    ["an unhandled rejection", 'void Promise.reject(new Error("SEC"+"RET"))'],
  ])("%s at the question withdraws, is logged without its words, and the exit status is 1", async (_, statement) => {
    const { mock, env } = await setUp("undecided");
    const { user, pid } = await inWindow(demandLine(mock), { ...env, NODE_OPTIONS: breaksAtSignal(statement) });
    await user.sees(/\[a\]ccept/);
    process.kill(pid, "SIGUSR2");
    expect(await user.exit).toBe(1);
    expect(mock.negotiations()).toMatchObject([OUTCOMES.undecided]);
    const [file = ""] = await readdir(join(env.TOWOW_HOME!, "logs"));
    const log = await readFile(join(env.TOWOW_HOME!, "logs", file), "utf8");
    expect(log).toMatch(/"event":"command_failed","error":"Error at process\.<anonymous>/);
    expect(log + user.screen()).not.toContain("SECRET");
  });

  it.each([
    ["its window is closed", "exec"],
    ["its terminal fails, and no signal comes", "setsid --wait"],
  ])("%s at the question of a call: withdrawn", async (_, before) => {
    const { mock, env } = await setUp("undecided");
    const { window, user } = await inWindow(demandLine(mock), env, before);
    await user.sees(/\[a\]ccept/);
    window.kill("SIGKILL"); // the other end of the terminal goes with it
    await expect.poll(() => mock.negotiations()).toMatchObject([OUTCOMES.undecided]);
    expect(confirms(mock)).toEqual([]);
  });

  it("a no at the question of confirm arrives, though its window is closed and the backend away for longer than last words take", async () => {
    const { mock, env } = await setUp("undecided, left to the backend");
    const asked = await cli([...demandLine(mock), "--json"], { env });
    const { negotiation_id } = JSON.parse(asked.stdout).data;
    mock.faults.add({ route: "action", kind: "drop_before", times: 6 }); // a try a second
    const { window, user, pid } = await inWindow(["confirm", negotiation_id], {
      ...env,
      TOWOW_ON_UNCONFIRMED: "cancel",
    });
    await user.sees(/\[a\]ccept/);
    user.types("r");
    await expect.poll(() => cancels(mock).length).toBe(1);
    window.kill("SIGKILL");
    await expect.poll(() => isGone(pid)).toBe(true);
    expect(mock.negotiations()).toMatchObject([OUTCOMES.undecided]);
  });
});
