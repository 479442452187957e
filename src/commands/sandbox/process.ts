import { randomBytes } from "node:crypto";
import { renameSync } from "node:fs";
import { readData } from "../../../mock-backend/datafile.ts";
import { createMockBackend } from "../../../mock-backend/main.ts";
import { sandboxCommunity } from "../../../mock-backend/sandbox/community.ts";
import { homeOf } from "../../app/home-folder.ts";
import type { Io } from "../../app/io.ts";
import { platformOf } from "../../app/platform.ts";
import { look, processName } from "../../app/process.ts";
import {
  brokenData,
  type Running,
  readRunning,
  removeRunning,
  sandboxData,
  sandboxFolder,
  writeRunning,
} from "../../app/sandbox/running-file.ts";
import { answers, SANDBOX_ROUTE } from "../../app/sandbox/sandbox.ts";
import { TowowError } from "../../errors.ts";
import { errnoOf, secureFolder } from "../../home/file.ts";
import { withLock } from "../../home/lock.ts";
import type { Platform } from "../../platform.ts";
import { goOnWithoutReader } from "../pipe.ts";
import { print } from "../print.ts";

export interface SandboxProcess {
  platform: Platform;
  home: string;
  /** The sandbox ends after this long without a request or a running negotiation, in milliseconds. */
  idleMs: number;
  isAlive: (running: Running) => Promise<boolean>;
  /** Called once the sandbox has ended. */
  ended: () => void;
}

/** How often the sandbox checks whether it is still wanted, in milliseconds. */
const IDLE_CHECK_MS = 15_000;
const LOCK_WAIT_MS = 15_000;
const STEP_MS = 600;

/**
 * Makes this process the sandbox of a home, in which its data are kept. Returns undefined if another sandbox answers
 * already. Each home has one sandbox, and the file with its name decides which. A process that is no longer named,
 * because the home was moved or removed or another sandbox was started, writes nothing and ends.
 */
export async function runSandbox(
  options: SandboxProcess,
): Promise<{ url: string; end: () => Promise<void> } | undefined> {
  const { platform, home, isAlive } = options;
  secureFolder(home);
  secureFolder(sandboxFolder(home));
  return withLock(
    sandboxFolder(home),
    async () => {
      const other = readRunning(home);
      if (other !== undefined && (await isAlive(other)) && (await answers(other))) return undefined;
      return begin(options);
    },
    { platform, waitMs: LOCK_WAIT_MS },
  );
}

async function begin({ platform, home, idleMs, ended }: SandboxProcess) {
  const { clock } = platform;
  const instance = randomBytes(9).toString("base64url");
  const isNamed = () => readRunning(home)?.instance === instance;
  let named = false;
  let usedAt = clock.monotonic();
  keepBrokenAside(sandboxData(home), brokenData(home, instance));
  const backend = createMockBackend({
    clock,
    stepMs: STEP_MS,
    community: sandboxCommunity,
    dataFile: sandboxData(home),
    controls: false,
    // The first write happens at the start, under the lock and before the process is named.
    mayWrite: () => !named || isNamed(),
    answerFirst: (path) => {
      usedAt = clock.monotonic();
      if (!isNamed()) return new Response(null, { status: 410 }); // Nothing that is accepted now would be kept.
      return path === SANDBOX_ROUTE ? new Response(instance) : undefined;
    },
  });
  const { url } = await backend.listen(0, `/${randomBytes(18).toString("base64url")}`);
  writeRunning(home, { instance, url, ...processName() });
  named = true;

  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    cancelCheck();
    try {
      removeRunning(home, instance); // The name goes first, so that no program connects to it any more.
      await backend.close();
    } finally {
      ended();
    }
  };
  const check = () => {
    const isUsed = clock.monotonic() - usedAt < idleMs || backend.engine.running > 0 || backend.feedConnections() > 0;
    if (!isUsed || !isNamed()) void end();
    else cancelCheck = clock.after(Math.min(IDLE_CHECK_MS, idleMs), check);
  };
  let cancelCheck = clock.after(Math.min(IDLE_CHECK_MS, idleMs), check);
  return { url, end };
}

/**
 * Moves the data file aside if it is not the mock's, was cut off, or is from a newer version. The sandbox then begins
 * anew.
 */
function keepBrokenAside(path: string, aside: string): void {
  try {
    readData(path);
  } catch (error) {
    // For a folder in its place the system's error names no path.
    if (errnoOf(error) !== undefined) throw Object.assign(error as Error, { path });
    renameSync(path, aside);
  }
}

/**
 * `towow-mcp sandbox --run` is the process of this home's sandbox, and ends when nobody uses the sandbox. The process prints
 * one line for the program that started it.
 */
export async function run({ io, idle: idleS }: { io: Io; idle: number }): Promise<void> {
  const gone = () => io.exit(0);
  // The program that started this process may end at any time.
  goOnWithoutReader(io);
  io.on("SIGHUP", () => {});
  try {
    const sandbox = await runSandbox({
      platform: platformOf(io),
      home: homeOf(io.env),
      idleMs: idleS * 1000,
      isAlive: async (other) => look(other) !== "idle",
      ended: gone,
    });
    await print(io, "ready\n");
    if (sandbox === undefined) return gone();
    io.on("SIGINT", () => void sandbox.end());
    io.on("SIGTERM", () => void sandbox.end());
  } catch (error) {
    const reason = error instanceof TowowError ? error.code : errnoOf(error);
    if (reason === undefined) throw error;
    const path = error instanceof TowowError ? error.params.path : (error as NodeJS.ErrnoException).path;
    await print(io, `${reason} ${path ?? ""}\n`);
    io.exit(1);
  }
}
