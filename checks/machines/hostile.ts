// Ten minutes of hostile answers of up to 10 MB, of every kind, against the built program over stdio and HTTP at once,
// beside the same two programs at rest: how long each event loop stood still.
// Run: node checks/machines.ts hostile [--minutes 10]. It fails when p99.9 is above 50 ms, or max above the idle one's + 100 ms,
// or when no page has taken a post: then the pages were not attacked.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startEndpoint } from "../../bench/http/servers.ts";
import { freePort } from "../../test/support/free-port.ts";
import { CLI, type Found, options, sleep } from "../harness.ts";
import { startHostileBackend } from "./hostile/backend.ts";
import { askOn, type Counts, ERAS, noCounts, personsClient } from "./hostile/person.ts";

const MAX_P999_MS = 50;
const MAX_OVER_CONTROL_MS = 100;
const WARM_UP_MS = 5_000;

const PROBE = new URL("./hostile/probe.ts", import.meta.url).href;
interface Percentiles {
  p50: number;
  p99: number;
  p999: number;
  max: number;
}

interface Figures {
  /** Of the event loop. */
  delay: Percentiles;
  /** Of the main thread between two ticks, whatever else the machine does. */
  work: Percentiles;
}

/** After a failure here nobody else ends them. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid);
  } catch {
    return false; // ended already
  }
}

export default async function hostile(args: string[]): Promise<Found> {
  const { minutes } = options(args, { minutes: 10 });
  const home = mkdtempSync(join(tmpdir(), "towow-hostile-"));

  const probed = (name: string) => ({
    NODE_OPTIONS: `--import=${PROBE} ${process.env.TOWOW_BENCH_NODE_OPTIONS ?? ""}`.trim(),
    TOWOW_PROBE_FILE: join(home, `${name}.json`),
  });

  /** Asks a server for what its event loop saw since the last time. */
  async function figuresOf(name: string, pid: number): Promise<Figures> {
    const file = join(home, `${name}.json`);
    rmSync(file, { force: true });
    process.kill(pid, "SIGUSR2");
    for (let look = 0; look < 100; look++) {
      await sleep(50);
      try {
        return JSON.parse(readFileSync(file, "utf8")) as Figures;
      } catch {
        // Not written yet, or not to its end.
      }
    }
    throw new Error(`${name} wrote no figures`);
  }

  async function overStdio(name: string, backendUrl: string): Promise<{ client: Client; pid: number }> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, "--mode", "developer"],
      env: {
        PATH: process.env.PATH ?? "",
        HOME: join(home, name),
        TOWOW_HOME: join(home, name, ".towow"),
        TOWOW_BACKEND_URL: backendUrl,
        TOWOW_LOG_LEVEL: "silent",
        TOWOW_LANG: "en",
        ...probed(name),
      },
    });
    const client = personsClient("2026", () => counts);
    await client.connect(transport);
    return { client, pid: transport.pid ?? 0 };
  }

  async function overHttp(url: string, era: (typeof ERAS)[number], user: number): Promise<Client> {
    const client = personsClient(era, () => counts);
    const headers = { Authorization: `Bearer token_${user}`, "X-Towow-User-Id": `user_${user}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    return client;
  }

  // Modules that are loaded at first use are no hostile text: a few calls come before the measurement.
  let counts = noCounts();
  const backend = await startHostileBackend();
  async function endpointNamed(name: string) {
    const port = await freePort();
    const address = ["--port", `${port}`, "--public-url", `http://127.0.0.1:${port}`];
    return startEndpoint(backend.url, ["--mode", "developer", ...address], probed(name));
  }
  const [stdio, stdioIdle] = [await overStdio("stdio", backend.url), await overStdio("stdio-idle", backend.url)];
  const [http, httpIdle] = [await endpointNamed("http"), await endpointNamed("http-idle")];
  const users = await Promise.all(ERAS.map((era, user) => overHttp(http.url, era, user)));
  const pids = { stdio: stdio.pid, "stdio-idle": stdioIdle.pid, http: http.pid, "http-idle": httpIdle.pid };

  process.on("exit", () => {
    for (const pid of Object.values(pids)) killed(pid);
  });

  const all = (until: number, into: Counts) =>
    Promise.all([stdio.client, ...users].map((client, n) => askOn(client, into, until, n * 40)));
  await all(performance.now() + WARM_UP_MS, counts);
  for (const [name, pid] of Object.entries(pids)) await figuresOf(name, pid);

  counts = noCounts();
  await all(performance.now() + minutes * 60_000, counts);
  const figures = Object.fromEntries(
    await Promise.all(Object.entries(pids).map(async ([name, pid]) => [name, await figuresOf(name, pid)] as const)),
  ) as Record<keyof typeof pids, Figures>;

  const outcomes = [...counts.outcomes].map(([code, n]) => `${code} ${n}`).join(", ");
  const { taken, refused, unopened } = counts.posts;
  const refusals = [...refused].map(([status, n]) => `, ${n} refused (${status})`).join("");
  console.log(`${minutes} minutes: ${counts.calls} calls, ${backend.sent()} answers`);
  console.log(`${taken} posts taken by pages${refusals}; ${unopened} pages would not open`);
  console.log(
    `${outcomes}; the slowest call took ${counts.slowestMs.toFixed(0)} ms; load ${loadavg()[1]?.toFixed(1)} on ${availableParallelism()} cores\n`,
  );
  console.log(
    "| event loop, ms | p50 | p99 | p99.9 | max | work p99.9 | work max |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
  );
  for (const [name, { delay, work }] of Object.entries(figures)) {
    const row = [delay.p50, delay.p99, delay.p999, delay.max, work.p999, work.max];
    console.log(`| ${name} | ${row.map((ms) => ms.toFixed(1)).join(" | ")} |`);
  }

  const problems: string[] = [];
  for (const name of ["stdio", "http"] as const) {
    const { p999, max } = figures[name].delay;
    if (p999 <= MAX_P999_MS && max <= figures[`${name}-idle`].delay.max + MAX_OVER_CONTROL_MS) continue;
    problems.push(`${name} stood still for too long`);
  }
  if (taken === 0) problems.push("no page has taken a post");
  await Promise.all([stdio, stdioIdle].map(({ client }) => client.close()));
  await Promise.all(users.map((client) => client.close()));
  await Promise.all([http.stop(), httpIdle.stop()]);
  backend.stop();
  rmSync(home, { recursive: true, force: true });
  const longest = Math.max(figures.stdio.delay.max, figures.http.delay.max).toFixed(0);
  const said = problems.length === 0 ? "none too long" : problems.join(", ");
  return { ok: problems.length === 0, line: `${counts.calls} calls, the longest standstill ${longest} ms: ${said}` };
}
