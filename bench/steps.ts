// What one read costs the program itself: processor time a call, beside the SDK with the same GET by ky, over stdio and
// HTTP. A busy machine stretches it far less than the time that a call takes; the least of all rounds is what it must cost.
// Run: npm run bench:steps [-- --calls 5000 --rounds 5 --cli <other dist/cli.js> --profile <folder>]. With --profile one
// round, of each program on its own, whose .cpuprofile Chrome's developer tools open.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openNegotiation } from "./calls/calls.ts";
import { CLI, startMock } from "./calls/mock.ts";
import { startServer } from "./calls/server.ts";
import { call, headers, resultOf } from "./http/load.ts";
import { startEndpoint, startLibrary } from "./http/servers.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "5000" },
    rounds: { type: "string", default: "5" },
    cli: { type: "string", default: CLI },
    profile: { type: "string" },
  },
});
const calls = Number(values.calls);
const rounds = values.profile === undefined ? Number(values.rounds) : 1;
const profiled = values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${values.profile}`];

const mock = await startMock();
const home = mkdtempSync(join(tmpdir(), "towow-steps-"));
const authorization = mock.headers.Authorization ?? "";
const token = authorization.replace("Bearer ", "");
const ours = await startServer(process.execPath, [...profiled, values.cli], {
  HOME: home,
  TOWOW_HOME: home,
  TOWOW_BACKEND_URL: mock.url,
  TOWOW_MODE: "developer",
});
const sdkAt = new URL("calls/library.ts", import.meta.url).pathname;
const sdk = await startServer(process.execPath, [sdkAt, `${mock.url}/v1/api`, authorization], {});
const endpoint = await startEndpoint(mock.url, ["--mode", "developer"], { NODE_OPTIONS: profiled.join(" ") });
const sdkHttp = await startLibrary(`${mock.url}/v1/api`, authorization);
const negotiation_id = await openNegotiation(ours);
const idOverHttp = await openNegotiation({ callTool: (tool, args) => resultOf(endpoint.url, token, tool, args) });

async function post(url: string, tool: string): Promise<void> {
  const body = call(tool, { negotiation_id: idOverHttp });
  await (await fetch(url, { method: "POST", headers: headers(tool, token), body })).text();
}

interface Program {
  name: string;
  atOnce: number;
  pid: number;
  read: () => Promise<unknown>;
}
const programs: Program[] = [1, 50].flatMap((atOnce) => [
  { name: "the SDK over stdio", atOnce, pid: sdk.pid, read: () => sdk.callTool("read", { negotiation_id }) },
  {
    name: "towow-mcp over stdio",
    atOnce,
    pid: ours.pid,
    read: () => ours.callTool("towow_get_negotiation", { negotiation_id }),
  },
]);
programs.push(
  { name: "the SDK over HTTP", atOnce: 32, pid: sdkHttp.pid, read: () => post(sdkHttp.url, "empty") },
  {
    name: "towow-mcp over HTTP",
    atOnce: 32,
    pid: endpoint.pid,
    read: () => post(endpoint.url, "towow_get_negotiation"),
  },
);

/** User and system, of all threads: Linux counts them in hundredths of a second. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function costOf({ pid, read, atOnce }: Program): Promise<number> {
  const from = processorMs(pid);
  let left = calls;
  const worker = async () => {
    while (left-- > 0) await read();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (processorMs(pid) - from) / calls;
}

const costs = programs.map((): number[] => []);
for (let round = -1; round < rounds; round++)
  for (const [at, program] of programs.entries()) {
    const cost = await costOf(program);
    if (round >= 0) costs[at]!.push(cost);
  }
console.log("| program | at once | processor ms a call: least | median | beside the SDK |");
console.log("| --- | ---: | ---: | ---: | ---: |");
const least = (at: number) => Math.min(...costs[at]!);
for (const [at, { name, atOnce }] of programs.entries()) {
  const median = costs[at]!.toSorted((a, b) => a - b)[costs[at]!.length >> 1]!;
  const beside = at % 2 === 0 ? "" : `${(least(at) / least(at - 1)).toFixed(2)} ×`;
  console.log(`| ${name} | ${atOnce} | ${least(at).toFixed(3)} | ${median.toFixed(3)} | ${beside} |`);
}
for (const { stop } of [ours, sdk, endpoint, sdkHttp, mock]) await stop();
rmSync(home, { recursive: true, force: true });
