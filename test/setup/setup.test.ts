import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { CLI, inTerminal, machine } from "./world.ts";

const SCRIPT = ["/usr/bin/script", "/bin/script"].find(existsSync);
/** Root may write everywhere: then it is tried as nobody, where that user can read this checkout. */
const OTHER_USER =
  process.getuid?.() !== 0
    ? {}
    : spawnSync(process.execPath, [CLI, "--version"], { uid: 65_534 }).status === 0
      ? { uid: 65_534 }
      : undefined;
const BACKEND = ["--backend-url", "https://towow.example", "--mode", "normal", "--lang", "en"];
const INSTALLED = { command: "towow-mcp", args: BACKEND };

/** Where each client keeps its servers, and what is to stand there. */
const FILES: [client: string, file: string, key: string, entry: object][] = [
  ["claude-code", "home/.claude.json", "mcpServers", { type: "stdio", ...INSTALLED }],
  [
    "claude-desktop",
    "home/.config/Claude/claude_desktop_config.json",
    "mcpServers",
    { command: process.execPath, args: [expect.stringMatching(/\/bin\/towow-mcp$/), ...BACKEND] },
  ],
  ["cursor", "home/.cursor/mcp.json", "mcpServers", INSTALLED],
  ["vscode", "home/.config/Code/User/mcp.json", "servers", { type: "stdio", ...INSTALLED }],
  ["gemini", "home/.gemini/settings.json", "mcpServers", INSTALLED],
  [
    "opencode",
    "home/.config/opencode/opencode.json",
    "mcp",
    { type: "local", command: ["towow-mcp", ...BACKEND], enabled: true },
  ],
];

describe.each(FILES)("%s", (client, file, key, entry) => {
  it("is written, once, without a question where there is no terminal, and taken out to the last byte", async () => {
    const at = await machine();
    at.program("towow-mcp");
    const first = await at.setup(client, ...BACKEND);
    expect(first).toMatchObject({ status: 0, err: "" });
    expect(first.out).toContain("Written.");
    expect(JSON.parse(at.read(file)!)).toEqual({ [key]: { towow: entry } });
    const bytes = at.read(file);
    expect((await at.setup(client, ...BACKEND)).out).toContain("It is set up already");
    expect(at.read(file)).toBe(bytes);
    expect((await at.setup(client, "--remove")).status).toBe(0);
    expect(at.read(file)).toBeUndefined();
    expect(at.read("home/.towow/setup.json")).toBeUndefined();
    expect((await at.setup(client, "--remove")).out).toContain("It has no entry");
  });

  it("keeps what else is in the file, and gives it back as it was", async () => {
    const texts = [
      `{\n\t"theme" : "dark",\n\t"${key}": { "other": {"command":"x"} }\n}\n`,
      `{"${key}":{}}`,
      `{ "a" : [1,  2] }`,
      "",
    ];
    for (const text of texts) {
      const at = await machine({ [file]: text });
      await at.setup(client);
      expect(JSON.parse(at.read(file)!)).toMatchObject(text === "" ? {} : JSON.parse(text));
      expect(JSON.parse(at.read(file)!)[key].towow).toBeDefined();
      await at.setup(client, "--remove");
      expect(at.read(file)).toBe(text);
    }
  });

  it("never allows a tool beforehand and never writes a secret", async () => {
    const at = await machine({ "home/.towow/config.json": '{"api_token":"tok-secret","user_id":"u"}' });
    const { out } = await at.run(["setup", client], { env: { TOWOW_API_TOKEN: "tok-other" } });
    const written = at.read(file)!;
    expect(written).not.toMatch(/towow_(demand|confirm)|allow|trust|approv|tok-/i);
    expect(out).not.toContain("tok-");
    expect((await at.setup(client, "--force", "--backend-url", "https://me:tok-x@towow.example")).err).toContain(
      "tool.config.invalid.value",
    );
    expect(at.read(file)).toBe(written);
  });

  it("another entry: shown without its secrets, refused with a code, replaced with --force", async () => {
    const text = `{\n  "${key}": {\n    "towow": { "command": "old", "env": { "TOWOW_MODE": "developer", "KEY": "s3cret" } },\n    "other": {}\n  }\n}\n`;
    const at = await machine({ [file]: text });
    const refused = await at.setup(client);
    expect(refused).toMatchObject({ status: 1, err: expect.stringContaining("tool.config.conflict.client_entry") });
    expect(refused.err).toContain(`towow-mcp setup ${client} --force`);
    expect(refused.out).toMatch(/^ {2}- .*old/m);
    expect(refused.out).toContain("developer");
    expect(refused.out).not.toContain("s3cret");
    expect(at.read(file)).toBe(text);
    expect((await at.setup(client, "--force")).out).toContain("Replaced.");
    expect(JSON.parse(at.read(file)!)[key]).toMatchObject({
      other: {},
      towow: expect.not.objectContaining({ command: "old" }),
    });
  });

  it("a file with a syntax error: refused with line and column, and left as it is", async () => {
    const text = `{\n  "${key}": { "a": }\n}\n`;
    const at = await machine({ [file]: text });
    const { status, err } = await at.setup(client);
    expect(status).toBe(1);
    expect(err).toMatch(/line 2, column \d+: ValueExpected/);
    expect(err).toContain("tool.config.invalid.client_config_syntax");
    expect(at.read(file)).toBe(text);
  });
});

