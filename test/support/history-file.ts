import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where the history of a home keeps what it knows of a negotiation, at whatever backend; the name alone if nothing yet. */
export function historyFile(home: string, id: unknown, ending: "json" | "decision"): string {
  const dir = join(home, "history");
  const names = existsSync(dir) ? readdirSync(dir) : [];
  const name = names.find((it) => it.startsWith(`${id}@`) && it.endsWith(`.${ending}`));
  return join(dir, name ?? `${id}.${ending}`);
}
