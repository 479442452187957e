import { systemClock } from "../clock.ts";
import { explainSettings } from "../config/explain.ts";
import { ConfigStore } from "../config/store.ts";
import { silentLog } from "../log.ts";
import { stopWhenReaderLeaves } from "./pipe.ts";
import { homeOf } from "./runtime.ts";

/** `towow-mcp config`: every key, its value (secrets masked) and its source. */
export function config({ env, json }: { env: NodeJS.ProcessEnv; json?: boolean }): void {
  stopWhenReaderLeaves();
  const store = new ConfigStore({ home: homeOf(env), clock: systemClock, log: silentLog });
  const rows = explainSettings({ env, file: store.read().values, locale: env.LC_ALL || env.LC_MESSAGES || env.LANG });
  if (json) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${store.path}\n`);
  for (const row of rows) {
    const value = row.problem
      ? `refused: it takes ${row.problem.params.expected ?? row.problem.code} (${row.problem.params.where ?? row.source})`
      : String(row.value ?? "–");
    process.stdout.write(`${row.key.padEnd(20)} ${value.padEnd(36)} ${row.source}\n`);
  }
}
