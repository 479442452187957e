// A folder with a home, a project and an npm prefix of its own, in which real clients run without touching anything else.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { CLI, ROOT } from "../harness.ts";

export interface Ran {
  status: number;
  out: string;
  err: string;
  ms: number;
}

export interface Sandbox {
  base: string;
  home: string;
  project: string;
  env: Record<string, string>;
  /** Puts a folder in front of the PATH. */
  addToPath(folder: string): void;
  run(
    program: string,
    args: string[],
    options?: { cwd?: string; env?: Record<string, string>; timeoutMs?: number },
  ): Promise<Ran>;
  /** Starts a program and waits for a line that matches; its first group is given. Ended by `close`. */
  start(program: string, args: string[], pattern: RegExp): Promise<string>;
  /** Ends what was started and removes everything. */
  close(): Promise<void>;
}

export async function createSandbox(): Promise<Sandbox> {
  const base = await mkdtemp(join(tmpdir(), "towow-clients-"));
  const [home, project] = [join(base, "home"), join(base, "project")];
  for (const folder of [home, project]) await mkdir(folder);
  const outer = (process.env.PATH ?? "").split(delimiter).filter((folder) => !/node_modules[\\/]\.bin$/.test(folder));
  const path = [dirname(process.execPath), ...outer];
  const env: Record<string, string> = {
    HOME: home,
    LANG: "en_US.UTF-8",
    PATH: path.join(delimiter),
    TERM: "dumb",
    NO_COLOR: "1",
  };
  const started: ChildProcess[] = [];
  return {
    base,
    home,
    project,
    env,
    addToPath(folder) {
      path.unshift(folder);
      env.PATH = path.join(delimiter);
    },
    run: (program, args, options = {}) =>
      run(program, args, { cwd: project, ...options, env: { ...env, ...options.env } }),
    async start(program, args, pattern) {
      const child = spawn(program, args, { cwd: project, env, stdio: ["ignore", "pipe", "inherit"] });
      started.push(child);
      let out = "";
      for await (const chunk of child.stdout) {
        out += chunk;
        const found = pattern.exec(out)?.[1];
        if (found !== undefined) return found;
      }
      throw new Error(`${program} ended early`);
    },
    async close() {
      for (const child of started) child.kill();
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function run(
  program: string,
  args: string[],
  { cwd, env, timeoutMs = 120_000 }: { cwd: string; env: Record<string, string>; timeoutMs?: number },
): Promise<Ran> {
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: timeoutMs });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, out, err, ms: performance.now() - startedAt });
    child.on("error", (error) => {
      err += error.message;
      end(127);
    });
    child.on("close", (code) => end(code ?? 1));
  });
}

/** Packs this checkout; gives the tarball's path. */
export async function packed({ base, run }: Sandbox): Promise<string> {
  const { status, out, err } = await run("npm", ["pack", "--silent", "--pack-destination", base], { cwd: ROOT });
  const name = out.trim().split("\n").at(-1) ?? "";
  if (status !== 0 || !existsSync(join(base, name))) throw new Error(`npm pack: ${err}`);
  return join(base, name);
}

/** How this machine reaches its registry, which an empty home does not know. */
const REACH = /^(npm_config_(registry|cafile|proxy|https_proxy)|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i;
export const reach = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (REACH.test(name) && value ? [[name, value]] : [])),
  );

/** Installs a package or a tarball as a program of the sandbox, so that its commands are on the PATH. */
export async function installed(sandbox: Sandbox, what: string): Promise<Ran> {
  const prefix = join(sandbox.base, "npm");
  const ran = await sandbox.run("npm", ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", what], {
    env: reach(),
    timeoutMs: 300_000,
  });
  sandbox.addToPath(join(prefix, "bin"));
  return ran;
}

/** The mock backend of this checkout, quick; gives its address. */
export const runningMock = ({ start }: Sandbox): Promise<string> =>
  start(process.execPath, [CLI, "mock", "--port", "0", "--step", "60", "--seed", "7"], /(http:\/\/[\d.:]+)/);
