import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { homeOf } from "../app/home-folder.ts";
import { logFile } from "../app/log-file.ts";
import { stopWhenReaderLeaves } from "./pipe.ts";
import { print, printJsonLines } from "./print.ts";

interface Line {
  time: number;
  event: string;
  tool?: string;
  status?: string;
  duration_ms?: number;
  error_code?: string;
}

/** `towow-mcp logs`: the last lines, one call a line for a person, or as JSON. */
export async function logs({
  env,
  lines,
  json,
}: {
  env: NodeJS.ProcessEnv;
  lines: string;
  json?: boolean;
}): Promise<void> {
  stopWhenReaderLeaves();
  const path = logFile(join(homeOf(env), "logs"));
  const text = await readFile(path, "utf8").catch(() => "");
  const last = text
    .split("\n")
    .filter(Boolean)
    .slice(-Math.max(1, Number(lines) || 30));
  if (json) printJsonLines(last);
  else print(`${[path, ...last.map(readableLine)].join("\n")}\n`);
}

function readableLine(line: string): string {
  try {
    const { time, event, tool = "", status = "", duration_ms, error_code = "" } = JSON.parse(line) as Line;
    const took = duration_ms === undefined ? "" : `${duration_ms} ms`;
    return [
      new Date(time).toISOString().slice(0, 19),
      (tool || event).padEnd(24),
      status.padEnd(10),
      took.padStart(9),
      error_code,
    ]
      .join("  ")
      .trimEnd();
  } catch {
    return line; // a line cut by a crash
  }
}
