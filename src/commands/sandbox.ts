import { existsSync, rmSync } from "node:fs";
import type { Io } from "../app/io.ts";
import { platformOf } from "../app/platform.ts";
import { keptAside, readRunning, removeRunning, sandboxData, sandboxFolder } from "../app/sandbox/running-file.ts";
import { createSandbox, isRunning } from "../app/sandbox/sandbox.ts";
import type { Clock } from "../clock.ts";
import { asUnwritable, errnoOf } from "../home/file.ts";
import { withLock } from "../home/lock.ts";
import { SANDBOX } from "../home/origin.ts";
import { networkTexts } from "../text/network.ts";
import { openHome } from "./home.ts";
import { tellOverride } from "./network.ts";
import { printJson } from "./print.ts";
import { Printer, terminalOf } from "./printer.ts";
import { sandboxDataOf } from "./sandbox/data.ts";

export interface SandboxArguments {
  io: Io;
  root: URL;
  /** Ends the sandbox and keeps its data. */
  stop?: boolean;
  /** Ends the sandbox and erases its data. */
  reset?: boolean;
  json?: boolean;
}

const LOCK_WAIT_MS = 15_000;
const END_PATIENCE_MS = 3_000;
const POLL_MS = 20;

/** `towow-mcp sandbox` shows this home's sandbox, or ends it. */
export async function sandbox({ io, root, stop, reset, json }: SandboxArguments): Promise<void> {
  const home = openHome(io);
  const around = networkTexts(home.lang);
  const texts = around.sandbox;
  const printer = new Printer(terminalOf(io.stdout, io.env));
  if (stop || reset) {
    const wasNamed = await endSandbox(home.path, io, { erases: reset });
    return printer.text(reset ? texts.reset : wasNamed ? texts.ended : texts.sleeps);
  }
  const running = await createSandbox({ home: home.path, root, env: io.env }).running();
  const found = sandboxDataOf(home.path);
  const data = found.state === "whole" ? found.data : undefined;
  if (json) {
    const counts = data && {
      scenes: data.scenes.length,
      agents: data.agents.length,
      negotiations: data.negotiations.length,
    };
    return void printJson(
      io,
      { running: running !== undefined, pid: running?.pid ?? null, folder: sandboxFolder(home.path), ...counts },
      2,
    );
  }
  printer.text(running === undefined ? texts.sleeps : texts.runs(running.pid));
  if (found.state === "broken") printer.text(texts.broken(sandboxData(home.path)));
  else if (found.state === "unreadable") printer.text(texts.unreadable(sandboxData(home.path), found.reason));
  else if (data === undefined) printer.text(texts.empty);
  else printer.text(texts.holds(data.scenes.length, data.agents.length, data.negotiations.length));
  for (const path of keptAside(home.path)) printer.text(texts.aside(path));
  printer.text(texts.kept(sandboxFolder(home.path)), { style: "dim" });
  if (home.settings().get("backend_url")?.value === SANDBOX) return;
  printer.text(texts.use, { style: "dim" });
  tellOverride(home, { printer, texts: around });
}

/**
 * Ends this home's sandbox, and erases its folder with `erases`. Both happen under the lock that each start takes, so that no
 * new sandbox begins with data that are just being erased. Returns whether there was a sandbox to end.
 * @throws HomeUnwritable, `tool.config.timeout.locked`
 */
export async function endSandbox(
  home: string,
  io: Pick<Io, "clock">,
  { erases = false, signal = process.kill }: EndOptions = {},
): Promise<boolean> {
  const folder = sandboxFolder(home);
  if (!existsSync(folder)) return false;
  const work = async () => {
    const wasNamed = await endProcess(home, io.clock, signal);
    if (erases) rmSync(folder, { recursive: true, force: true });
    return wasNamed;
  };
  try {
    return await withLock(folder, work, { platform: platformOf(io), waitMs: LOCK_WAIT_MS });
  } catch (error) {
    throw asUnwritable(home, error);
  }
}

interface EndOptions {
  erases?: boolean | undefined;
  signal?: (pid: number, signal: NodeJS.Signals) => void;
}

/**
 * Ends the process that the home names as its sandbox, and removes that name. A process that cannot be signalled, such as
 * another user's, writes nothing more and ends by itself once the name is gone. Returns whether a process was named.
 */
async function endProcess(home: string, clock: Clock, signal: NonNullable<EndOptions["signal"]>): Promise<boolean> {
  const named = readRunning(home);
  if (named === undefined) return false;
  if ((await isRunning(named)) && ends(named.pid, signal))
    for (let waited = 0; waited < END_PATIENCE_MS && (await isRunning(named)); waited += POLL_MS)
      await clock.sleep(POLL_MS);
  removeRunning(home, named.instance);
  return true;
}

/** Signals the process. Returns false if it has just gone, or is another user's. */
function ends(pid: number, signal: NonNullable<EndOptions["signal"]>): boolean {
  try {
    signal(pid, "SIGTERM");
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