describe("comments", () => {
  it("are kept by clients that read them", async () => {
    const text = '{\n  // mine\n  "mcp": {\n    "a": { "type": "local", "command": ["x"] } // second\n  }\n}\n';
    const at = await machine({ "home/.config/opencode/opencode.jsonc": text });
    await at.setup("opencode");
    expect(at.read("home/.config/opencode/opencode.jsonc")).toContain('["x"] }, // second\n    "towow": {');
    expect(at.read("home/.config/opencode/opencode.json")).toBeUndefined();
    await at.setup("opencode", "--remove");
    expect(at.read("home/.config/opencode/opencode.jsonc")).toBe(text);
  });

  it("are a mistake where the client reads plain JSON", async () => {
    const at = await machine({ "project/.mcp.json": '// mine\n{ "mcpServers": {} }\n' });
    const { err } = await at.setup("claude-code", "--scope", "project");
    expect(err).toMatch(/line 1, column 1: InvalidCommentToken/);
  });
});

describe("the file itself", () => {
  it("a link is followed, not replaced, and mode bits stay", async () => {
    const at = await machine({ "dotfiles/mcp.json": "{}\n" });
    chmodSync(at.path("dotfiles/mcp.json"), 0o640);
    mkdirSync(at.path("home/.cursor"));
    symlinkSync("../../dotfiles/mcp.json", at.path("home/.cursor/mcp.json"));
    await at.setup("cursor");
    expect(readlinkSync(at.path("home/.cursor/mcp.json"))).toBe("../../dotfiles/mcp.json");
    expect(JSON.parse(at.read("dotfiles/mcp.json")!).mcpServers.towow).toBeDefined();
    expect(statSync(at.path("dotfiles/mcp.json")).mode & 0o777).toBe(0o640);
    await at.setup("cursor", "--remove");
    expect(at.read("dotfiles/mcp.json")).toBe("{}\n");
    expect(readdirSync(at.path("dotfiles"))).toEqual(["mcp.json"]);
  });

  it("a link to a file that is not there yet makes that file", async () => {
    const at = await machine({ "dotfiles/keep": "" });
    mkdirSync(at.path("home/.cursor"));
    symlinkSync("../../dotfiles/mcp.json", at.path("home/.cursor/mcp.json"));
    expect((await at.setup("cursor")).status).toBe(0);
    expect(lstatSync(at.path("home/.cursor/mcp.json")).isSymbolicLink()).toBe(true);
    expect(at.read("dotfiles/mcp.json")).toContain("towow");
  });

  it("a new file of the person's own is for their eyes; a project's is shared", async () => {
    const at = await machine();
    await at.setup("cursor");
    await at.setup("cursor", "--scope", "project");
    expect(statSync(at.path("home/.cursor/mcp.json")).mode & 0o777).toBe(0o600);
    expect(statSync(at.path("project/.cursor/mcp.json")).mode & 0o444).toBe(0o444);
  });

  it("what another entry hides is written out when it is shown", async () => {
    const text = JSON.stringify({ mcpServers: { towow: { command: "a\u202Eb\u009B31m" } } });
    const at = await machine({ "project/.cursor/mcp.json": text });
    const { out } = await at.setup("cursor", "--scope", "project");
    expect(out).toContain("a\\u{202E}b\\u{9B}31m");
    expect(out).not.toMatch(/[\u202E\u009B]/);
  });

  it("a read-only file is refused, for root as well", async () => {
    const at = await machine({ "home/.cursor/mcp.json": "{}" });
    chmodSync(at.path("home/.cursor/mcp.json"), 0o444);
    const { status, err } = await at.setup("cursor");
    expect(status).toBe(1);
    expect(err).toContain("(read-only)");
    expect(err).toContain("(tool.config.unavailable.client_config)");
    expect(at.read("home/.cursor/mcp.json")).toBe("{}");
  });

  it("a home that cannot be written is told, and nothing is left there", async () => {
    const at = await machine({ "home/.cursor": "a file, not a folder" });
    const { status, err } = await at.setup("cursor");
    expect(status).toBe(1);
    expect(err).toContain("(tool.config.unavailable.client_config)");
    expect(readdirSync(at.home)).toEqual([".cursor"]);
  });

  it.skipIf(OTHER_USER === undefined)("a home that belongs to somebody else, too", async () => {
    const at = await machine();
    chmodSync(at.base, 0o755);
    chmodSync(at.home, 0o555);
    const { status, err } = await at.run(["setup", "cursor"], OTHER_USER);
    chmodSync(at.home, 0o755);
    expect(status).toBe(1);
    expect(err).toContain("(EACCES)");
    expect(err).toContain("(tool.config.unavailable.client_config)");
    expect(readdirSync(at.home)).toEqual([]);
  });

  it("something else where the servers belong is refused", async () => {
    const at = await machine({ "home/.cursor/mcp.json": '{ "mcpServers": [] }' });
    expect((await at.setup("cursor")).err).toContain("tool.config.invalid.client_config_shape");
    expect(at.read("home/.cursor/mcp.json")).toBe('{ "mcpServers": [] }');
  });

  it("our own home that cannot be written does not stand in the way", async () => {
    const at = await machine({ "home/.towow": "a file" });
    expect((await at.setup("cursor")).status).toBe(0);
    expect((await at.setup("cursor", "--remove")).status).toBe(0);
    expect(at.read("home/.cursor/mcp.json")).toBe('{\n  "mcpServers": {}\n}\n');
  });

  it("edited since: only the entry goes", async () => {
    const at = await machine();
    await at.setup("cursor");
    at.write("home/.cursor/mcp.json", at.read("home/.cursor/mcp.json")!.replace('"towow"', '"mine": {},\n    "towow"'));
    await at.setup("cursor", "--remove");
    expect(at.read("home/.cursor/mcp.json")).toBe('{\n  "mcpServers": {\n    "mine": {}\n  }\n}\n');
  });
});

