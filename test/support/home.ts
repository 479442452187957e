import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty home folder for one test, gone after it. */
export async function temporaryHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "towow-test-"));
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return home;
}
