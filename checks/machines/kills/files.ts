import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "./server.ts";

export function readJson(path: string): Result {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** The settings are a file of the contract: never set aside, never half written. */
export function checkConfig(home: string, violate: (kind: string, detail: string) => void): void {
  for (const name of existsSync(home) ? readdirSync(home) : [])
    if (/^config.*(corrupt|broken|bad)/i.test(name)) violate("a config was set aside as corrupt", name);
  const path = join(home, "config.json");
  if (existsSync(path) && readJson(path) === undefined) violate("a config that does not parse", path);
}
