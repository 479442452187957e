import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DemoPrinter } from "../../src/commands/demo/print.ts";
import { runningMock } from "../support/backend.ts";
import { cli, SCRIPT, start } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { atTerminal, person } from "../support/terminal.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
const OSC = "\x1b]0;owned\x07";
const CLIPBOARD = "\x9d52;c;b3duZWQ=\x9c";
const HOSTILE = `mark${OSC}${CLIPBOARD}\x9b2J\x1b[8m\x1bc\u202Etxt\u2066\x08\x7f\x85end`;

/** Every byte that could act on a terminal, or turn its text around, and that our own colours and cursor are not. */
function expectHarmless(output: string, { ours = false } = {}): void {
  expect(output.length).toBeGreaterThan(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const own = /\x1b\[(?:[\d;]*m|2J|2K|\d+;1H|\?(?:1049|25|7|2026|2004|1)[hl]|\d*[GJK])/g;
  const rest = (ours ? output.replaceAll(own, "").replaceAll("\r", "") : output).replaceAll(/[\n\t]/g, "");
  expect(rest.match(/[\p{Cc}\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/gu) ?? []).toEqual([]);
  expect(output).not.toContain("\x1b[8m");
}

/** A home whose files, log and backend hold hostile text wherever text can stand. */
async function hostileWorld() {
  const mock = await runningMock({ stepMs: 5 });
  const home = await temporaryHome();
  mock.engine.formulateWith(() => `We need product design and growth marketing for a pilot ${HOSTILE}`);
  mock.engine.offerWith(() => ({ content: `Offer ${HOSTILE}`, capabilities: [HOSTILE] }));
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url };
  return { mock, home, env };
}

const post = (url: string, path: string, body: unknown) =>
  fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("nothing in data reaches a terminal as a control", () => {
  it("call and its --json and --stdin", async () => {
    const { mock, env } = await hostileWorld();
    const base = new URL(mock.url).origin;
    await post(base, `/v1/api/scenes/${mock.sceneId}/agents`, {
      agent_id: "x",
      display_name: HOSTILE,
      profile_data: {},
    });
    const scene = `scene_id=${mock.sceneId}`;
    for (const args of [
      ["call", "towow_list_agents", scene, "--mode", "developer"],
      ["call", "towow_list_agents", scene, "--mode", "developer", "--json"],
      ["call", "towow_list_scenes", `status=${HOSTILE}`, "--mode", "developer"],
      ["call", `towow_${HOSTILE}`],
      ["call", "towow_demand", scene, `intent=${HOSTILE}`],
      ["call", "towow_demand", scene, `intent=Again ${HOSTILE}`, "--json"],
    ]) {
      const { stdout, stderr } = await cli(args, { env });
      expectHarmless(stdout + stderr);
      if (args.includes("--json")) expect(JSON.parse(stdout)).toHaveProperty("status");
    }
    const lines = [{ tool: HOSTILE }, { tool: "towow_demand", params: { intent: HOSTILE, [HOSTILE]: 1 } }];
    const input = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"tool": "${HOSTILE}\n`;
    const { stdout, stderr } = await cli(["call", "--stdin"], { env, input });
    expectHarmless(stdout + stderr);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).ok),
    ).toEqual([false, false, false]);
  });

  it("the log's failures in doctor and its --json, beside a line that a crash cut", async () => {
    const home = await temporaryHome();
    await mkdir(join(home, "logs"));
    const line = JSON.stringify({ time: 0, event: HOSTILE, tool: HOSTILE, status: HOSTILE, error_code: HOSTILE });
    await writeFile(join(home, "logs", "towow.log"), `${line}\n{"cut": "${HOSTILE}\n`);
    for (const args of [["doctor"], ["doctor", "--json"]]) {
      const { stdout } = await cli(args, { env: { TOWOW_HOME: home } });
      expect(stdout).toContain("mark");
      expectHarmless(stdout);
    }
    const { stdout } = await cli(["doctor", "--json"], { env: { TOWOW_HOME: home } });
    expect(JSON.parse(JSON.parse(stdout).findings.at(-1).failures[0]).event).toBe(HOSTILE);
  });

  it("the log itself, on stderr and in its file", async () => {
    const { mock, env, home } = await hostileWorld();
    mock.faults.add({ route: "submit", kind: "status", status: 500 });
    const { stderr } = await cli(["call", "towow_demand", `scene_id=${HOSTILE}`, `intent=${HOSTILE}`], {
      env: { ...env, TOWOW_LOG_LEVEL: "debug" },
    });
    expectHarmless(stderr);
    expectHarmless(readFileSync(join(home, "logs", "towow.log"), "utf8"));
  });

  it.each([
    ["config", ["config"]],
    ["config --json", ["config", "--json"]],
    ["config get", ["config", "get", "last_scene_id"]],
    ["config get of a name that is none", ["config", "get", HOSTILE]],
    ["config set", ["config", "set", "backend_url", HOSTILE]],
    ["whoami", ["whoami"]],
    ["whoami --json", ["whoami", "--json"]],
    ["doctor", ["doctor"]],
    ["doctor --json", ["doctor", "--json"]],
    ["forget", ["forget", "--all"]],
    ["setup", ["setup", HOSTILE]],
    ["setup --print", ["setup", "codex", "--print", "--scope", "user"]],
    ["confirm", ["confirm", HOSTILE]],
    ["watch", ["watch", HOSTILE]],
    ["serve", ["serve", "--port", HOSTILE]],
    ["mock", ["mock", "--port", HOSTILE]],
    ["a command that is none", [HOSTILE]],
    ["an option that is none", ["call", `--${HOSTILE}`]],
  ])("%s", async (_, args) => {
    const { env, home } = await hostileWorld();
    const id = { user_id: `u${HOSTILE}`, last_scene_id: HOSTILE, last_negotiation_id: HOSTILE };
    const more = { backend_url: env.TOWOW_BACKEND_URL, confirmation_policy: HOSTILE };
    await writeFile(join(home, "config.json"), JSON.stringify({ ...id, ...more }), { mode: 0o600 });
    const { stdout, stderr } = await cli(args, { env: { TOWOW_HOME: home, HOME: home } });
    expectHarmless(stdout + stderr);
  });

  it("the home's own path", async () => {
    const home = join(await temporaryHome(), HOSTILE.replaceAll("/", "_"));
    await mkdir(home, { mode: 0o700 });
    for (const args of [["config"], ["whoami"], ["doctor"]]) {
      const { stdout, stderr } = await cli(args, { env: { TOWOW_HOME: home, HOME: home } });
      expectHarmless(stdout + stderr);
    }
  });

  it("watch, line by line and to the end", async () => {
    const { mock, env } = await hostileWorld();
    const session = await legacyClient({ env });
    const { result } = await session.call("towow_demand", { intent: HOSTILE, scene_id: mock.sceneId });
    const watching = start(["watch", result.data.negotiation_id, "--plain"], { env });
    const sees = person(watching);
    await sees.sees(/\S/);
    mock.engine.confirm(result.data.negotiation_id, null);
    await sees.sees(/Offer mark/);
    await sees.exit;
    expectHarmless(sees.screen());
  });

  it.skipIf(SCRIPT === undefined)("watch in place, and the question of confirm", async () => {
    const { mock, env } = await hostileWorld();
    const session = await legacyClient({ env: { ...env, TOWOW_CONFIRMATION_POLICY: "strict" } });
    await session.call("towow_demand", { intent: HOSTILE, scene_id: mock.sceneId });
    const terminal = { PATH: process.env.PATH ?? "", TERM: "xterm-256color", TOWOW_LANG: "en", ...env };
    const watching = atTerminal([CLI, "watch"], terminal);
    await watching.sees(/mark/);
    watching.presses("q");
    await watching.exit;
    expectHarmless(watching.screen(), { ours: true });
    const asked = atTerminal([CLI, "confirm"], terminal);
    await asked.sees(/\[a\]ccept/);
    asked.types("r");
    await asked.exit;
    expect(asked.screen()).toContain("\\u{1B}]0;owned");
    expectHarmless(asked.screen(), { ours: true });
  });

  it("demo: its own colours stay, others' do not", () => {
    let written = "";
    const printer = new DemoPrinter({ width: 60, colour: true, write: (text) => (written += text) });
    printer.text(HOSTILE, { style: "bold" });
    printer.quote(HOSTILE);
    printer.call("towow_demand", HOSTILE);
    printer.progress(0, HOSTILE);
    printer.offer({ display_name: HOSTILE, resonance_score: 0.5, offer_content: HOSTILE }, "score", "none");
    printer.plan(`# ${HOSTILE}\n- ${HOSTILE}`);
    printer.command([HOSTILE]);
    expect(written).toContain("\x1b[1m");
    expectHarmless(written, { ours: true });
  });
});

it("no command writes past the one function that makes text printable", () => {
  const root = new URL("../../src/", import.meta.url).pathname;
  const allowed = ["commands/print.ts", "cli.ts"];
  const found = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !allowed.includes(path))
    .filter((path) => /(stdout|stderr)\)?\.write|console\./.test(readFileSync(join(root, path), "utf8")));
  // The protocol's own lines, which are JSON, and the live view, whose lines src/terminal and src/watch make printable.
  expect(new Set(found)).toEqual(new Set(["app/handshake.ts", "commands/watch/show.ts", "mcp/stdio.ts"]));
});
