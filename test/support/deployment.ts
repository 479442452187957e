import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endingWithTest } from "./children.ts";
import { freePort } from "./free-port.ts";
import { NODE_ENV } from "./node-env.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const READY_MS = 20_000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** One `serve` process on a port of its own, which it keeps when it is started again. */
export interface ReplicaProcess {
  name: string;
  port: number;
  mcp: string;
  stderr(): string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM; gives the exit code. */
  drain(): Promise<number | null>;
  start(): Promise<void>;
}

export interface Deployment {
  replicas: Record<"a" | "b", ReplicaProcess>;
  /** The address in front of both; the first replica's own where there is no nginx. */
  mcp: string;
  close(): Promise<void>;
}

export interface DeploymentOptions {
  storeUrl: string;
  backendUrl: string;
  nginx?: boolean;
  env?: Record<string, string>;
  args?: string[];
}

/** Two replicas, with deploy/nginx.conf in front of them; all on loopback, with a home of their own. */
export async function deploy(options: DeploymentOptions): Promise<Deployment> {
  const { storeUrl, backendUrl, nginx = false, env = {}, args = [] } = options;
  const dir = mkdtempSync(join(tmpdir(), "towow-deployment-"));
  const [portA, portB, front] = [await freePort(), await freePort(), await freePort()];
  const key = randomBytes(32).toString("base64");
  const publicUrl = `http://127.0.0.1:${nginx ? front : portA}`;

  const make = (name: "a" | "b", port: number): ReplicaProcess => {
    let child: ChildProcess | undefined;
    let stderr = "";
    const end = async (signal: NodeJS.Signals): Promise<number | null> => {
      const running = child;
      child = undefined;
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return null;
      const exit = new Promise<number | null>((resolve) => running.once("exit", (code) => resolve(code)));
      running.kill(signal);
      return exit;
    };
    return {
      name,
      port,
      mcp: `http://127.0.0.1:${port}/mcp`,
      stderr: () => stderr,
      kill: async () => void (await end("SIGKILL")),
      drain: () => end("SIGTERM"),
      async start() {
        const given = ["--port", `${port}`, "--store", storeUrl, "--replica", name, "--backend-url", backendUrl];
        const names = ["--public-url", publicUrl, "--allowed-hosts", "127.0.0.1"];
        // A test polls at each turn, as no client does: one that is about the limit names it.
        const line = [join(ROOT, "dist/cli.js"), "serve", ...given, ...names, "--rate", "100000", ...args];
        const own = { HOME: dir, TOWOW_HOME: join(dir, name), TOWOW_STATE_KEY: key };
        const started = spawn(process.execPath, line, {
          env: { ...NODE_ENV, ...own, ...env },
          stdio: ["ignore", "pipe", "pipe"],
        });
        child = endingWithTest(started);
        const serves = Promise.withResolvers<unknown>();
        // One that ends by itself says why: its callers only see a refused connection.
        started.once("exit", (code, signal) => {
          const why = `replica ${name} ended (${code ?? signal})\n${stderr.slice(-4_000)}`;
          if (child === started) console.error(why);
          serves.reject(new Error(why));
        });
        started.stderr.on("data", (chunk) => {
          stderr = (stderr + chunk).slice(-200_000);
        });
        // Its own word that it has its port: on a port that another program has, that one would answer below.
        started.stdout.once("data", serves.resolve).resume();
        await serves.promise;
        await untilAnswers(`http://127.0.0.1:${port}/readyz`, () => stderr);
      },
    };
  };
  const replicas = { a: make("a", portA), b: make("b", portB) };
  await Promise.all([replicas.a.start(), replicas.b.start()]);
  const proxy = nginx ? await startNginx(dir, front, { a: portA, b: portB }) : undefined;
  return {
    replicas,
    mcp: `${publicUrl}/mcp`,
    async close() {
      await Promise.all([replicas.a.kill(), replicas.b.kill(), proxy?.()]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** deploy/nginx.conf with this run's ports, as a process of our own. */
async function startNginx(dir: string, port: number, ports: Record<"a" | "b", number>): Promise<() => Promise<void>> {
  const conf = readFileSync(join(ROOT, "deploy/nginx.conf"), "utf8")
    .replaceAll(/server ([ab]):8765/g, (_, name: "a" | "b") => `server 127.0.0.1:${ports[name]}`)
    .replace("listen 8080;", `listen 127.0.0.1:${port};`)
    .replace("worker_processes auto;", "worker_processes 1;")
    .replace("pid /tmp/nginx.pid;", `pid ${dir}/nginx.pid;`)
    .replace("access_log /dev/stdout plain;", `access_log ${dir}/access.log plain;`)
    .replace("error_log /dev/stderr warn;", `error_log ${dir}/error.log warn;`)
    .replace(
      "server_tokens off;",
      ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((name) => `${name}_temp_path ${dir}/${name};`)
        .join("\n"),
    );
  const file = join(dir, "nginx.conf");
  writeFileSync(file, conf);
  const line = ["-p", dir, "-e", join(dir, "error.log"), "-c", file, "-g", "daemon off;"];
  const child = endingWithTest(spawn("nginx", line, { stdio: "ignore" }), "SIGTERM");
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await untilAnswers(`http://127.0.0.1:${port}/readyz`, () => readFileSync(join(dir, "error.log"), "utf8"));
  return async () => {
    child.kill("SIGTERM");
    await Promise.race([exit, sleep(2_000).then(() => child.kill("SIGKILL"))]);
    await exit;
  };
}

async function untilAnswers(url: string, why: () => string): Promise<void> {
  const giveUpAt = Date.now() + READY_MS;
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    if (Date.now() > giveUpAt) throw new Error(`${url} does not answer: ${why()}`);
    await sleep(50);
  }
}
