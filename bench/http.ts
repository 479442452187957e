// Tool calls over HTTP: a second, and how long each takes, beside the protocol library's own handler with one empty
// tool and a bare JSON endpoint, in the same run; and what 10,000 sessions leave behind.
// Run: npm run bench:http [-- --seconds 8 --rounds 3 --sessions 10000]

import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { createMockBackend } from "../mock-backend/main.ts";
import { type Running, startEndpoint, startLibrary, startPlain } from "./http/servers.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" },
    sessions: { type: "string", default: "10000" },
  },
});
const IN_FLIGHT = [1, 32, 256];
const WARM_UP_S = 2;
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const headers = (tool: string, token: string) => ({
  Authorization: `Bearer ${token}`,
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": "tools/call",
  "Mcp-Name": tool,
  "X-Towow-User-Id": "bench",
});
const call = (name: string) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {}, _meta: META } });

interface Figures {
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  failed: number;
}

async function load(
  url: string,
  tool: string,
  connections: number,
  duration: number,
  token = "bench",
): Promise<Figures> {
  const times: number[] = [];
  const run = autocannon({
    url,
    connections,
    duration,
    method: "POST",
    headers: headers(tool, token),
    body: call(tool),
  });
  run.on("response", (_client, _status, _bytes, ms) => times.push(ms));
  const result = await run;
  times.sort((a, b) => a - b);
  const at = (q: number) => times[Math.min(times.length - 1, Math.floor(times.length * q))] ?? Number.NaN;
  return {
    perSecond: result["2xx"] / result.duration,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    failed: result.errors + result.non2xx,
  };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function memoryOf(url: string): Promise<{ rssMb: number; heapMb: number }> {
  const text = await (await fetch(url.replace("/mcp", "/metrics"))).text();
  const mb = (name: string) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1]) / 2 ** 20;
  return { rssMb: mb("process_resident_memory_bytes"), heapMb: mb("nodejs_heap_size_used_bytes") };
}

const mock = createMockBackend({ seed: 7, stepMs: 10 });
const { url: backendUrl } = await mock.listen();
const grant = await fetch(`${backendUrl}/v1/api/auth/mcp-token`, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ user_id: "", device_info: "bench" }),
});
const { api_token: token } = (await grant.json()) as { api_token: string };

const endpoint = await startEndpoint(backendUrl, ["--mode", "developer"]);
const targets: [name: string, running: Running, tool: string][] = [
  ["bare Hono, JSON in and out", await startPlain(), "empty"],
  ["the library's handler, empty tool", await startLibrary(), "empty"],
  ["towow-mcp, a cached read (list of scenes)", endpoint, "towow_list_scenes"],
  ["towow-mcp, a refused call (unknown id)", endpoint, "towow_get_negotiation"],
];

console.log("| server and call | in flight | calls/s | p50 ms | p95 ms | p99 ms | failed |");
console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
for (const inFlight of IN_FLIGHT) {
  const rows = new Map<string, Figures[]>(targets.map(([name]) => [name, []]));
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [name, { url }, tool] of targets) {
      if (round === 0) await load(url, tool, inFlight, WARM_UP_S, token);
      rows.get(name)?.push(await load(url, tool, inFlight, Number(values.seconds), token));
    }
  for (const [name, figures] of rows) {
    const of = (key: keyof Figures) => median(figures.map((one) => one[key]));
    const ms = (key: keyof Figures) => of(key).toFixed(1);
    console.log(
      `| ${name} | ${inFlight} | ${Math.round(of("perSecond"))} | ${ms("p50")} | ${ms("p95")} | ${ms("p99")} | ${of("failed")} |`,
    );
  }
}

const before = await memoryOf(endpoint.url);
const opened = performance.now();
await sessions(endpoint.url, Number(values.sessions));
const seconds = (performance.now() - opened) / 1000;
await new Promise((resolve) => setTimeout(resolve, 5_000));
const after = await memoryOf(endpoint.url);
const mb = (n: number) => n.toFixed(0);
console.log(`
${values.sessions} sessions of the 2025 era opened and closed in ${seconds.toFixed(0)} s; resident memory ${mb(before.rssMb)} → \
${mb(after.rssMb)} MB, heap ${mb(before.heapMb)} → ${mb(after.heapMb)} MB.`);

for (const { stop } of new Set(targets.map(([, running]) => running))) await stop();
await mock.close();

/** Opens and closes sessions, 32 at a time; each lists its tools once. */
async function sessions(url: string, count: number): Promise<void> {
  const base = { ...headers("", token), "MCP-Protocol-Version": "2025-11-25" };
  const { "Mcp-Method": _, "Mcp-Name": __, ...plain } = base;
  const post = (body: object, more: Record<string, string> = {}) =>
    fetch(url, { method: "POST", headers: { ...plain, ...more }, body: JSON.stringify({ jsonrpc: "2.0", ...body }) });
  const clientInfo = { name: "bench", version: "1" };
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      const hello = await post({ id: 1, method: "initialize", params });
      await hello.text();
      const id = { "Mcp-Session-Id": hello.headers.get("mcp-session-id") ?? "" };
      await (await post({ method: "notifications/initialized" }, id)).text();
      await (await post({ id: 2, method: "tools/list" }, id)).text();
      await (await fetch(url, { method: "DELETE", headers: { ...plain, ...id } })).text();
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}
