import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Facts, factsOf } from "../../src/negotiation/facts.ts";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Facts as programs of a home find them. */
export async function factsInHome(home: string, id: string): Promise<Facts> {
  const files = createFactFiles({ dir: join(home, "history"), newId: () => "unused", hash: sha256, now: Date.now });
  const key = (await files.list()).find((each) => each.id === id);
  if (key === undefined) throw new Error(`nothing is written about ${id}`);
  return factsOf(await files.read(key));
}

/** Every file of a home's history, below it, with its content. */
export function historyFilesOf(home: string): Record<string, string> {
  const dir = join(home, "history");
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(dir.length + 1), readFileSync(path, "utf8")]));
}
