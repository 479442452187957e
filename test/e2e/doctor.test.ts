import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { runningMock } from "../support/backend.ts";
import { cli, finished, start } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { soon } from "../support/soon.ts";
import { answering, examined, homeWith } from "./doctor-support.ts";

const snapshot = async (home: string) =>
  Promise.all(
    (await readdir(home, { recursive: true })).sort(byCodeUnits).map(async (name) => {
      const { mode, mtimeMs, size } = await stat(join(home, name));
      return [name, mode, mtimeMs, size];
    }),
  );

describe("a healthy installation", () => {
  it("is in order; only GETs are sent, and nothing is written", async () => {
    const mock = await runningMock();
    const home = await homeWith({ backend_url: mock.url });
    const env = { TOWOW_HOME: home };
    await cli(["call", "towow_list_scenes", "--mode", "developer"], { env });
    const [before, asked] = [await snapshot(home), mock.journal.length];
    const { problems, warnings, unchecked } = await examined(env);
    expect([problems, warnings, unchecked]).toEqual([0, 0, 0]);
    // Six endpoints, and one of them without the token.
    expect(mock.journal.slice(asked).map(({ method }) => method)).toEqual(Array(7).fill("GET"));
    expect(mock.negotiations()).toEqual([]);
    expect(await snapshot(home)).toEqual(before);
  });

  it("prints each finding as it comes, in either language, and the end last", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const url = await answering(async (_, response) => {
      await held;
      response.writeHead(404, { "content-type": "application/json" }).end('{"detail":"Negotiation x not found"}');
    });
    const env = { TOWOW_HOME: await homeWith({ backend_url: url, lang: "zh" }), TOWOW_LANG: "" };
    const child = start(["doctor"], { env });
    const ended = finished(child);
    let seen = "";
    child.stdout?.on("data", (chunk: string) => {
      seen += chunk;
    });
    await soon(() => seen).toContain("✓ Node ");
    expect(seen).not.toContain("后端 http");
    release();
    const { stdout } = await ended;
    expect(stdout).toContain("有应答");
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/个问题/);
  });
});

it("an open pause that a running program has taken over is watched", async () => {
  const mock = await runningMock();
  const home = await homeWith({ backend_url: mock.url });
  const env = { TOWOW_HOME: home };
  const args = ["call", "towow_demand", `scene_id=${mock.sceneId}`, "intent=A designer"];
  await cli(args, { env: { ...env, TOWOW_ON_UNCONFIRMED: "leave" } });
  expect((await examined(env)).of("pauses")?.message).toMatch(/no program watches it/);
  const session = await legacyClient({ env });
  await session.call("towow_status"); // takes the guard over
  expect((await examined(env)).of("pauses")?.message).toMatch(/a running program withdraws it/);
});

describe("the log", () => {
  const at = new Date(2026, 9, 1, 21, 4, 5).getTime();
  const line = (fields: object) => JSON.stringify({ level: 30, time: at, pid: 1, ...fields });
  const done = (fields: object) => line({ event: "agent_tool_done", session_id: "s", request_id: "r", ...fields });
  const fine = done({ tool: "towow_status", status: "completed", duration_ms: 12.4, error_code: null });
  const failed = [
    done({ tool: "towow_demand", status: "error", duration_ms: 3, error_code: "tool.scope.category.reason" }),
    line({ event: "http_access", method: "POST", route: "/mcp", status: 401, duration_ms: 2 }),
    line({ level: 40, event: "recovery_failed", error: "Unreachable" }),
  ];
  const rows = [
    "  2026-10-01 21:04:05  towow_demand     error    3 ms",
    "                       tool.scope.category.reason",
    "  2026-10-01 21:04:05  POST /mcp        401      2 ms",
    "  2026-10-01 21:04:05  recovery_failed  warning        error=Unreachable",
  ];
  /** With these lines in the home's log, and in the older file beside it. */
  async function logged(newer: readonly string[], older?: readonly string[]) {
    const home = await homeWith({});
    await mkdir(join(home, "logs"), { mode: 0o700 });
    const path = join(home, "logs", "towow.log");
    const write = (to: string, lines: readonly string[]) =>
      writeFile(to, lines.map((one) => `${one}\n`).join(""), { mode: 0o600 });
    await write(path, newer);
    if (older !== undefined) await write(`${path}.1`, older);
    return { path, env: { TOWOW_HOME: home } };
  }

  it("is named, and its last failures stand below, whoever wrote the line", async () => {
    const { path, env } = await logged([fine, ...failed, fine, '{"level":50,"time":17', "null"]);
    const { stdout } = await cli(["doctor"], { env });
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(`✓ The log is ${path}. The last failures in it: `);
    expect(stdout).toContain(`\n${rows.join("\n")}\n`);
    expect((await examined(env)).findings.at(-1)).toMatchObject({ check: "log", level: "ok", failures: failed });
  });

  it("has the older file's failures before its own, where it has fewer than five", async () => {
    const { env } = await logged(failed, [failed[0]!, fine, failed[1]!, failed[2]!]);
    expect((await examined(env)).findings.at(-1)?.failures).toEqual([failed[1], failed[2], ...failed]);
  });

  it("without a failure, and without a line, is named alone", async () => {
    const { path, env } = await logged([fine]);
    expect((await examined(env)).findings.at(-1)?.message).toBe(`The log is ${path}, with no failure in it.`);
    await rm(path);
    await mkdir(path);
    expect((await examined(env)).findings.at(-1)).toMatchObject({ check: "log", level: "warning" });
    const none = await homeWith({});
    const { findings } = await examined({ TOWOW_HOME: none });
    expect(findings.at(-1)?.message).toBe(`Nothing has been logged yet in ${join(none, "logs", "towow.log")}.`);
  });
});
