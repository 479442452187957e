import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HOMES } from "./home.ts";

/** What a program that was ended by its test may still take to go. */
const LAST_WORDS_MS = 3_000;
const POLL_MS = 50;
/** Homes are written to the disk at every step, which costs a run more than its tests do. */
const IN_MEMORY = "/dev/shm";
const ROOM_BYTES = 2 ** 30;
/** A socket's path has room for a hundred characters, and TMPDIR may be long. */
const SHORT = process.platform === "win32" ? tmpdir() : canRunIn(IN_MEMORY) ? IN_MEMORY : "/tmp";

/** Whether there is room, and programs can be started there: containers often mount it without either. */
function canRunIn(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const program = join(mkdtempSync(join(folder, "towow-run-")), "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    const { status } = spawnSync(program);
    rmSync(dirname(program), { recursive: true });
    return status === 0 && bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

/** A run has a home and a folder for temporary files of its own, which go with it; it fails where tests left a file there. */
export default function useOwnFolders(): () => Promise<void> {
  const base = mkdtempSync(join(SHORT, "towow-run-"));
  const folders = { HOME: join(base, "home"), TMPDIR: join(base, "tmp") };
  chmodSync(base, 0o755); // other users run the program in it
  for (const folder of Object.values(folders)) mkdirSync(folder);
  Object.assign(process.env, folders);
  const left = () =>
    Object.entries(folders).flatMap(([name, folder]) => readdirSync(folder).map((entry) => `${name}/${entry}`));
  const placeOf = (path: string) => {
    const [name = "", ...rest] = path.split("/");
    return join(folders[name as keyof typeof folders], ...rest);
  };
  const holdsFile = (path: string) => {
    const at = placeOf(path);
    const isFolder = statSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
    return !isFolder || readdirSync(at, { recursive: true, withFileTypes: true }).some((entry) => !entry.isDirectory());
  };
  const holds = (path: string) => {
    const at = placeOf(path);
    const inside = statSync(at, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(at, { recursive: true }) : [];
    return inside.length === 0 ? "" : ` (${inside.slice(0, 8).join(", ")})`;
  };
  return async () => {
    rmSync(join(folders.TMPDIR, HOMES), { recursive: true, force: true, maxRetries: 10, retryDelay: POLL_MS });
    for (let waited = 0; waited < LAST_WORDS_MS && left().length > 0; waited += POLL_MS) await sleep(POLL_MS);
    const remains = left();
    const found = remains.map((path) => `${path}${holds(path)}`);
    const isHeld = remains.some(holdsFile);
    rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: POLL_MS });
    if (found.length === 0) return;
    process.stdout.write(`left behind by tests: ${found.join(", ")}\n`);
    // A program that ends late makes its folders again, and writes nothing into them.
    if (isHeld) process.exitCode = 1;
  };
}
