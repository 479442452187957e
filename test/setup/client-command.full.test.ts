import { readdirSync, rmSync } from "node:fs";
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
    expect((await at.setup("claude-code", "--remove")).out).toContain("Removed.");
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

/** As the real one leaves its file: the list stays, empty, and what else is in it is the client's. */
const REAL = `exec '${process.execPath}' -e '
    const { readFileSync, writeFileSync } = require("node:fs");
    const file = process.env.HOME + "/.claude.json";
    let config = { firstStartVersion: "2.1.330" };
    try { config = JSON.parse(readFileSync(file, "utf8")); } catch {}
    const [, verb, , , ...rest] = process.argv.slice(1);
    config.mcpServers ??= {};
    if (verb === "remove") delete config.mcpServers.towow;
    else config.mcpServers.towow = { type: "stdio", command: rest[2], args: rest.slice(3), env: {} };
    writeFileSync(file, JSON.stringify(config, null, 2));
  ' -- "$@"`;

describe("after --remove the file is what it was", () => {
  const written = (config: object) => JSON.stringify(config, null, 2);
  const OWN = { theme: "dark", projects: {} };

  it.each([
    ["there was none", OWN],
    ["it was empty", { ...OWN, mcpServers: {} }],
    ["there was another server", { ...OWN, mcpServers: { other: { command: "x" } } }],
  ])("the list of servers, where %s: by the client's command, and where the client is gone", async (_, config) => {
    for (const isGone of [false, true]) {
      const at = await machine({ "home/.claude.json": written(config) });
      at.program("claude", REAL);
      await at.setup("claude-code");
      expect(JSON.parse(at.read("home/.claude.json")!).mcpServers.towow.type).toBe("stdio");
      if (isGone) rmSync(at.path("bin/claude"));
      await at.setup("claude-code", "--remove");
      expect(at.read("home/.claude.json")).toBe(written(config));
    }
  });

  it("the client has written its file meanwhile", async () => {
    for (const isGone of [false, true]) {
      const at = await machine({ "home/.claude.json": written(OWN) });
      at.program("claude", REAL);
      await at.setup("claude-code");
      const { mcpServers, ...others } = JSON.parse(at.read("home/.claude.json")!);
      at.write("home/.claude.json", written({ ...others, numStartups: 7, mcpServers }));
      if (isGone) rmSync(at.path("bin/claude"));
      await at.setup("claude-code", "--remove");
      expect(at.read("home/.claude.json")).toBe(written({ ...others, numStartups: 7 }));
    }
  });

  it("a file that the client made is the client's", async () => {
    const at = await machine();
    at.program("claude", REAL);
    await at.setup("claude-code");
    await at.setup("claude-code", "--remove");
    expect(at.read("home/.claude.json")).toBe(written({ firstStartVersion: "2.1.330" }));
  });

  it("nobody is named, and neither the client's program nor its folder is left", async () => {
    const at = await machine({ "home/.claude.json": written(OWN) });
    at.program("claude", REAL);
    await at.setup("claude-code");
    rmSync(at.path("bin/claude"));
    expect((await at.setup("--remove", "--yes")).out).toContain("Removed.");
    expect(at.read("home/.claude.json")).toBe(written(OWN));
    expect(readdirSync(at.home)).toEqual([".claude.json"]);
  });

  it("an entry that starts something else stays, unless it is said", async () => {
    const text = written({ mcpServers: { towow: { command: "uvx", args: ["towow-mcp"] } } });
    const at = await machine({ "home/.claude.json": text });
    const { status, err } = await at.setup("claude-code", "--remove");
    expect([status, err]).toEqual([1, expect.stringContaining("tool.config.conflict.client_entry")]);
    expect(err).toContain("towow-mcp setup claude-code --remove --force");
    expect(at.read("home/.claude.json")).toBe(text);
    expect((await at.setup("claude-code", "--remove", "--force")).out).toContain("Removed.");
  });
});
