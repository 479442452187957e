// What every check shares: its parts, its options, and that it says in one line what it found.

import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The built program. */
export const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

export const PROFILE = { skills: ["a", "b", "c"], bio: "Somebody who builds small, reliable services." };

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** What a check found: whether all is well, and one line that says it. */
export interface Found {
  ok: boolean;
  line: string;
}
export type Check = (args: string[]) => Promise<Found>;

type Value = string | number | boolean;
type Given<T> = { [K in keyof T]: T[K] extends number ? number : T[K] extends boolean ? boolean : string };

/** The options of a check, each with its default: `--minutes 3` for `{ minutes: 10 }`. Without one it is "", 0 or false. */
export function options<const T extends Record<string, Value>>(args: string[], defaults: T): Given<T> {
  const given = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      { type: typeof value === "boolean" ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const { values } = parseArgs({ args, options: given });
  const read = ([name, value]: [string, Value]): [string, Value] => {
    const said = values[name];
    return [name, said === undefined ? value : typeof value === "number" ? Number(said) : (said as Value)];
  };
  return Object.fromEntries(Object.entries(defaults).map(read)) as Given<T>;
}

/** "3 runs", "1 run". */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** The program as people get it. */
export function build(): void {
  const { status } = spawnSync("npm", ["run", "build", "--silent"], { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) throw new Error("it was not built");
}

async function heard(name: string, check: () => Promise<Found>): Promise<boolean> {
  const { ok, line } = await check().catch((error: Error): Found => ({ ok: false, line: String(error.stack) }));
  process.stdout.write(`${name}: ${line}\n`);
  return ok;
}

const FILE = basename(process.argv[1] ?? "");

/** Runs a check of one part. */
export async function only(check: Check): Promise<never> {
  const ok = await heard(FILE.replace(".ts", ""), () => check(process.argv.slice(2)));
  process.exit(ok ? 0 : 1); // what was killed or hangs waits for ever
}

/**
 * Runs the part that the first argument names, with the rest as its options; without a name, every part as it is. Each
 * says its one line at the end, and the program ends with 1 where one found something.
 */
export async function run(parts: Readonly<Record<string, () => Promise<{ default: Check }>>>): Promise<never> {
  const [name, ...args] = process.argv.slice(2);
  if (name !== undefined && !(name in parts)) throw new Error(`node checks/${FILE} ${Object.keys(parts).join(" | ")}`);
  let ok = true;
  for (const part of name === undefined ? Object.keys(parts) : [name])
    ok = (await heard(part, async () => (await parts[part]!()).default(args))) && ok;
  process.exit(ok ? 0 : 1);
}
