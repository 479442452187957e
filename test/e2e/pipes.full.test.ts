import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Server } from "../../checks/machines/kills/server.ts";
import { runningMock } from "../support/backend.ts";
import { CLI, cli, SCRIPT } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { NODE_ENV } from "../support/node-env.ts";
import { atTerminal } from "../support/terminal.ts";

/** Whoever opens a pipe as if it were a file waits until somebody stands at its other end. */
const ROOT = new URL("../..", import.meta.url).pathname;
const LIMIT_MS = 20_000;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** What the home holds, with a pipe in the place of a file. `folder`: of the facts of `neg_1`. */
const PLACES: Readonly<Record<string, (folder: string) => string>> = {
  config: () => "config.json",
  "its lock": () => "config.json.lock",
  log: () => "logs/towow.log",
  taint: () => "tainted.json",
  "home's key": () => "home.key",
  "mark of an open one": (folder) => `history/open/${folder}.json`,
  fact: (folder) => `history/${folder}/submitted.json`,
  decision: (folder) => `history/${folder}/decided.1.json`,
  "folded facts": (folder) => `history/${folder}.json`,
  browser: () => "browsers/abcdefgh12.json",
  "sandbox's name": () => "sandbox/running.json",
  "sandbox's data": () => "sandbox/data.json",
  "sign of life": () => "running/abcdefgh12",
};

async function homeWith(place: (folder: string) => string, make: (path: string) => void) {
  const mock = await runningMock();
  const home = await temporaryHome();
  const path = join(home, place(`neg_1~${sha256(mock.url).slice(0, 12)}`));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  make(path);
  return { mock, path, env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_LOG_LEVEL: "silent" } };
}

const pipe = (path: string) => void spawnSync("mkfifo", ["-m", "600", path]);

it.each(Object.entries(PLACES))(
  "a pipe in the place of the %s hangs no command",
  async (name, place) => {
    const { env, path } = await homeWith(place, pipe);
    const own = { config: ["config"], "sandbox's name": ["sandbox"], "sandbox's data": ["sandbox"] };
    const status = ["call", "towow_status", '{"negotiation_id":"neg_1"}'];
    for (const args of [["list"], ["doctor", "--json"], status, own[name as keyof typeof own] ?? ["forget"]])
      expect((await cli(args, { env })).status, args.join(" ")).not.toBeNull();
    expect(lstatSync(path).isFIFO()).toBe(true); // it is nobody's to take away
  },
  LIMIT_MS * 3,
);

it.each(["log", "fact", "decision", "taint", "sign of life"])(
  "nor a server, with a pipe in the place of the %s: it asks, guards and ends",
  async (name) => {
    const { env, mock } = await homeWith(PLACES[name] as (folder: string) => string, pipe);
    const server = new Server(ROOT, env);
    onTestFinished(() => server.kill());
    const asked = await server.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
    expect(asked.data).toMatchObject({ state: "formulated" });
    server.child.stdin?.end();
    await server.exited;
    expect(mock.negotiations()[0]?.cancelled).toBe(true);
  },
  LIMIT_MS,
);

it(
  "a device behind a link is no file either",
  async () => {
    for (const name of ["config", "log", "fact"]) {
      const { env } = await homeWith(PLACES[name] as (folder: string) => string, (path) =>
        symlinkSync("/dev/zero", path),
      );
      for (const args of [["list"], ["doctor"], ["config"]]) expect((await cli(args, { env })).status).not.toBeNull();
    }
  },
  LIMIT_MS,
);

it("an error is said once where stdout and stderr go to the same place", async () => {
  const env = { TOWOW_HOME: await temporaryHome() };
  const alone = await cli(["call", "towow_status"], { env, spawned: true });
  const mixed = spawnSync("sh", ["-c", `"${process.execPath}" "${CLI}" call towow_status 2>&1`], {
    env: { ...NODE_ENV, LANG: "en_US.UTF-8", TOWOW_LANG: "en", ...env },
    encoding: "utf8",
  });
  expect(alone.stdout).not.toBe("");
  expect(mixed.stdout).toBe(alone.stdout);
});

it.skipIf(SCRIPT === undefined)(
  "a token goes into no pipe, at a terminal neither: the backend is not asked",
  async () => {
    const mock = await runningMock();
    const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: "en" };
    const piped = atTerminal([CLI, "token", "|", "cat"], env);
    await piped.exit;
    expect(piped.screen().replace(/\s+/g, " ")).toContain("Run towow-mcp token in a terminal.");
    expect(mock.journal).toEqual([]);
  },
);
