import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
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
    // A pipe would be waited for without end.
    const found = statSync(path);
    text = found.isFile() || found.isDirectory() ? readFileSync(path, "utf8") : "";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const data = JSON.parse(text) as SavedData;
    if (data.version === 1 && isWhole(data)) return data;
  } catch {
    // Reported below: it is never overwritten.
  }
  throw new Error(`${path} is not a data file of the mock backend; move it away or name another one`);
}

/** Whether all lists are there and every record has its id: what a hand made of the file may be JSON and no data. */
function isWhole({ scenes, agents, negotiations, tokens, answers }: SavedData): boolean {
  const hasIds = (list: unknown, id: string) =>
    Array.isArray(list) && list.every((one: Record<string, unknown> | null) => typeof one?.[id] === "string");
  return (
    hasIds(scenes, "scene_id") &&
    scenes.every(({ agent_ids }) => Array.isArray(agent_ids)) &&
    hasIds(agents, "agent_id") &&
    hasIds(negotiations, "negotiation_id") &&
    [tokens, answers].every((list: unknown) => Array.isArray(list) && list.every(Array.isArray))
  );
}

/** Writes the whole file and puts it in place at once, readable by its owner only. */
export function writeData(path: string, data: SavedData): void {
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}.tmp`;
  writeFileSync(partial, JSON.stringify(data), { mode: 0o600 });
  chmodSync(partial, 0o600);
  renameSync(partial, path);
}
