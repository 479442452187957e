import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { fillHistory } from "../../test/support/filled-history.ts";
import { CLI, startMock } from "../calls/mock.ts";
import { startServer } from "../calls/server.ts";
import { residentMb } from "../resident-mb.ts";

const run = promisify(execFile);
export const NEGOTIATIONS = 10_000;
const INTENT = "A product designer who knows hospital queues";

/** One program on one home: milliseconds, and resident memory in MB after all of it. */
export interface HomeFigures {
  start: number[];
  status: number[];
  demand: number[];
  unknownId: number[];
  resource: number[];
  list: number[];
  residentMb: number[];
}

const none = (): HomeFigures => ({
  start: [],
  status: [],
  demand: [],
  unknownId: [],
  resource: [],
  list: [],
  residentMb: [],
});

/** A home with ten thousand finished negotiations beside one with none, in turns, `rounds` times. */
export async function measureHistory(rounds: number): Promise<{ full: HomeFigures; empty: HomeFigures }> {
  const mock = await startMock();
  const homes = [0, NEGOTIATIONS].map((count) => ({ home: mkdtempSync(join(tmpdir(), "towow-history-")), count }));
  const figures = { empty: none(), full: none() };
  try {
    for (const { home, count } of homes) fillHistory(home, mock.url, count);
    for (let round = -1; round < rounds; round++)
      for (const { home, count } of homes) {
        const into = round < 0 ? none() : count === 0 ? figures.empty : figures.full;
        await oneProgram(home, mock.url, into, round);
      }
    return figures;
  } finally {
    await mock.stop();
    for (const { home } of homes) rmSync(home, { recursive: true, force: true });
  }
}

async function oneProgram(home: string, url: string, into: HomeFigures, round: number): Promise<void> {
  const env = { HOME: home, TOWOW_HOME: home, TOWOW_BACKEND_URL: url, TOWOW_MODE: "developer", TOWOW_LANG: "en" };
  const timed = async <T>(key: keyof HomeFigures, work: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    const result = await work();
    into[key].push(performance.now() - from);
    return result;
  };
  const server = await timed("start", async () => {
    const started = await startServer(process.execPath, [CLI], env);
    await started.request("tools/list", {});
    return started;
  });
  const { structuredContent } = await server.callTool("towow_list_scenes", {});
  const [scene] = (structuredContent as { data: { scenes: { scene_id: string }[] } }).data.scenes;
  await timed("status", () => server.callTool("towow_status", {}));
  await timed("demand", () =>
    server.callTool("towow_submit_demand", { scene_id: scene?.scene_id, intent: `${INTENT} ${round}` }),
  );
  await timed("unknownId", () => server.callTool("towow_get_negotiation", { negotiation_id: `neg_${"0".repeat(12)}` }));
  await timed("resource", () => server.request("resources/read", { uri: "towow://negotiations" }));
  await new Promise((resolve) => setTimeout(resolve, 500));
  into.residentMb.push(residentMb(server.pid));
  await server.stop();
  await timed("list", () =>
    run(process.execPath, [CLI, "list"], { env: { PATH: process.env.PATH ?? "", ...env } }).catch(() => undefined),
  );
}
