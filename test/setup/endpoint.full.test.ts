import { readdirSync } from "node:fs";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { machine, unwrapped } from "./world.ts";

const URL = "https://mcp.example/mcp";
const OTHER = "https://new.example:8443/mcp";

/** Where each client keeps its servers, and how it writes one that it calls itself. */
const FILES: [client: string, file: string, key: string, entry: (url: string) => object][] = [
  ["claude-code", "home/.claude.json", "mcpServers", (url) => ({ type: "http", url })],
  ["codex", "home/.codex/config.toml", "mcp_servers", (url) => ({ url })],
  ["cursor", "home/.cursor/mcp.json", "mcpServers", (url) => ({ url })],
  ["vscode", "home/.config/Code/User/mcp.json", "servers", (url) => ({ type: "http", url })],
  ["gemini", "home/.gemini/settings.json", "mcpServers", (httpUrl) => ({ httpUrl })],
  ["opencode", "home/.config/opencode/opencode.json", "mcp", (url) => ({ type: "remote", url, enabled: true })],
];
const CLIENTS = FILES.map(([client]) => client);
const parse = (file: string, text: string): object =>
  file.endsWith(".toml") ? parseToml(text) : (JSON.parse(text) as object);
const times = (text: string, part: string): number => text.split(part).length - 1;

describe("a team's endpoint", () => {
  it("is written in each client's own form, once; another one takes its place; and it is taken out", async () => {
    const at = await machine();
    const holds = (url: string) => {
      for (const [, file, key, entry] of FILES)
        expect(parse(file, at.read(file)!), file).toEqual({ [key]: { towow: entry(url) } });
    };
    const first = await at.setup(...CLIENTS, "--endpoint", URL);
    expect(first).toMatchObject({ status: 0, err: "" });
    expect(times(first.out, "Written.")).toBe(FILES.length);
    holds(URL);
    expect(readdirSync(at.path("home/.towow"))).not.toContain("app"); // nothing starts here, so that nothing is copied
    expect(times((await at.setup(...CLIENTS, "--endpoint", URL)).out, "It is set up already")).toBe(FILES.length);
    expect(times((await at.setup(...CLIENTS, "--endpoint", OTHER)).out, "Updated.")).toBe(FILES.length);
    holds(OTHER);
    expect(times((await at.setup(...CLIENTS, "--remove")).out, "Removed.")).toBe(FILES.length);
    expect(readdirSync(at.home)).toEqual([]);
  });

  it("may be given without /mcp, and on this machine by http", async () => {
    const at = await machine();
    for (const [given, written] of [
      ["https://mcp.example", URL],
      ["https://MCP.example:443/mcp/", URL],
      ["http://127.0.0.1:8765", "http://127.0.0.1:8765/mcp"],
      ["http://localhost:8765/mcp", "http://localhost:8765/mcp"],
    ] as const) {
      await at.setup("cursor", "--endpoint", given);
      expect(JSON.parse(at.read("home/.cursor/mcp.json")!).mcpServers.towow).toEqual({ url: written });
    }
  });

  it.each([
    "http://mcp.example/mcp",
    "https://me:s3cret@mcp.example/mcp",
    "https://mcp.example/mcp?token=s3cret",
    "https://mcp.example/mcp#s3cret",
    "https://mcp.example/s3cret",
    "mcp.example",
    "sandbox",
    "javascript:alert(1)",
    "",
  ])("is refused, and not repeated, where it is %j", async (given) => {
    const at = await machine();
    const { status, out, err } = await at.setup("cursor", "--endpoint", given);
    expect([status, out]).toEqual([1, ""]);
    expect(err).toContain("(tool.config.invalid.endpoint_address)");
    expect(err).not.toContain("s3cret");
    expect(at.read("home/.cursor/mcp.json")).toBeUndefined();
  });

  it.each(["--backend-url=https://towow.example", "--sandbox", "--mode=normal", "--lang=en"])(
    "takes no %s, which is for a program here",
    async (option) => {
      const at = await machine();
      const { status, err } = await at.setup("cursor", "--endpoint", URL, option);
      expect([status, err]).toEqual([1, expect.stringContaining("cannot be used together")]);
      expect(at.read("home/.cursor/mcp.json")).toBeUndefined();
    },
  );

  it("goes by Claude Code's own command, where there is one", async () => {
    const at = await machine();
    at.program("claude", `printf '{"mcpServers":{"towow":{"type":"http","url":"%s"}}}' "$8" > "$HOME/.claude.json"`);
    expect((await at.setup("claude-code", "--endpoint", URL)).out).toContain("Written.");
    expect(at.calls()).toEqual([`mcp add --scope user --transport http towow ${URL}`]);
  });

  it("a project's file holds it too", async () => {
    const at = await machine();
    await at.setup("vscode", "--scope", "project", "--endpoint", URL);
    expect(JSON.parse(at.read("project/.vscode/mcp.json")!)).toEqual({
      servers: { towow: { type: "http", url: URL } },
    });
  });

  it("a client that takes no address is named; the others are written", async () => {
    const at = await machine({ "home/.config/Claude/config.json": "{}" });
    const { status, err } = await at.setup("claude-desktop", "cursor", "--endpoint", URL);
    expect([status, err]).toEqual([1, expect.stringContaining("(tool.config.invalid.client_endpoint)")]);
    expect(at.read("home/.cursor/mcp.json")).toContain(URL);
    const { status: found, out, err: none } = await at.setup("--yes", "--endpoint", URL);
    expect([found, none]).toEqual([0, ""]);
    expect(unwrapped(out)).toContain("Claude Desktop: takes no address from its file.");
    expect(at.read("home/.config/Claude/claude_desktop_config.json")).toBeUndefined();
  });
});

