import { readdirSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
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

/** Keys as a terminal sends them; Enter follows each answer. */
const CTRL_C = "\u0003";

describe.skipIf(SCRIPT === undefined)("in a terminal", () => {
  const two = { "home/.cursor/mcp.json": "{}", "home/.gemini/settings.json": "{}" };

  it("asks which clients and which network, shows the change, and writes after a yes; then it all works", async () => {
    const at = await machine(two);
    onTestFinished(async () => void (await at.run(["sandbox", "--stop"])));
    const { out, status } = await inTerminal(SCRIPT!, ["setup"], {
      env: at.env,
      cwd: at.project,
      answers: [
        [/Which clients\?/, " "], // Cursor, the first one, is left out
        [/Which network\?/, ""],
        [/Write this\?/, ""],
      ],
    });
    expect(status).toBe(0);
    expect(out).toMatch(/sandbox[\s\S]*https:\/\/towow-production\.up\.railway\.app[\s\S]*another address/);
    expect(out).toContain('\u001b[32m+   "command"'); // what comes is green
    for (const line of ["Gemini CLI: Written.", "The network is now sandbox.", "The server starts: 4 tools"])
      expect(out).toContain(line);
    expect(out).toMatch(/sandbox answers/);
    expect(at.read("home/.cursor/mcp.json")).toBe("{}");
    expect(at.read("home/.gemini/settings.json")).toContain("towow");
    expect(JSON.parse(at.read("home/.towow/config.json")!)).toMatchObject({ backend_url: "sandbox" });
  });

  it("a file that cannot be read is told once, in words and code, and the others go on", async () => {
    const at = await machine({ ...two, "home/.cursor/mcp.json": "{" });
    const { out, status } = await inTerminal(SCRIPT!, ["setup"], {
      env: at.env,
      cwd: at.project,
      answers: [
        [/Which clients\?/, ""],
        [/Which network\?/, CTRL_C],
      ],
    });
    expect(status).toBe(1);
    expect(out).not.toContain("is missing"); // nothing was to be written yet
    const named = await inTerminal(SCRIPT!, ["setup"], {
      env: { ...at.env, TOWOW_BACKEND_URL: "http://127.0.0.1:9" },
      cwd: at.project,
      answers: [
        [/Which clients\?/, ""],
        [/Which network\?/, ""],
        [/Write this\?/, ""],
      ],
    });
    expect(named.out.split("a closing } is missing")).toHaveLength(2);
    expect(named.out).toContain("Gemini CLI: Written.");
    expect(named.status).toBe(1);
  });

  it("a no, or Ctrl-C at any question, writes nothing and says so", async () => {
    const ways: [RegExp, string][][] = [
      [[/Which clients\?/, CTRL_C]],
      [
        [/Which clients\?/, ""],
        [/Which network\?/, CTRL_C],
      ],
      [
        [/Which clients\?/, ""],
        [/Which network\?/, ""],
        [/Write these\?/, "n"],
      ],
    ];
    for (const answers of ways) {
      const at = await machine(two);
      const { out } = await inTerminal(SCRIPT!, ["setup"], { env: at.env, cwd: at.project, answers });
      expect(out).toContain("Left as it was.");
      expect(at.read("home/.cursor/mcp.json")).toBe("{}");
      expect(at.read("home/.gemini/settings.json")).toBe("{}");
      expect(at.read("home/.towow/config.json")).toBeUndefined();
    }
  });

  it("what is to be removed is asked about those clients that hold an entry", async () => {
    const ours = '{"mcpServers":{"towow":{"command":"old"}}}';
    const at = await machine({ ...two, "home/.gemini/settings.json": ours });
    const answers: [RegExp, string][] = [[/Which clients\?/, CTRL_C]];
    const { out } = await inTerminal(SCRIPT!, ["setup", "--remove"], { env: at.env, cwd: at.project, answers });
    expect(out).toContain("Gemini CLI");
    expect(out).not.toContain("Cursor");
  });

  it("another entry goes with a yes only; Enter keeps it", async () => {
    const text = '{"mcpServers":{"towow":{"command":"old"}}}';
    const at = await machine({
      "home/.cursor/mcp.json": text,
      "home/.towow/config.json": '{"backend_url":"http://127.0.0.1:9"}',
    });
    const answer = (word: string) =>
      inTerminal(SCRIPT!, ["setup", "cursor"], {
        env: at.env,
        cwd: at.project,
        answers: [[/Replace it\?/, word]],
      });
    await answer("");
    expect(at.read("home/.cursor/mcp.json")).toBe(text);
    expect((await answer("y")).out).toContain("Replaced.");
    expect(at.read("home/.cursor/mcp.json")).not.toContain("old");
  });
});
