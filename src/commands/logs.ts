import { join } from "node:path";
import type { Io } from "../app/io.ts";
import { logFile } from "../app/rotated-file.ts";
import { readPlain } from "../home/plain-file.ts";
import { paintWith } from "../terminal/paint.ts";
import { openHome } from "./home.ts";
import { logTable } from "./logs/table.ts";
import { print, printJsonLines, printPainted } from "./print.ts";
import { terminalOf } from "./printer.ts";

/** `towow-mcp logs`: the last lines as one table for a person, or as they are. `lines`: how many. */
export async function logs({ io, lines, json }: { io: Io; lines: number; json?: boolean }): Promise<void> {
  const { path: home, texts } = openHome(io);
  const path = logFile(join(home, "logs"));
  const last = (await linesOf(path, lines)).slice(-lines);
  if (json) return void printJsonLines(io, last);
  void print(io, `${path}\n`);
  if (last.length === 0) return void print(io, `${texts.logs.none}\n`);
  const width = io.stdout.isTTY ? io.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  const layout = { width, paint: paintWith(terminalOf(io.stdout, io.env).colour) };
  void printPainted(`${logTable(last, texts.logs, layout).join("\n")}\n`, io.stdout);
}

/** At least as many as are wanted, where there are so many: the older file is read only when it is needed. */
async function linesOf(path: string, wanted: number): Promise<string[]> {
  const read = async (file: string) => (await readPlain(file).catch(() => "")).toString().split("\n").filter(Boolean);
  const newest = await read(path);
  return newest.length >= wanted ? newest : [...(await read(`${path}.1`)), ...newest];
}
