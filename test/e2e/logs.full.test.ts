import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";

const at = new Date(2026, 9, 1, 21, 4, 5).getTime();
/** As the tools, the endpoint, the supervisors and a program that was killed write them. */
const LINES = [
  {
    level: 30,
    time: at,
    pid: 1,
    event: "agent_tool_done",
    session_id: "s",
    tool: "towow_status",
    status: "completed",
    duration_ms: 12.4,
    error_code: null,
    request_id: "r",
    warnings_count: 0,
  },
  {
    level: 30,
    time: at,
    pid: 1,
    event: "agent_tool_done",
    tool: "towow_demand",
    status: "error",
    duration_ms: 3,
    error_code: "tool.scope.category.reason",
  },
  { level: 30, time: at, pid: 1, event: "http_access", method: "POST", route: "/mcp", status: 401, duration_ms: 2 },
  { level: 40, time: at, pid: 1, event: "recovery_failed", error: "Unreachable" },
  { level: 30, time: "soon", pid: 1, event: "shutdown", why: "SIGTERM" },
].map((line) => JSON.stringify(line));

async function homeWithLog(lines: readonly string[], older: readonly string[] = []): Promise<Record<string, string>> {
  const home = await temporaryHome();
  await mkdir(join(home, "logs"));
  await writeFile(join(home, "logs", "towow.log"), lines.map((line) => `${line}\n`).join(""));
  if (older.length > 0) await writeFile(join(home, "logs", "towow.log.1"), older.map((line) => `${line}\n`).join(""));
  return { TOWOW_HOME: home };
}

it("logs: one table, whoever wrote the line", async () => {
  const env = await homeWithLog([...LINES, '{"level":30,"time":17', "null"]);
  const { stdout, status } = await cli(["logs"], { env });
  expect(status).toBe(0);
  expect(stdout.trimEnd().split("\n").slice(1)).toEqual([
    "Time                 What              Result      Took  Details",
    "2026-10-01 21:04:05  towow_status      completed  12 ms",
    "2026-10-01 21:04:05  towow_demand      error       3 ms  tool.scope.category.reason",
    "2026-10-01 21:04:05  POST /mcp         401         2 ms",
    "2026-10-01 21:04:05  recovery_failed   warning           error=Unreachable",
    "–                    shutdown                            why=SIGTERM",
    '–                    (not a log line)                    {"level":30,"time":17',
    "–                    (not a log line)                    null",
  ]);
  const chinese = await cli(["logs", "-n", "4"], { env: { ...env, TOWOW_LANG: "zh" } });
  expect(chinese.stdout.split("\n")[1]).toMatch(/^时间 +内容 +结果 +用时 +详情$/);
});

it("logs: the older file follows where the newer one is short; a count that is none is refused", async () => {
  const env = await homeWithLog(LINES.slice(0, 1), LINES.slice(1));
  const lines = async (count: string) =>
    (await cli(["logs", "--json", "-n", count], { env })).stdout.trimEnd().split("\n");
  expect(await lines("1")).toEqual(LINES.slice(0, 1));
  expect(await lines("3")).toEqual([...LINES.slice(3), LINES[0]]);
  for (const count of ["0", "-1", "1.5", "x", ""]) {
    const { status, stderr, stdout } = await cli(["logs", `--lines=${count}`], { env });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("whole number of at least 1");
  }
  expect((await cli(["logs"], { env: { TOWOW_HOME: await temporaryHome() } })).stdout).toContain(
    "Nothing has been logged",
  );
});
