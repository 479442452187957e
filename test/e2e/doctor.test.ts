import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { cli, finished, start } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { answering, examined, homeWith } from "./doctor-support.ts";

const snapshot = async (home: string) =>
  Promise.all(
    (await readdir(home, { recursive: true })).sort().map(async (name) => {
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
    const { problems, warnings, unchecked, of } = await examined(env);
    expect([problems, warnings, unchecked]).toEqual([0, 0, 0]);
    expect(of("backend.endpoints")?.message).toBe(
      "It has: negotiations, list of scenes, list of agents, tokens, confirm, cancel.",
    );
    expect(of("token")?.message).toMatch(/kept, valid until \d{4}-/);
    expect([of("clock")?.level, of("backend.token")?.level]).toEqual(["ok", "ok"]);
    // Six endpoints, and one of them without the token.
    expect(mock.journal.slice(asked).map(({ method }) => method)).toEqual(Array(7).fill("GET"));
    expect(mock.negotiations()).toEqual([]);
    expect(await snapshot(home)).toEqual(before);
  });

  it("today's backend: what it lacks is told, and is no problem", async () => {
    const mock = await runningMock({ legacyRoutes: true });
    const { of, problems } = await examined({ TOWOW_HOME: await homeWith({ backend_url: mock.url }) });
    const messages = (await examined({ TOWOW_HOME: await homeWith({ backend_url: mock.url }) })).findings
      .filter(({ check }) => check === "backend.endpoints")
      .map(({ message }) => message);
    expect(messages).toEqual([
      "It has: negotiations, confirm, cancel.",
      expect.stringContaining("It lacks: list of scenes, list of agents, tokens."),
    ]);
    expect([problems, of("backend")?.level]).toEqual([0, "ok"]);
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
    await expect.poll(() => seen, { timeout: 10_000 }).toContain("✓ Node ");
    expect(seen).not.toContain("后端 http");
    release();
    const { stdout } = await ended;
    expect(stdout).toContain("有应答");
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/个问题/);
  });
});

it("open pauses: who watches them, until when, and the command that decides", async () => {
  const mock = await runningMock();
  const home = await homeWith({ backend_url: mock.url });
  const env = { TOWOW_HOME: home };
  const args = ["call", "towow_demand", `scene_id=${mock.sceneId}`, "intent=A designer"];
  await cli(args, { env: { ...env, TOWOW_ON_UNCONFIRMED: "leave" } });
  const id = mock.negotiations()[0]?.negotiation_id;
  const left = (await examined(env)).of("pauses");
  expect(left).toMatchObject({ level: "warning", fix: `towow-mcp confirm ${id}` });
  expect(left?.message).toMatch(/no program watches it/);
  const elsewhere = await examined({ ...env, TOWOW_BACKEND_URL: "https://towow.invalid" });
  expect(elsewhere.of("pauses")?.fix).toBe(`TOWOW_BACKEND_URL=${mock.url} towow-mcp confirm ${id}`);
  const session = await legacyClient({ env });
  await session.call("towow_status"); // takes the guard over
  expect((await examined(env)).of("pauses")?.message).toMatch(/a running program watches it/);
});

it("each client's entry: there, not there, starting nothing, or unreadable", async () => {
  const home = await temporaryHome();
  const mock = await runningMock();
  const write = async (path: string, text: string) => {
    await mkdir(join(home, path, ".."), { recursive: true });
    await writeFile(join(home, path), text);
  };
  const starts = (command: string) => JSON.stringify({ mcpServers: { towow: { command } } });
  await write(".cursor/mcp.json", starts(process.execPath));
  await write(".gemini/settings.json", starts("/nowhere/towow-mcp"));
  await write(".config/opencode/opencode.json", "{");
  await write(".codex/config.toml", 'model = "x"\n');
  const { of } = await examined({ HOME: home, TOWOW_HOME: join(home, ".towow"), TOWOW_BACKEND_URL: mock.url });
  expect(of("clients.cursor")).toMatchObject({ level: "ok", message: expect.stringContaining("starts towow-mcp") });
  expect(of("clients.gemini")).toMatchObject({ level: "problem", fix: "towow-mcp setup gemini --force" });
  expect(of("clients.opencode")).toMatchObject({ level: "problem", message: expect.stringMatching(/^opencode: .*1/) });
  expect(of("clients.codex")).toMatchObject({ level: "ok", fix: "towow-mcp setup codex" });
});
