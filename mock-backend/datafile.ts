import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Agent, Negotiation, Scene } from "./data.ts";
import type { StoredAnswer } from "./idempotency.ts";
import type { TokenRecord } from "./tokens.ts";

/** Everything that survives a restart. Tokens are there as digests. */
export interface SavedData {
  version: 1;
  random: number;
  scenes: Scene[];
  agents: Agent[];
  negotiations: Negotiation[];
  tokens: [string, TokenRecord][];
  answers: [string, StoredAnswer][];
}

/** The saved data, or undefined when there is no such file yet. Throws on a file that is not the mock's. */
export function readData(path: string): SavedData | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const data = JSON.parse(text) as SavedData;
    if (data.version === 1) return data;
  } catch {
    // Reported below: it is never overwritten.
  }
  throw new Error(`${path} is not a data file of the mock backend; move it away or name another one`);
}

/** Writes the whole file and puts it in place at once, readable by its owner only. */
export function writeData(path: string, data: SavedData): void {
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}.tmp`;
  writeFileSync(partial, JSON.stringify(data), { mode: 0o600 });
  chmodSync(partial, 0o600);
  renameSync(partial, path);
}
