import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { BACKEND, CLI, INSTALLED, machine } from "./world.ts";

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
