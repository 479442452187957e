import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { cancels, confirms, runningMock } from "../support/backend.ts";
import { CLI, cli, SCRIPT } from "../support/cli.ts";
import { modernClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";

const INTENT = "I need a product designer for a hospital queue pilot";

async function finished(decision: "accept" | "leave" = "accept") {
  const mock = await runningMock();
  const home = await temporaryHome();
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url };
  const answer = () =>
    decision === "leave" ? { action: "cancel" as const } : { action: "accept" as const, content: { decision } };
  const session = await modernClient({ env }, answer);
  const scene = mock.scenes()[0]?.scene_id ?? "";
  await session.call("towow_demand", { intent: INTENT, scene_id: scene });
  if (decision === "accept") await session.call("towow_status", { wait: "done" });
  return { mock, env, home, session, id: mock.negotiations()[0]?.negotiation_id ?? "" };
}

it("writes each format to stdout; the page needs nothing beside it", async () => {
  const { env, id } = await finished();
  const html = await cli(["report"], { env });
  expect([html.status, html.stderr]).toEqual([0, ""]);
  expect(html.stdout).toMatch(/^<!doctype html>/);
  expect(html.stdout).toContain(id);
  expect(html.stdout).toContain("Accepted");
  expect(html.stdout).toMatch(/<th scope="row">[^<]+<span class="mu">resonance [^<]+<\/span><\/th><td><p>[^<]*\p{L}/u); // tasks, which only the feed has
  expect(html.stdout).not.toMatch(/<script|(?:src|href)="(?!#)/);

  const markdown = await cli(["report", id, "--format", "md"], { env });
  expect(markdown.stdout).toContain("# Negotiation report");
  const json = JSON.parse(
    (await cli(["report", id, "--format", "json", "--need", "a unicorn", "--need", "产品设计"], { env })).stdout,
  );
  expect(json.brief.gaps).toEqual(["a unicorn"]);
  expect(json.negotiations[0].outline.tasks.length).toBeGreaterThan(0);
  const svg = await cli(["report", id, "--format", "svg", "--lang", "zh"], { env });
  expect(svg.stdout).toMatch(/^<svg xmlns=/);
  expect(svg.stdout).toContain("能力");
});

it("what it gives to a program taints the home: a model that has read it there passes no yes on", async () => {
  const { mock, env, id } = await finished();
  const home = await temporaryHome();
  const fresh = { ...env, TOWOW_HOME: home };
  const { status, stdout } = await cli(["report", id, "--format", "md"], { env: fresh });
  expect([status, stdout]).toEqual([0, expect.stringContaining("# Negotiation report")]);
  const session = await modernClient({ env: fresh });
  const sceneId = mock.scenes()[0]?.scene_id;
  const demand = await session.call("towow_demand", { intent: "Another one", scene_id: sceneId });
  const { negotiation_id } = demand.result.data;
  await session.call("towow_demand", { ...demand.result.data.resume_with.params, decision: "accept" });
  expect(demand.text).toMatch(new RegExp(`(towow-mcp|cli\\.js) confirm ${negotiation_id}`));
  expect(mock.negotiations().find((one) => one.negotiation_id === negotiation_id)?.confirmedBy).toBeUndefined();
});

it("a place that cannot be written to, and no negotiation at all, are said in a line", async () => {
  const { env, id } = await finished();
  const place = join(await temporaryHome(), "no-such-folder", "r.html");
  const nowhere = await cli(["report", id, "--out", place], { env });
  expect([nowhere.status, nowhere.stdout]).toEqual([1, ""]);
  expect(nowhere.stderr).toContain(`${place} cannot be written (ENOENT)`);
  const fresh = await cli(["report"], { env: { ...env, TOWOW_HOME: await temporaryHome() } });
  expect([fresh.status, fresh.stdout]).toEqual([1, ""]);
  expect(fresh.stderr).toContain("towow-mcp report <id>");
  const unknown = await cli(["report", "neg_none"], { env });
  expect([unknown.status, unknown.stdout]).toEqual([1, ""]);
});

it("decides nothing: a demand that waits goes on waiting", async () => {
  const { mock, env, id, session } = await finished("leave");
  const { status, stdout } = await cli(["report", id], { env });
  expect(status).toBe(0);
  expect(stdout).toContain("waits for your decision");
  expect(stdout).not.toContain("Nobody resonated");
  expect([confirms(mock).length, cancels(mock).length]).toEqual([0, 0]);
  expect((await session.call("towow_status")).result.data.state).toBe("formulated");
});

it("--open hands the file to the browser of the desktop", async () => {
  const { env, home, id } = await finished();
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nsleep 1\necho "$1" > '${home}/opened'\n`, { mode: 0o755 });
  const out = join(home, "r.html");
  const desktop = { ...env, DISPLAY: ":9", PATH: `${bin}:${process.env.PATH}` };
  const { status } = await cli(["report", id, "--open", "--out", out], { env: desktop });
  expect(status).toBe(0);
  await expect.poll(() => readFileSync(join(home, "opened"), "utf8").trim()).toBe(out);
  const headless = await cli(["report", id, "--open", "--out", out], { env });
  expect([headless.status, headless.stderr]).toEqual([0, "No browser could be opened here. Open the file yourself.\n"]);
});

it.skipIf(SCRIPT === undefined)("in a terminal the page goes into a file of the current folder", async () => {
  const { env, home, id } = await finished();
  const work = join(home, "work");
  mkdirSync(work);
  const line = `'${process.execPath}' '${CLI}' report ${id}`;
  await promisify(execFile)(SCRIPT as string, ["-qec", line, "/dev/null"], {
    cwd: work,
    env: { ...process.env, TOWOW_LANG: "en", ...env },
  });
  expect(readFileSync(join(work, `towow-report-${id}.html`), "utf8")).toContain(id);
});
