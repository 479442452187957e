import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SCRIPT } from "../support/cli.ts";
import { inTerminal, machine } from "./world.ts";

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
