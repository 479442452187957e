import { describe, expect, it, onTestFinished } from "vitest";
import { SCRIPT } from "../support/cli.ts";
import { inTerminal, machine } from "./world.ts";

describe("what is asked for", () => {
  it("a scope that the client does not have; the other client is still set up", async () => {
    const at = await machine();
    const { status, err } = await at.setup("codex", "vscode", "--scope", "project");
    expect(status).toBe(1);
    expect(err).toContain("tool.config.invalid.client_scope");
    expect(at.read("project/.vscode/mcp.json")).toContain('"servers"');
  });

  it("--help fits 80 columns", async () => {
    const at = await machine();
    const { out } = await at.setup("--help");
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

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
});