describe("what stands there already", () => {
  const entry = (value: object) => JSON.stringify({ mcpServers: { towow: value } });

  it.each<[string, object]>([
    ["a header", { url: URL, headers: { Authorization: "Bearer s3cret" } }],
    ["a header for another address", { url: OTHER, headers: { Authorization: "Bearer s3cret" } }],
    ["another server", { url: "https://other.example/sse" }],
    ["a program", { command: "other" }],
    ["this program", { command: "towow-mcp" }],
  ])("%s: is replaced by a word of its own only, whole and unseen", async (_, before) => {
    const at = await machine({ "home/.cursor/mcp.json": entry(before) });
    const { status, out, err } = await at.setup("cursor", "--endpoint", URL);
    expect([status, err]).toEqual([1, expect.stringContaining("(tool.config.conflict.client_entry)")]);
    expect(out).not.toContain("s3cret");
    expect(at.read("home/.cursor/mcp.json")).toBe(entry(before));
    await at.setup("cursor", "--endpoint", URL, "--force");
    expect(JSON.parse(at.read("home/.cursor/mcp.json")!)).toEqual({ mcpServers: { towow: { url: URL } } });
  });

  it("an endpoint is no entry that a program here updates", async () => {
    const at = await machine({ "home/.cursor/mcp.json": entry({ url: URL }) });
    expect((await at.setup("--yes")).err).toContain("(tool.config.conflict.client_entry)");
    expect(at.read("home/.cursor/mcp.json")).toBe(entry({ url: URL }));
  });

  it("what a person added stays at the same address, and allows nothing at another", async () => {
    const added = { url: URL, disabled: true, autoApprove: ["towow_confirm"] };
    const at = await machine({ "home/.cursor/mcp.json": entry(added) });
    expect((await at.setup("cursor", "--endpoint", URL)).out).toContain("It is set up already");
    expect(at.read("home/.cursor/mcp.json")).toBe(entry(added));
    await at.setup("cursor", "--endpoint", OTHER);
    expect(JSON.parse(at.read("home/.cursor/mcp.json")!)).toEqual({ mcpServers: { towow: { url: OTHER } } });
  });

  it("--remove with an address takes out the entry with that address alone", async () => {
    const at = await machine({ "home/.cursor/mcp.json": entry({ url: URL }) });
    const { err } = await at.setup("cursor", "--remove", "--endpoint", OTHER);
    expect(err).toContain("(tool.config.conflict.client_entry)");
    expect(at.read("home/.cursor/mcp.json")).toBe(entry({ url: URL }));
    expect((await at.setup("cursor", "--remove", "--endpoint", "https://mcp.example")).out).toContain("Removed.");
    expect(JSON.parse(at.read("home/.cursor/mcp.json")!)).toEqual({ mcpServers: {} });
  });
});
