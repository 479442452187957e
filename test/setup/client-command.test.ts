import { describe, expect, it } from "vitest";
import { machine } from "./world.ts";

describe("the client's own command", () => {
  const CLAUDE = `
    file="$HOME/.claude.json"
    case "$*" in
      *"mcp add"*)
        while [ "$1" != -- ]; do shift; done
        printf '{"mcpServers":{"towow":{"type":"stdio","command":"%s","args":["%s"],"env":{}}}}' "$2" "$3" > "$file" ;;
      *"mcp remove"*) printf '{"mcpServers":{}}' > "$file" ;;
    esac`;

  it("claude mcp add and remove, for the user scope; asked for nothing when nothing is to be done", async () => {
    const at = await machine();
    at.program("claude", CLAUDE);
    const { out } = await at.setup("claude-code");
    const add = `mcp add --scope user towow -- ${at.launch().command} ${at.launch().args[0]}`;
    expect(out).toContain(`by: claude ${add}`);
    expect((await at.setup("claude-code")).out).toContain("It is set up already");
    expect((await at.setup("claude-code", "--remove")).out).toContain("Taken out.");
    expect(at.calls()).toEqual([add, "mcp remove --scope user towow"]);
  });

  it("another entry is removed and added anew", async () => {
    const at = await machine({ "home/.claude.json": '{"mcpServers":{"towow":{"command":"old"}}}' });
    at.program("claude", CLAUDE);
    expect((await at.setup("claude-code", "--force")).out).toContain("Replaced.");
    expect(at.calls()).toEqual([
      "mcp remove --scope user towow",
      expect.stringContaining("mcp add --scope user towow"),
    ]);
  });

  it("is not given our variables, which may hold a token", async () => {
    const at = await machine();
    at.program("claude", `env > '${at.path("env")}'\n${CLAUDE}`);
    const { out } = await at.run(["setup", "claude-code"], { env: { TOWOW_API_TOKEN: "s3cret", OTHER: "stays" } });
    expect(out).toContain("Written.");
    expect(at.read("env")).not.toMatch(/TOWOW_|s3cret/);
    expect(at.read("env")).toContain("OTHER=stays");
  });

  it("a project's file is shared: it is edited, and names no folder of this machine", async () => {
    const at = await machine({ "project/.mcp.json": '{ "mcpServers": { "a": {"command":"x"} } }' });
    at.program("claude", CLAUDE);
    await at.setup("claude-code", "--scope", "project");
    expect(at.calls()).toEqual([]);
    expect(JSON.parse(at.read("project/.mcp.json")!).mcpServers).toEqual({
      a: { command: "x" },
      towow: { type: "stdio", command: "towow-mcp" },
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
});
