import { expect, it } from "vitest";
import { CLIENTS, type Client } from "../../src/setup/clients.ts";
import { launchOf } from "../../src/setup/launch.ts";
import type { Machine } from "../../src/setup/machine.ts";
import { isInstalled, ownProgram } from "../../src/setup/programs.ts";

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
    home: windows ? "C:\\Users\\me" : "/home/me",
    cwd: windows ? "C:\\work" : "/work",
    node: windows ? "C:\\node\\node.exe" : "/opt/node/bin/node",
    root: windows ? "C:\\towow-mcp\\" : "/opt/towow-mcp/",
    isProgram: (path) => has.includes(path),
    isFolder: (path) => has.includes(path),
    real: (path) => path,
    read: () => undefined,
    write: refuse,
    remove: refuse,
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

it("Windows: by way of cmd, since a client cannot start a .cmd itself", () => {
  const launch = (has: string[], id: string, more = {}) => {
    const { command, args, from } = launchOf(machine("win32", has, more), client(id), "user", ["--mode", "normal"]);
    return { from, line: [command, ...args].join(" ") };
  };
  const npx = { root: "C:\\npm-cache\\_npx\\1a2b\\node_modules\\towow-mcp\\" };
  expect(launch(["C:\\bin\\towow-mcp.cmd"], "cursor")).toEqual({
    from: "path",
    line: "cmd /c towow-mcp --mode normal",
  });
  expect(launch([], "cursor")).toEqual({
    from: "folder",
    line: "C:\\node\\node.exe C:\\towow-mcp\\dist\\cli.js --mode normal",
  });
  expect(launch([], "claude-desktop", npx)).toEqual({ from: "npx", line: "cmd /c npx -y towow-mcp --mode normal" });
});

it("a client's own command is used where it starts without a shell", () => {
  expect(ownProgram(machine("win32", ["C:\\bin\\claude.cmd"]), client("claude-code"))).toBeUndefined();
  expect(ownProgram(machine("win32", ["C:\\bin\\claude.exe"]), client("claude-code"))).toBe("C:\\bin\\claude.exe");
  expect(ownProgram(machine("linux", ["/usr/bin/codex"]), client("codex"))).toBe("/usr/bin/codex");
  expect(ownProgram(machine("linux", ["/usr/bin/gemini"]), client("gemini"))).toBeUndefined();
});

it("a client is found by its program or its folder; a relative folder of the PATH is never asked", () => {
  const found = (has: string[]) => CLIENTS.filter((one) => isInstalled(machine("linux", has), one)).map(({ id }) => id);
  expect(found([])).toEqual([]);
  expect(found(["/usr/bin/code", "/home/me/.cursor"])).toEqual(["cursor", "vscode"]);
  expect(found(["claude", "./claude", "/work/claude"])).toEqual([]);
});
