import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ky from "ky";
import { CLI, startMock } from "./mock.ts";
import { type StartedServer, startServer } from "./server.ts";

/** Medians and minima, in milliseconds a call. */
export interface CallFigures {
  name: string;
  sequentialMs: number[];
  /** Of fifty at once: the time of all, divided by fifty. */
  atOnceMs: number[];
}

const LIBRARY = new URL("library.ts", import.meta.url).pathname;
const SEQUENTIAL = 200;
const AT_ONCE = 50;

/** Calls of each kind in turns, `rounds` times, each beside the same request by hand. */
export async function measureCalls(rounds: number): Promise<CallFigures[]> {
  const mock = await startMock();
  const home = mkdtempSync(join(tmpdir(), "towow-calls-"));
  const server = await startServer(process.execPath, [CLI], {
    HOME: home,
    TOWOW_HOME: home,
    TOWOW_BACKEND_URL: mock.url,
    TOWOW_MODE: "developer",
  });
  const authorization = mock.headers.Authorization ?? "";
  const library = await startServer(process.execPath, [LIBRARY, `${mock.url}/v1/api`, authorization], {});
  try {
    const id = await openNegotiation(server);
    const api = ky.create({ prefix: `${mock.url}/v1/api`, headers: mock.headers, retry: 0, timeout: 10_000 });
    const kinds: [string, () => Promise<unknown>][] = [
      [
        "fetch, the same GET",
        async () => (await fetch(`${mock.url}/v1/api/negotiations/${id}`, { headers: mock.headers })).json(),
      ],
      ["ky, the same GET", () => api.get(`negotiations/${id}`).json()],
      ["the SDK, an empty tool", () => library.callTool("empty", {})],
      ["the SDK, the same GET by ky", () => library.callTool("read", { negotiation_id: id })],
      ["towow_get_negotiation", () => server.callTool("towow_get_negotiation", { negotiation_id: id })],
      ["towow_status", () => server.callTool("towow_status", { negotiation_id: id })],
    ];
    const figures = kinds.map(([name]): CallFigures => ({ name, sequentialMs: [], atOnceMs: [] }));
    for (const [, call] of kinds) for (let i = 0; i < SEQUENTIAL; i++) await call();
    for (let round = 0; round < rounds; round++)
      for (const [at, [, call]] of kinds.entries()) {
        figures[at]?.sequentialMs.push(await medianOf(SEQUENTIAL, call));
        const from = performance.now();
        await Promise.all(Array.from({ length: AT_ONCE }, call));
        figures[at]?.atOnceMs.push((performance.now() - from) / AT_ONCE);
      }
    return figures;
  } finally {
    await library.stop();
    await server.stop();
    await mock.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The id of a demand that waits for its person, so that nothing changes while it is read. */
export async function openNegotiation(server: Pick<StartedServer, "callTool">): Promise<string> {
  const { scenes } = await dataOf(server, "towow_list_scenes", {});
  const [scene] = scenes as { scene_id: string }[];
  const intent = "A product designer who knows hospital queues";
  const submitted = await dataOf(server, "towow_submit_demand", { scene_id: scene?.scene_id, intent });
  return String(submitted.negotiation_id);
}

/** The data of one result. @throws when the call failed */
export async function dataOf(
  server: Pick<StartedServer, "callTool">,
  name: string,
  args: object,
): Promise<Record<string, unknown>> {
  const { structuredContent } = await server.callTool(name, args);
  const { status, data } = structuredContent as { status: string; data: Record<string, unknown> };
  if (status === "error") throw new Error(`${name} failed: ${JSON.stringify(structuredContent)}`);
  return data;
}

async function medianOf(count: number, call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const from = performance.now();
    await call();
    times.push(performance.now() - from);
  }
  return times.toSorted((a, b) => a - b)[count >> 1] ?? Number.NaN;
}
