import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { CLIENTS, type Client } from "../../src/setup/clients.ts";
import { launchOf } from "../../src/setup/launch.ts";
import type { Machine } from "../../src/setup/machine.ts";
import { isInstalled, ownProgram } from "../../src/setup/programs.ts";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";

const refuse = () => {
  throw new Error("nothing may be touched here");
};

function machine(platform: string, has: string[] = [], more: Partial<Machine> = {}): Machine {
  const windows = platform === "win32";
  return {
    platform,
    env: windows
      ? { Path: "C:\\bin;relative", APPDATA: "C:\\Users\\me\\AppData\\Roaming" }
      : { PATH: "/opt/bin:.:/usr/bin" },
    project: windows ? "C:\\work" : "/work",
    home: windows ? "C:\\Users\\me" : "/home/me",
    cwd: windows ? "C:\\work" : "/work",
    node: windows ? "C:\\node\\node.exe" : "/opt/node/bin/node",
    copies: windows ? "C:\\Users\\me\\.towow\\app" : "/home/me/.towow/app",
    version: "0.1.0",
    isProgram: (path) => has.includes(path),
    isFolder: (path) => has.includes(path),
    real: (path) => path,
    read: () => undefined,
    write: refuse,
    replace: refuse,
    remove: refuse,
    removeEmptyFolder: refuse,
    run: refuse,
    ...more,
  };
}
const client = (id: string): Client => CLIENTS.find((one) => one.id === id)!;

it("every client's usual file, on each platform", () => {
  const files = (platform: string) =>
    Object.fromEntries(CLIENTS.map(({ id, files: { user } }) => [id, user(machine(platform)).at(-1)]));
  expect(files("linux")).toEqual({
    "claude-code": "/home/me/.claude.json",
    "claude-desktop": "/home/me/.config/Claude/claude_desktop_config.json",
    codex: "/home/me/.codex/config.toml",
    cursor: "/home/me/.cursor/mcp.json",
    vscode: "/home/me/.config/Code/User/mcp.json",
    gemini: "/home/me/.gemini/settings.json",
    opencode: "/home/me/.config/opencode/opencode.json",
  });
  expect(files("darwin")).toMatchObject({
    "claude-desktop": "/home/me/Library/Application Support/Claude/claude_desktop_config.json",
    vscode: "/home/me/Library/Application Support/Code/User/mcp.json",
    opencode: "/home/me/.config/opencode/opencode.json",
  });
  expect(files("win32")).toEqual({
    "claude-code": "C:\\Users\\me\\.claude.json",
    "claude-desktop": "C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
    codex: "C:\\Users\\me\\.codex\\config.toml",
    cursor: "C:\\Users\\me\\.cursor\\mcp.json",
    vscode: "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json",
    gemini: "C:\\Users\\me\\.gemini\\settings.json",
    opencode: "C:\\Users\\me\\.config\\opencode\\opencode.json",
  });
});

it("the folders that clients let one move", () => {
  const env = { CLAUDE_CONFIG_DIR: "/c", CODEX_HOME: "/x", GEMINI_CLI_HOME: "/g", XDG_CONFIG_HOME: "/xdg" };
  const at = machine("linux", [], { env });
  const file = (id: string) => client(id).files.user(at).at(-1);
  expect(["claude-code", "codex", "gemini", "opencode", "vscode"].map(file)).toEqual([
    "/c/.claude.json",
    "/x/config.toml",
    "/g/.gemini/settings.json",
    "/xdg/opencode/opencode.json",
    "/xdg/Code/User/mcp.json",
  ]);
});

it("a person's own entry names full paths; a project's names none, and on Windows not the project's own program", () => {
  const flags = ["--mode", "normal"];
  expect(launchOf(machine("linux"), "user", flags)).toEqual({
    command: "/opt/node/bin/node",
    args: ["/home/me/.towow/app/0.1.0/dist/cli.js", ...flags],
    from: "copy",
  });
  expect(launchOf(machine("win32"), "user", flags)).toEqual({
    command: "C:\\node\\node.exe",
    args: ["C:\\Users\\me\\.towow\\app\\0.1.0\\dist\\cli.js", ...flags],
    from: "copy",
  });
  expect(launchOf(machine("linux"), "project", flags)).toEqual({ command: "towow-mcp", args: flags, from: "path" });
  const launch = launchOf(machine("win32"), "project", flags);
  expect(launch).toMatchObject({ command: "cmd", args: ["/c", "towow-mcp", ...flags] });
  const env = { NoDefaultCurrentDirectoryInExePath: "1" };
  expect(["cursor", "vscode", "claude-code", "gemini"].map((id) => client(id).entry(launch).env)).toEqual(
    Array(4).fill(env),
  );
  expect(client("opencode").entry(launch).environment).toEqual(env);
});

it("Homebrew's Node is named by the link that stays when it is updated", () => {
  const node = "/opt/homebrew/Cellar/node@24/24.1.0/bin/node";
  const link = "/opt/homebrew/opt/node@24/bin/node";
  const command = (real: Machine["real"]) => launchOf(machine("darwin", [], { node, real }), "user", []).command;
  expect(command((path) => (path === link ? node : path))).toBe(link);
  expect(command((path) => path)).toBe(node);
});

it("a client's own command is used where it starts without a shell", () => {
  expect(ownProgram(machine("win32", ["C:\\bin\\claude.cmd"]), client("claude-code"))).toBeUndefined();
  expect(ownProgram(machine("win32", ["C:\\bin\\claude.exe"]), client("claude-code"))).toBe("C:\\bin\\claude.exe");
  expect(ownProgram(machine("linux", ["/usr/bin/codex"]), client("codex"))).toBeUndefined(); // it loses comments
  expect(ownProgram(machine("linux", ["/usr/bin/gemini"]), client("gemini"))).toBeUndefined();
});

it("a client is found by its program or its folder; a relative folder of the PATH is never asked", () => {
  const found = (has: string[]) => CLIENTS.filter((one) => isInstalled(machine("linux", has), one)).map(({ id }) => id);
  expect(found([])).toEqual([]);
  expect(found(["/usr/bin/code", "/home/me/.cursor"])).toEqual(["cursor", "vscode"]);
  expect(found(["claude", "./claude", "/work/claude"])).toEqual([]);
});

it("one that setup does not know is refused by its code, and nothing is written for the others either", async () => {
  const home = await temporaryHome();
  const { status, stderr } = await cli(["setup", "cursor", "emacs"], { env: { HOME: home } });
  expect(stderr).toContain("(tool.config.invalid.unknown_client)");
  expect(status).toBe(1);
  expect(readdirSync(home)).toEqual([]);
});
