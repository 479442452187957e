import autocannon from "autocannon";
import { startMock } from "../calls/mock.ts";
import { type Running, startBare, startEndpoint, startLibrary, startPlain } from "./servers.ts";

const WARM_UP_S = 2;
/** So that no two of the calls at once ask for the same one. */
const READ_IN_TURNS = 64;
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
export const headers = (tool: string, token: string, userId = "bench") => ({
  Authorization: `Bearer ${token}`,
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": "tools/call",
  "Mcp-Name": tool,
  "X-Towow-User-Id": userId,
});
export const call = (name: string, args: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta: META } });

interface Figures {
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  failed: number;
}

/** A tool as it is called: with each of these arguments in turn. */
interface Calls {
  tool: string;
  args: readonly object[];
}

async function load(
  url: string,
  { tool, args }: Calls,
  connections: number,
  duration: number,
  token = "bench",
): Promise<Figures> {
  const times: number[] = [];
  const requests = args.map((one) => ({ body: call(tool, one) }));
  const run = autocannon({ url, connections, duration, method: "POST", headers: headers(tool, token), requests });
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

interface Result extends Record<string, unknown> {
  structuredContent?: { data: Record<string, unknown> };
}

/** What the endpoint answers to one call. */
export async function resultOf(url: string, token: string, tool: string, args: object = {}): Promise<Result> {
  const response = await fetch(url, { method: "POST", headers: headers(tool, token), body: call(tool, args) });
  return ((await response.json()) as { result: Result }).result;
}

/** Demands that wait for their person, so that nothing changes while they are read. */
async function openNegotiations(url: string, token: string, count: number): Promise<{ negotiation_id: string }[]> {
  const { structuredContent: listed } = await resultOf(url, token, "towow_list_scenes");
  const [scene] = (listed?.data.scenes ?? []) as { scene_id: string }[];
  const ids: { negotiation_id: string }[] = [];
  while (ids.length < count) {
    const demand = { scene_id: scene?.scene_id, intent: `A product designer who knows hospital queues, ${ids.length}` };
    const { structuredContent: made } = await resultOf(url, token, "towow_submit_demand", demand);
    ids.push({ negotiation_id: String(made?.data.negotiation_id) });
  }
  return ids;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export interface Memory {
  rssMb: number;
  heapMb: number;
}

async function memoryOf(url: string): Promise<Memory> {
  const text = await (await fetch(url.replace("/mcp", "/metrics"))).text();
  const mb = (name: string) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1]) / 2 ** 20;
  return { rssMb: mb("process_resident_memory_bytes"), heapMb: mb("nodejs_heap_size_used_bytes") };
}

export interface HttpRow extends Figures {
  name: string;
  inFlight: number;
}

export interface SessionFigures {
  count: number;
  seconds: number;
  before: Memory;
  after: Memory;
}

/** Calls over HTTP, and what sessions leave behind, beside what the library and Node can do, in the same run. */
export async function measureHttp(inFlightOf: number[], seconds: number, rounds: number, sessionCount: number) {
  const mock = await startMock();
  const token = mock.headers.Authorization?.replace("Bearer ", "") ?? "";
  const endpoint = await startEndpoint(mock.url, ["--mode", "developer"]);
  const listed = JSON.stringify(await resultOf(endpoint.url, token, "towow_list_scenes"));
  const open = await openNegotiations(endpoint.url, token, READ_IN_TURNS);
  const empty = { tool: "empty", args: [{}] };
  const targets: [name: string, running: Running, calls: Calls][] = [
    ["bare node:http, JSON in and out", await startBare(), empty],
    ["bare Hono, JSON in and out", await startPlain(), empty],
    ["the SDK's own handler, an empty tool", await startLibrary(), empty],
    ["the SDK's own handler, the same list of scenes", await startLibrary(listed), empty],
    [
      "the SDK's own handler, the same GET by ky",
      await startLibrary(`${mock.url}/v1/api`, `Bearer ${token}`),
      { tool: "empty", args: open },
    ],
    ["towow-mcp, a read from the backend", endpoint, { tool: "towow_get_negotiation", args: open }],
    ["towow-mcp, a cached read (list of scenes)", endpoint, { tool: "towow_list_scenes", args: [{}] }],
    ["towow-mcp, a refused call (no id)", endpoint, { tool: "towow_get_negotiation", args: [{}] }],
  ];
  const rows: HttpRow[] = [];
  for (const inFlight of inFlightOf) {
    const figures = new Map<string, Figures[]>(targets.map(([name]) => [name, []]));
    for (let round = 0; round < rounds; round++)
      for (const [name, { url }, calls] of targets) {
        if (round === 0) await load(url, calls, inFlight, WARM_UP_S, token);
        figures.get(name)?.push(await load(url, calls, inFlight, seconds, token));
      }
    for (const [name, all] of figures) {
      const of = (key: keyof Figures) => median(all.map((one) => one[key]));
      rows.push({
        name,
        inFlight,
        perSecond: of("perSecond"),
        p50: of("p50"),
        p95: of("p95"),
        p99: of("p99"),
        failed: of("failed"),
      });
    }
  }
  const before = await memoryOf(endpoint.url);
  const from = performance.now();
  await sessions(endpoint.url, sessionCount, token);
  const sessionSeconds = (performance.now() - from) / 1000;
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const after = await memoryOf(endpoint.url);
  for (const { stop } of new Set(targets.map(([, running]) => running))) await stop();
  await mock.stop();
  return { rows, sessions: { count: sessionCount, seconds: sessionSeconds, before, after } satisfies SessionFigures };
}

/** Opens and closes sessions, 32 at a time; each lists its tools once. */
async function sessions(url: string, count: number, token: string): Promise<void> {
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
