import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stepsFor } from "../../src/commands/overview.ts";
import { runningMock } from "../support/backend.ts";
import { CLI, cli, SCRIPT } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { atTerminal } from "../support/terminal.ts";

const typed = async (env: Record<string, string>) => {
  const home = await temporaryHome();
  const person = atTerminal([CLI], { PATH: process.env.PATH ?? "", HOME: home, LANG: "C", NO_COLOR: "1", ...env });
  expect(await person.exit).toBe(0);
  return person.screen().replaceAll("\r", "");
};

describe.skipIf(SCRIPT === undefined)("towow-mcp alone, in a terminal", () => {
  it("is no silent server: it says what to do first, and writes nothing", async () => {
    const home = await temporaryHome();
    const screen = await typed({ TOWOW_HOME: join(home, ".towow") });
    expect(screen).toMatch(/Network +none chosen yet/);
    expect(screen).toMatch(/towow-mcp setup .*\n.*towow-mcp demo/);
    expect(await readdir(home)).toEqual([]);
  });

  it("shows where one stands: network, scene, what waits, what is under way; in either language", async () => {
    const mock = await runningMock();
    const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url };
    await cli(["call", "towow_demand", `scene_id=${mock.sceneId}`, "intent=A designer for two weeks"], {
      env: { ...env, TOWOW_ON_UNCONFIRMED: "leave" },
    });
    await cli(["config", "set", "last_scene_id", mock.sceneId], { env });
    const id = mock.negotiations()[0]?.negotiation_id ?? "";
    const asked = mock.journal.length;
    const screen = await typed(env);
    expect(screen).toContain(`Network  ${new URL(mock.url).host} answers`);
    expect(screen).toMatch(new RegExp(`Waits for your decision\\n  ${id} · broadcast in \\d:\\d\\d · A designer`));
    expect(screen).toContain("towow-mcp confirm");
    expect(mock.journal.slice(asked).every(({ method }) => method === "GET")).toBe(true);
    const chinese = await typed({ ...env, TOWOW_LANG: "zh" });
    expect(chinese).toMatch(/网络 .*可以连通/);
    expect(chinese).toContain("等你决定");
  });

  it("a client that is told not to start it counts as none, and the doctor says where", async () => {
    const home = await temporaryHome();
    await mkdir(join(home, ".cursor"));
    const towow = { command: "towow-mcp", disabled: true };
    await writeFile(join(home, ".cursor/mcp.json"), JSON.stringify({ mcpServers: { towow } }));
    const screen = await typed({ HOME: home, TOWOW_BACKEND_URL: "sandbox" });
    expect(screen).toContain("Clients  Cursor (switched off)");
    expect(screen).toContain("towow-mcp doctor");
    expect(screen).not.toContain("towow-mcp setup");
  });

  it("the server itself, started in a terminal, says what it is", async () => {
    const env = { PATH: process.env.PATH ?? "", TOWOW_HOME: await temporaryHome(), LANG: "C" };
    const person = atTerminal([CLI, "stdio"], env);
    await person.sees(/This is the MCP server/);
    person.presses("\x04");
    await person.exit;
  });
});

it("what comes next: the most pressing first, with the id where one must be named", () => {
  const at = {
    hasNetwork: true,
    isConnected: true,
    isOff: false,
    update: undefined,
    inTrouble: false,
    unsent: [],
    waiting: [],
    open: [],
    hasHistory: true,
    canList: true,
  };
  const commands = (more: Partial<Parameters<typeof stepsFor>[0]>) =>
    stepsFor({ ...at, ...more }).map(({ command }) => command);
  expect(commands({})).toEqual(["towow-mcp open", "towow-mcp list", "towow-mcp scenes", "towow-mcp --help"]);
  expect(commands({ unsent: ["neg_4"], waiting: ["neg_1"] })[0]).toBe("towow-mcp cancel neg_4");
  expect(commands({ waiting: ["neg_1"] })[0]).toBe("towow-mcp confirm");
  expect(commands({ waiting: ["neg_2", "neg_1"], open: ["neg_3"] }).slice(0, 2)).toEqual([
    "towow-mcp confirm neg_2",
    "towow-mcp watch",
  ]);
  expect(commands({ hasNetwork: false, hasHistory: false }).slice(0, 2)).toEqual(["towow-mcp setup", "towow-mcp demo"]);
  const [setup] = stepsFor({ ...at, isConnected: false });
  expect(setup).toEqual({ command: "towow-mcp setup", step: "connect" }); // a network is not asked for twice
  expect(commands({ isConnected: false, isOff: true })[0]).toBe("towow-mcp doctor"); // it says where
  expect(commands({ update: "towow-mcp setup cursor codex" })[0]).toBe("towow-mcp setup cursor codex");
  expect(commands({ inTrouble: true })).not.toContain("towow-mcp scenes");
});
