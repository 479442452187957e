// Half an hour of mixed load on stdio and on HTTP at once: what memory, handles and sockets are at start and end.
// Run: node checks/machines.ts soak [--minutes 30 --users 12]; "start" is after a tenth of the time, when caches are warm.

import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startEndpoint } from "../../bench/http/servers.ts";
import { createMockBackend } from "../../mock-backend/main.ts";
import { sendProfile } from "../../test/support/profile.ts";
import { CLI, counted, type Found, options, PROFILE, sleep } from "../harness.ts";

interface Result {
  status: string;
  data: Record<string, unknown> | null;
  error: { code: string } | null;
}

type Call = (name: string, args?: Record<string, unknown>) => Promise<Result>;

interface Figures {
  rssMb: number;
  files: number;
  sockets: number;
}

/** Of a process, from /proc. */
function figuresOf(pid: number): Figures {
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return "";
    }
  });
  return { rssMb: rss, files: links.length, sockets: links.filter((link) => link.startsWith("socket:")).length };
}

async function heapMb(url: string): Promise<number> {
  const text = await (await fetch(url.replace("/mcp", "/metrics"))).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20;
}

export default async function soak(args: string[]): Promise<Found> {
  const { minutes, users } = options(args, { minutes: 30, users: 12 });
  const until = performance.now() + minutes * 60_000;
  const warmUntil = performance.now() + (minutes * 60_000) / 10;
  const mock = createMockBackend({ seed: 7, stepMs: 60 });
  const { url: backendUrl } = await mock.listen();
  const sceneId = mock.scenes()[0]?.scene_id ?? "";
  const counts = { calls: 0, forms: 0, plans: 0, unexpected: 0, sessions: 0 };
  const unexpected = new Set<string>();

  const callOf =
    (client: Client): Call =>
    async (name, args = {}) => {
      counts.calls += 1;
      const { structuredContent } = await client.callTool({ name, arguments: args }, { timeout: 120_000 });
      return structuredContent as unknown as Result;
    };

  function expect(result: Result, ...codes: string[]): void {
    const { error } = result;
    if (error === null || codes.includes(error.code)) return;
    counts.unexpected += 1;
    unexpected.add(error.code);
  }

  /** A client whose person answers in forms: an AI that has read plans passes no decision on. */
  function clientWithForms(...[options]: [ConstructorParameters<typeof Client>[1]?]): Client {
    const client = new Client(
      { name: "soak", version: "1" },
      { ...options, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      await sleep(400); // sooner, no person has answered
      const { properties } = (params as { requestedSchema: { properties: object } }).requestedSchema;
      if ("confirmed_text" in properties) return { action: "accept", content: { confirmed_text: "Another." } };
      const decision = ["accept", "edit", "reject"][counts.forms++ % 3] ?? "accept";
      return { action: "accept", content: "decision" in properties ? { decision } : {} };
    });
    return client;
  }

  /** What a person's session does: some reading, some mistakes, and a demand that is accepted, edited or refused. */
  async function oneRound(call: Call, round: number): Promise<void> {
    expect(await call("towow_list_scenes", round % 2 ? { fresh: true } : {}));
    expect(await call("towow_list_agents", { scene_id: sceneId }));
    expect(
      await call("towow_get_negotiation", { negotiation_id: "nobody" }),
      "tool.negotiation.not_found.unknown_negotiation",
    );
    await call("towow_nothing").catch(() => {}); // the protocol's own error
    const asked = await call("towow_demand", {
      scene_id: sceneId,
      intent: `Somebody for round ${round} of ${Math.random()}`,
    });
    expect(asked);
    if (asked.data?.decision !== "accept" && asked.data?.decision !== "edit") return;
    const done = await call("towow_status", { negotiation_id: asked.data.negotiation_id, wait: "done" });
    expect(done);
    if (done.data?.plan_output !== null) counts.plans += 1;
  }

  async function overStdio(): Promise<{ pid: number; done: Promise<void> }> {
    const home = mkdtempSync(join(tmpdir(), "towow-soak-"));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, "--mode", "developer"],
      env: {
        PATH: process.env.PATH ?? "",
        HOME: home,
        TOWOW_HOME: join(home, ".towow"),
        TOWOW_BACKEND_URL: backendUrl,
      },
    });
    const client = clientWithForms();
    await client.connect(transport);
    const call = callOf(client);
    await sendProfile(call, "towow_register_agent", {
      scene_id: sceneId,
      display_name: "Soak",
      profile_data: PROFILE,
    });
    const work = async () => {
      for (let round = 0; performance.now() < until; round++) await oneRound(call, round);
    };
    const done = Promise.all([work(), work()]).then(async () => {
      await atEnd;
      await client.close();
      rmSync(home, { recursive: true, force: true });
    });
    return { pid: transport.pid ?? 0, done };
  }

  async function overHttp(url: string, user: number): Promise<void> {
    const grant = await fetch(`${backendUrl}/v1/api/auth/mcp-token`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ user_id: "", device_info: "soak" }),
    });
    const { api_token: token, user_id: id } = (await grant.json()) as { api_token: string; user_id: string };
    const headers = { Authorization: `Bearer ${token}`, "X-Towow-User-Id": id };
    for (let round = 0; performance.now() < until; round++) {
      const modern = (user + round) % 2 === 0;
      const client = clientWithForms({ versionNegotiation: { mode: modern ? { pin: "2026-07-28" } : "legacy" } });
      const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
      await client.connect(transport);
      counts.sessions += 1;
      const call = callOf(client);
      if (round === 0)
        await sendProfile(call, "towow_register_agent", {
          scene_id: sceneId,
          display_name: `Soak ${user}`,
          profile_data: PROFILE,
        });
      for (let i = 0; i < 3 && performance.now() < until; i++) await oneRound(call, round + i);
      if (!modern && round % 3 !== 0) await transport.terminateSession(); // some only vanish
      await client.close();
    }
  }

  let finish = () => {};
  const atEnd = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const endpoint = await startEndpoint(backendUrl, ["--mode", "developer", "--session-idle", "60"]);
  const stdio = await overStdio();
  const everybody = Array.from({ length: users }, (_, user) => overHttp(endpoint.url, user));

  await sleep(warmUntil - performance.now());
  const look = async () => ({
    stdio: figuresOf(stdio.pid),
    http: figuresOf(endpoint.pid),
    heap: await heapMb(endpoint.url),
  });
  const start = await look();
  const callsAtStart = counts.calls;
  for (let next = performance.now(); performance.now() < until; next += 60_000) {
    const { stdio: s, http: h, heap } = await look();
    console.error(
      `${counts.calls} calls; stdio ${s.rssMb.toFixed(0)} MB, http ${h.rssMb.toFixed(0)} MB (heap ${heap.toFixed(0)})`,
    );
    await sleep(Math.max(0, Math.min(next + 60_000, until) - performance.now()));
  }
  const busy = await look();
  await Promise.all(everybody);
  await sleep(90_000); // idle sessions end, garbage is collected
  const end = await look();

  const row = (name: string, of: (it: typeof start) => number) =>
    console.log(`| ${name} | ${of(start).toFixed(0)} | ${of(busy).toFixed(0)} | ${of(end).toFixed(0)} |`);
  console.log(`${minutes} minutes: ${counts.calls} calls (${callsAtStart} before "start"), ${counts.plans} plans, \
${counts.sessions} HTTP clients, ${counts.unexpected} unexpected errors ${[...unexpected].join(", ")}\n`);
  console.log("| | start (warm) | end, under load | 90 s after the load |");
  console.log("| --- | ---: | ---: | ---: |");
  row("stdio: resident memory, MB", (it) => it.stdio.rssMb);
  row("stdio: open files", (it) => it.stdio.files);
  row("stdio: sockets", (it) => it.stdio.sockets);
  row("HTTP: resident memory, MB", (it) => it.http.rssMb);
  row("HTTP: heap in use, MB", (it) => it.heap);
  row("HTTP: open files", (it) => it.http.files);
  row("HTTP: sockets", (it) => it.http.sockets);
  finish();
  await stdio.done;
  await endpoint.stop();
  await mock.close();
  const grew = end.http.rssMb - start.http.rssMb;
  return {
    ok: counts.unexpected === 0,
    line: `${minutes} minutes, ${counts.calls} calls, ${counts.plans} plans, ${counted(counts.unexpected, "unexpected error")}, the endpoint ${grew.toFixed(0)} MB larger`,
  };
}
