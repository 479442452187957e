import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished } from "vitest";

const WHOLE = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const;
/** Of every file that this worker ran. */
const made: string[] = [];

/** What is left of a home says whose it was. */
const nameOfFile = () => `towow-${basename(expect.getState().testPath ?? "test", ".test.ts").slice(0, 24)}-`;

/** An empty folder, gone with its file if not before. */
export function makeHome(name = nameOfFile()): string {
  const home = mkdtempSync(join(tmpdir(), name));
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

/** Also what a program in this process that had ended brought back, with a file that it still had in its hand. */
export function removeHomes(): void {
  for (const home of made) removeHome(home);
}