describe("the client's own command", () => {
  const CLAUDE = `
    file="$HOME/.claude.json"
    case "$*" in
      *"mcp add"*) printf '{"mcpServers":{"towow":{"type":"stdio","command":"towow-mcp","args":[],"env":{}}}}' > "$file" ;;
      *"mcp remove"*) printf '{"mcpServers":{}}' > "$file" ;;
    esac`;

  it("claude mcp add and remove, for the user scope; asked for nothing when nothing is to be done", async () => {
    const at = await machine();
    at.program("towow-mcp");
    at.program("claude", CLAUDE);
    const { out } = await at.setup("claude-code");
    expect(out).toContain("by: claude mcp add --scope user towow -- towow-mcp");
    expect((await at.setup("claude-code")).out).toContain("It is set up already");
    expect((await at.setup("claude-code", "--remove")).out).toContain("Taken out.");
    expect(at.calls()).toEqual(["mcp add --scope user towow -- towow-mcp", "mcp remove --scope user towow"]);
  });

  it("another entry is removed and added anew", async () => {
    const at = await machine({ "home/.claude.json": '{"mcpServers":{"towow":{"command":"old"}}}' });
    at.program("towow-mcp");
    at.program("claude", CLAUDE);
    expect((await at.setup("claude-code", "--force")).out).toContain("Replaced.");
    expect(at.calls()).toEqual(["mcp remove --scope user towow", "mcp add --scope user towow -- towow-mcp"]);
  });

  it("a project's file is shared: it is edited, and names no folder of this machine", async () => {
    const at = await machine({ "project/.mcp.json": '{ "mcpServers": { "a": {"command":"x"} } }' });
    at.program("claude", CLAUDE);
    await at.setup("claude-code", "--scope", "project");
    expect(at.calls()).toEqual([]);
    expect(JSON.parse(at.read("project/.mcp.json")!).mcpServers).toEqual({
      a: { command: "x" },
      towow: { type: "stdio", command: "npx", args: ["-y", "towow-mcp"] },
    });
  });

  it.each([
    ["fails", "echo 'no such scope' >&2; exit 3", "no such scope"],
    ["fails with a stack", "printf 'warning: x\\nError: no room\\n  at y\\n' >&2; exit 3", "(Error: no room)"],
    ["says that it did and did not", "true", ".claude.json"],
  ])("one that %s: tool.config.unavailable.client_command", async (_, script, reason) => {
    const at = await machine();
    at.program("claude", script);
    const { status, err } = await at.setup("claude-code");
    expect(status).toBe(1);
    expect(err).toContain("tool.config.unavailable.client_command");
    expect(err).toContain(reason);
  });

  it("codex mcp add where codex is on the PATH", async () => {
    const at = await machine({ "home/.codex/config.toml": '# mine\nmodel = "o3"\n' });
    at.program("towow-mcp");
    at.program("codex", `printf '[mcp_servers.towow]\\ncommand = "towow-mcp"\\n' >> "$HOME/.codex/config.toml"`);
    expect((await at.setup("codex")).out).toContain("by: codex mcp add towow -- towow-mcp");
    expect(at.calls()).toEqual(["mcp add towow -- towow-mcp"]);
  });

  it("else its file, whose comments stay", async () => {
    const text = '# mine\nmodel = "o3" # fast\n\n[mcp_servers.a]\ncommand = "x"\n\n[tools]\nsearch = true';
    const at = await machine({ "home/.codex/config.toml": text });
    at.program("towow-mcp");
    await at.setup("codex", ...BACKEND);
    const after = at.read("home/.codex/config.toml")!;
    expect(after.startsWith(text)).toBe(true);
    expect(parseToml(after).mcp_servers).toEqual({ a: { command: "x" }, towow: INSTALLED });
    await at.setup("codex", "--remove");
    expect(at.read("home/.codex/config.toml")).toBe(text);
  });

  it("a broken config.toml is refused with line and column before codex is asked", async () => {
    const at = await machine({ "home/.codex/config.toml": 'model = "o3"\na = = 3\n' });
    at.program("codex");
    const { err } = await at.setup("codex");
    expect(err).toMatch(/line 2, column \d+: /);
    expect(err).toContain("tool.config.invalid.client_config_syntax");
    expect(at.calls()).toEqual([]);
  });
});

