import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, installed } from "../sandbox.ts";

const LONGEST_MS = 90_000;

/** Runs a program to its end, and gives what it wrote. */
export function ran(
  program: string,
  args: readonly string[],
  { env, cwd }: { env: Record<string, string>; cwd: string },
): Promise<string> {
  const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"], timeout: LONGEST_MS });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += chunk));
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(`${out}${error.message}`));
    child.on("close", () => resolve(out));
  });
}

/** Clients that are ready to be started. */
export interface Programs {
  /** The folder with their commands. */
  bin: string;
  /** By the name of its package. */
  versionOf: (npm: string) => string;
  close: () => Promise<void>;
}

const nameOf = (npm: string): string => npm.slice(0, npm.lastIndexOf("@"));

/** The clients in a folder of commands of npm's making; without one, they are installed for this run. */
export async function clientPrograms(npm: readonly string[], bin?: string): Promise<Programs> {
  if (bin !== undefined) return { bin, versionOf: versionsBeside(bin), close: async () => {} };
  const sandbox = await createSandbox();
  for (const one of npm) {
    const { status, err } = await installed(sandbox, one);
    if (status !== 0) throw new Error(`${one} was not installed: ${err}`);
  }
  const folder = join(sandbox.base, "npm", "bin");
  return { bin: folder, versionOf: versionsBeside(folder), close: sandbox.close };
}

/** Of a prefix of npm's, or of an installed folder's `.bin`. */
export const modulesBeside = (bin: string): string =>
  existsSync(join(bin, "..", "lib", "node_modules")) ? join(bin, "..", "lib", "node_modules") : join(bin, "..");

const versionsBeside = (bin: string) => (npm: string) => {
  const files = ["..", "../lib/node_modules"].map((at) => join(bin, at, nameOf(npm), "package.json"));
  const file = files.find((one) => existsSync(one));
  if (file === undefined) throw new Error(`${npm} is not beside ${bin}`);
  return String((JSON.parse(readFileSync(file, "utf8")) as { version: string }).version);
};
