import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { type Facts, factName, factsOf, type NegotiationKey } from "../../src/negotiation/facts.ts";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";

const filesOf = (home: string) => createFactFiles({ dir: join(home, "history"), newId: () => "unused", now: Date.now });

/** Facts as programs of a home find them. */
export async function factsInHome(home: string, id: string): Promise<Facts> {
  const files = filesOf(home);
  const key = (await files.list()).find((each) => each.id === id);
  if (key === undefined) throw new Error(`nothing is written about ${id}`);
  return factsOf(await files.read(key));
}

/** A submit as a program that is gone wrote it down, `agoMs` ago; its pause would last ten minutes. */
export async function recordedInHome(home: string, key: NegotiationKey, { agoMs = 0 } = {}): Promise<void> {
  const at = Date.now() - agoMs;
  const owner = { instance: "gone", pid: 2_147_483_646 };
  await filesOf(home).create(key, factName.submitted, { at, user_id: "u", deadline_at: at + 600_000, owner });
}

/** Every file of a home's history, below it, with its content. */
export function historyFilesOf(home: string): Record<string, string> {
  const dir = join(home, "history");
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort(byCodeUnits);
  return Object.fromEntries(paths.map((path) => [path.slice(dir.length + 1), readFileSync(path, "utf8")]));
}
