import { describe, expect, it } from "vitest";
import { cancels, submits } from "../support/backend.ts";
import { cli, finished, start } from "../support/cli.ts";
import { soon } from "../support/soon.ts";
import { world } from "./call-support.ts";

describe("--stdin", () => {
  const lines = (stdout: string) =>
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  it("one session: the cache, the dedupe and the budget hold; bad lines are answered and passed over", async () => {
    const { mock, env } = await world({ TOWOW_MODE: "developer", TOWOW_BUDGET_MAX_NEGOTIATIONS: "2" });
    const demand = { tool: "towow_demand", params: { scene_id: mock.sceneId, intent: "A designer" } };
    const requests = [
      { id: 1, tool: "towow_list_scenes" },
      { id: 2, tool: "towow_list_scenes" },
      { id: "a", ...demand },
      { id: "b", ...demand },
      { id: "c", tool: "towow_demand", params: { scene_id: mock.sceneId, intent: "A cook" } },
      { id: "d", tool: "towow_demand", params: { scene_id: mock.sceneId, intent: "A pilot" } },
    ].map((request) => JSON.stringify(request));
    const bad = ["", "not json", "[]", '{"tool":1}', '{"id":{},"tool":"x"}', '{"id":9,"tool":"x","arguments":{}}'];
    const huge = `{"id":7,"tool":"${"x".repeat(3_000_000)}"}`;
    const input = [...requests, ...bad, huge, '{"id":"last","tool":"towow_status"}'].join("\n"); // no end of line
    const { status, stdout, stderr } = await cli(["call", "--stdin"], { env, input });
    const answers = lines(stdout);
    const told = answers.map(({ line, id, ok, result }) => [
      line,
      id,
      ok,
      result.error?.code ?? result.warnings.join(),
    ]);
    expect(told).toEqual([
      [1, 1, true, ""],
      [2, 2, true, ""],
      [3, "a", true, expect.any(String)],
      [4, "b", true, expect.stringContaining("duplicate_suppressed")],
      [5, "c", true, expect.any(String)],
      [6, "d", false, "tool.budget.blocked.negotiations"],
      [8, null, false, "tool.input.invalid.line"],
      [9, null, false, "tool.input.invalid.line"],
      [10, null, false, "tool.input.invalid.arguments"],
      [11, null, false, "tool.input.invalid.arguments"],
      [12, 9, false, "tool.input.invalid.unknown_argument"],
      [13, null, false, "tool.input.invalid.line"],
      [14, "last", true, expect.any(String)],
    ]);
    expect(answers[1].result.meta.cache_hit).toBe(true);
    expect(submits(mock)).toHaveLength(2);
    expect(status).toBe(1);
    for (const { negotiation_id } of mock.negotiations()) expect(stderr).toContain(negotiation_id);
    expect(stderr).toContain("Withdrawing");
    expect(cancels(mock)).toHaveLength(2);
  });

  it("answers each line as it comes, and ends well with its input", async () => {
    const { env } = await world();
    const child = start(["call", "--stdin"], { env });
    const ended = finished(child);
    let seen = "";
    child.stdout?.on("data", (chunk: string) => {
      seen += chunk;
    });
    child.stdin?.write('{"id":1,"tool":"towow_set_mode","params":{"mode":"developer","persist":false}}\n');
    await soon(() => seen).toContain('"id":1');
    child.stdin?.write('{"id":2,"tool":"towow_list_scenes"}\r\n');
    await soon(() => seen).toContain('"id":2');
    child.stdin?.end();
    const { status, stdout } = await ended;
    expect([status, lines(stdout).map(({ ok }) => ok)]).toEqual([0, [true, true]]);
  });

  it("an interrupt withdraws what the session submitted", async () => {
    const { mock, env } = await world();
    const child = start(["call", "--stdin"], { env });
    const ended = finished(child);
    const request = { tool: "towow_demand", params: { scene_id: mock.sceneId, intent: "A designer" } };
    child.stdin?.write(`${JSON.stringify(request)}\n`);
    await soon(() => mock.negotiations()[0]?.state).toBe("formulated");
    child.kill("SIGTERM");
    expect((await ended).status).toBe(143);
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
  });
});
