import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const AGAIN = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const;
/** Of the file that runs, and of the one before it. */
let gone: [now: string[], before: string[]] = [[], []];

/** An empty folder, for as long as who makes it wants: see {@link removeHome}. */
export const makeHome = (name = "towow-test-"): string => mkdtempSync(join(tmpdir(), name));

export function removeHome(home: string): void {
  rmSync(home, AGAIN);
  gone[0].push(home);
}

/** An empty home folder for one test, gone after it. */
export async function temporaryHome(): Promise<string> {
  const home = makeHome();
  onTestFinished(() => removeHome(home));
  return home;
}

/** A program in this process that has ended may still have had a file in its hand, which brings its home back. */
export function removeAgain(): void {
  for (const home of gone.flat()) rmSync(home, AGAIN);
  gone = [[], gone[0]];
}
