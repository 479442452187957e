import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cancels, confirms, type RunningMock, runningMock } from "../support/backend.ts";
import { CLI, cli, inPseudoTerminal, SCRIPT } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { NODE_ENV } from "../support/node-env.ts";
import { person } from "../support/terminal.ts";

/** What becomes of an undecided demand where only a process, or its terminal, can end so; the other ways are in ends-by-clock.full.test.ts. */

const INTENT = "A designer for a hospital queue pilot";
const WITHDRAWN = { cancelled: true, confirmCount: 0 };

async function setUp(more: Record<string, string> = {}) {
  const mock = await runningMock();
  const env: Record<string, string> = {
    PATH: NODE_ENV.PATH,
    LANG: "en_US.UTF-8",
    TOWOW_LANG: "en",
    TOWOW_HOME: await temporaryHome(),
    TOWOW_BACKEND_URL: mock.url,
    ...more,
  };
  return { mock, env };
}

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
    const { mock, env } = await setUp();
    const { user, pid } = await inWindow(demandLine(mock), { ...env, NODE_OPTIONS: breaksAtSignal(statement) });
    await user.sees(/\[a\]ccept/);
    process.kill(pid, "SIGUSR2");
    expect(await user.exit).toBe(1);
    expect(mock.negotiations()).toMatchObject([WITHDRAWN]);
    const [file = ""] = await readdir(join(env.TOWOW_HOME!, "logs"));
    const log = await readFile(join(env.TOWOW_HOME!, "logs", file), "utf8");
    expect(log).toMatch(/"event":"command_failed","error":"Error at process\.<anonymous>/);
    expect(log + user.screen()).not.toContain("SECRET");
  });

  it.each([
    ["its window is closed", "exec"],
    ["its terminal fails, and no signal comes", "setsid --wait"],
  ])("%s at the question of a call: withdrawn", async (_, before) => {
    const { mock, env } = await setUp();
    const { window, user } = await inWindow(demandLine(mock), env, before);
    await user.sees(/\[a\]ccept/);
    window.kill("SIGKILL"); // the other end of the terminal goes with it
    await expect.poll(() => mock.negotiations()).toMatchObject([WITHDRAWN]);
    expect(confirms(mock)).toEqual([]);
  });

  it("a no at the question of confirm arrives, though its window is closed and the backend away for longer than last words take", async () => {
    const { mock, env } = await setUp({ TOWOW_ON_UNCONFIRMED: "leave" });
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
    expect(mock.negotiations()).toMatchObject([WITHDRAWN]);
  });
});
