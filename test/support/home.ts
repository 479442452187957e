import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished } from "vitest";

/** Where homes stand. It goes with the run: a program that is ending may bring one back, with a file still in its hand. */
export const HOMES = "homes";
const WHOLE = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const;
/** Of the file that runs. */
let made: string[] = [];

/** What is left of a home says whose it was. */
const nameOfFile = () =>
  `towow-${basename(expect.getState().testPath ?? "test")
    .replace(/(?:\.full)?\.test\.ts$/, "")
    .slice(0, 24)}-`;

/** An empty folder, gone with its file if not before. */
export function makeHome(name = nameOfFile()): string {
  const homes = join(tmpdir(), HOMES);
  mkdirSync(homes, { recursive: true });
  const home = mkdtempSync(join(homes, name));
  made.push(home);
  return home;
}

export const removeHome = (home: string): void => rmSync(home, WHOLE);

/** An empty home folder for one test, gone after it. */
export async function temporaryHome(): Promise<string> {
  const home = makeHome();
  onTestFinished(() => removeHome(home));
  return home;
}

export function removeHomes(): void {
  for (const home of made) removeHome(home);
  made = [];
}