describe("how the server is started", () => {
  it("an installed towow-mcp first, then the copy that runs, and says so", async () => {
    const at = await machine();
    expect((await at.setup("--print", "cursor")).out).toContain(JSON.stringify(CLI));
    expect((await at.setup("cursor")).out).toContain("the copy that runs now.");
    at.program("towow-mcp");
    expect((await at.setup("cursor", "--force")).out).toContain("Starts towow-mcp: it is installed.");
  });

  it("what a package runner puts on the PATH for one run does not count", async () => {
    const at = await machine();
    at.write("runner/_npx/1a2b/node_modules/.bin/towow-mcp", "#!/bin/sh\n", 0o755);
    const env = { PATH: `${at.path("runner/_npx/1a2b/node_modules/.bin")}:.:/usr/bin` };
    at.write("project/towow-mcp", "#!/bin/sh\n", 0o755);
    const { out } = await at.run(["setup", "--print", "cursor", "--scope", "project"], { env });
    expect(out).toContain('"npx"');
  });
});

describe("what is asked for", () => {
  it("an unknown client: the known ones are listed, and nothing is written for the others", async () => {
    const at = await machine();
    const { status, err } = await at.setup("cursor", "emacs");
    expect(status).toBe(1);
    expect(err).toContain("claude-code, claude-desktop, codex, cursor, vscode, gemini, opencode");
    expect(err).toContain("tool.config.invalid.unknown_client");
    expect(readdirSync(at.home)).toEqual([]);
  });

  it("a scope that the client does not have; the other client is still set up", async () => {
    const at = await machine();
    const { status, err } = await at.setup("codex", "vscode", "--scope", "project");
    expect(status).toBe(1);
    expect(err).toContain("tool.config.invalid.client_scope");
    expect(at.read("project/.vscode/mcp.json")).toContain('"servers"');
  });

  it("none named, no terminal: says what it would do and how to say it; --yes does it", async () => {
    const at = await machine({ "home/.cursor/x": "", "home/.gemini/settings.json": "{}" });
    const { status, out } = await at.setup();
    expect(status).toBe(0);
    expect(out).toContain("Found: Cursor, Gemini CLI");
    expect(out).toContain("Nothing was written");
    expect(out).toContain("  towow-mcp setup gemini");
    expect(at.read("home/.gemini/settings.json")).toBe("{}");
    await at.setup("--yes");
    expect(at.read("home/.gemini/settings.json")).toContain("towow");
    expect(at.read("home/.cursor/mcp.json")).toContain("towow");
  });

  it("none found: the known ones are named", async () => {
    const at = await machine();
    expect((await at.setup()).out).toContain("claude-code, claude-desktop");
  });

  it("--print writes nothing", async () => {
    const at = await machine();
    const { out } = await at.setup("--print", "vscode", "codex", "claude-code");
    expect(out).toContain('"servers"');
    expect(out).toContain("[mcp_servers.towow]");
    expect(readdirSync(at.home)).toEqual([]);
  });

  it("speaks Chinese", async () => {
    const at = await machine();
    expect((await at.run(["setup", "cursor"], { env: { LANG: "zh_CN.UTF-8" } })).out).toContain("已写入。");
    expect((await at.run(["setup", "emacs"], { env: { LANG: "zh_CN.UTF-8" } })).err).toContain("不认识客户端");
  });

  it("--help fits 80 columns", async () => {
    const at = await machine();
    const { out } = await at.setup("--help");
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe.skipIf(SCRIPT === undefined)("in a terminal", () => {
  it("asks for each, and writes only after a yes", async () => {
    const at = await machine({ "home/.cursor/mcp.json": "{}", "home/.gemini/settings.json": "{}" });
    const { out } = await inTerminal(SCRIPT!, ["setup"], {
      env: at.env,
      cwd: at.project,
      answers: [
        [/Write this\? \[Y\/n\] /, "n"],
        [/Write this\? \[Y\/n\] /, "y"],
      ],
    });
    expect(out).toContain("Left as it was.");
    expect(at.read("home/.cursor/mcp.json")).toBe("{}");
    expect(at.read("home/.gemini/settings.json")).toContain("towow");
  });

  it("Ctrl-C ends it all: nothing more is asked", async () => {
    const at = await machine({ "home/.cursor/mcp.json": "{}", "home/.gemini/settings.json": "{}" });
    const { out, status } = await inTerminal(SCRIPT!, ["setup"], {
      env: at.env,
      cwd: at.project,
      answers: [[/Write this\? \[Y\/n\] /, "\u0003"]],
    });
    expect(status).toBe(1);
    expect(out).not.toContain("Write this?");
    expect(at.read("home/.cursor/mcp.json")).toBe("{}");
    expect(at.read("home/.gemini/settings.json")).toBe("{}");
  });

  it("another entry goes with a yes only; Enter keeps it", async () => {
    const text = '{"mcpServers":{"towow":{"command":"old"}}}';
    const at = await machine({ "home/.cursor/mcp.json": text });
    const answer = (word: string) =>
      inTerminal(SCRIPT!, ["setup", "cursor"], {
        env: at.env,
        cwd: at.project,
        answers: [[/Replace it\? \[y\/N\] /, word]],
      });
    await answer("");
    expect(at.read("home/.cursor/mcp.json")).toBe(text);
    expect((await answer("y")).out).toContain("Replaced.");
    expect(at.read("home/.cursor/mcp.json")).not.toContain("old");
  });
});
