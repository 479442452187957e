import { describe, expect, it } from "vitest";
import { machine, VERSION } from "./world.ts";

const COPY = { command: process.execPath, args: ["COPY"] };
const TOML = `[mcp_servers.towow]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [ "COPY" ]\n`;

/** Each way to switch an entry off, where it stands, and what says how it is switched on. */
const OFF: [what: string, client: string, files: Record<string, string>, key: string, file: string, fix: string][] = [
  [
    "Codex",
    "codex",
    { "home/.codex/config.toml": `${TOML}enabled = false\n` },
    "mcp_servers.towow.enabled",
    "home/.codex/config.toml",
    "Remove mcp_servers.towow.enabled there.",
  ],
  [
    "Cursor",
    "cursor",
    { "home/.cursor/mcp.json": JSON.stringify({ mcpServers: { towow: { ...COPY, disabled: true } } }) },
    "mcpServers.towow.disabled",
    "home/.cursor/mcp.json",
    "Remove mcpServers.towow.disabled there.",
  ],
  [
    "Gemini CLI, by name",
    "gemini",
    { "home/.gemini/settings.json": JSON.stringify({ mcp: { excluded: ["towow"] }, mcpServers: { towow: COPY } }) },
    "mcp.excluded",
    "home/.gemini/settings.json",
    "Take towow out of mcp.excluded there.",
  ],
  [
    "Gemini CLI, which starts others only",
    "gemini",
    { "home/.gemini/settings.json": JSON.stringify({ mcp: { allowed: ["a"] }, mcpServers: { towow: COPY } }) },
    "mcp.allowed",
    "home/.gemini/settings.json",
    "Add towow to mcp.allowed there.",
  ],
  [
    "Gemini CLI, by its own command",
    "gemini",
    {
      "home/.gemini/settings.json": JSON.stringify({ mcpServers: { towow: COPY } }),
      "home/.gemini/mcp-server-enablement.json": '{"towow":{"enabled":false}}',
    },
    "towow.enabled",
    "home/.gemini/mcp-server-enablement.json",
    "gemini mcp enable towow",
  ],
  [
    "opencode",
    "opencode",
    {
      "home/.config/opencode/opencode.json": JSON.stringify({
        mcp: { towow: { type: "local", command: [process.execPath, "COPY"], enabled: false } },
      }),
    },
    "mcp.towow.enabled",
    "home/.config/opencode/opencode.json",
    "Remove mcp.towow.enabled there.",
  ],
];

const prepared = async (files: Record<string, string>) => {
  const at = await machine();
  const copy = at.launch().args[0]!;
  for (const [name, text] of Object.entries(files)) at.write(name, text.replace("COPY", copy));
  return at;
};
const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");

describe("an entry that its client does not start", () => {
  it.each(OFF)("%s: setup and the doctor say where", async (_, client, files, key, file, fix) => {
    const at = await prepared(files);
    const says = new RegExp(`does not start it: ${key} in \\S+/${file} switches it off\\.`);
    const { out, status } = await at.setup(client);
    expect(status).toBe(0);
    expect(oneLine(out)).toMatch(says);
    expect(oneLine(out)).toContain(`→ ${fix}`);
    expect(out).not.toContain("Now restart");
    const { findings } = JSON.parse((await at.run(["doctor", "--json"])).out);
    const about = findings.filter(({ check }: { check: string }) => check === `clients.${client}`);
    expect(about).toEqual([
      { check: `clients.${client}`, level: "warning", message: expect.stringMatching(says), fix },
    ]);
  });

  it("is told as soon as setup has written it", async () => {
    const at = await machine({ "home/.gemini/settings.json": '{ "mcp": { "excluded": ["towow"] } }' });
    const { out } = await at.setup("gemini", "--backend-url", "sandbox");
    expect(out).toContain("Gemini CLI: Written.");
    expect(oneLine(out)).toContain("Take towow out of mcp.excluded there.");
    expect(out).not.toContain("Now restart");
    await at.run(["sandbox", "--stop"]);
  });

  it("Claude Code keeps it for each project, and starts it in the others", async () => {
    const at = await machine();
    at.write(
      "home/.claude.json",
      JSON.stringify({
        mcpServers: { towow: { type: "stdio", ...at.launch() } },
        projects: { "/a": { disabledMcpServers: ["x", "towow"] }, "/b": { disabledMcpServers: [] } },
      }),
    );
    at.write("home/.claude/keep", "");
    await at.setup("claude-code");
    const { findings } = JSON.parse((await at.run(["doctor", "--json"])).out);
    const about = findings.filter(({ check }: { check: string }) => check === "clients.claude-code");
    expect(about.map(({ level }: { level: string }) => level)).toEqual(["ok", "warning"]);
    expect(about[1]).toMatchObject({
      message: expect.stringMatching(/^Claude Code does not start it in \/a: disabledMcpServers in \S+\.claude\.json /),
      fix: "Type there: /mcp enable towow",
    });
  });
});

describe("copies that are older than this program", () => {
  const older = async () => {
    const at = await machine();
    const old = at.launch().args[0]!.replace(VERSION, "0.0.9");
    at.write(`home/.towow/app/0.0.9/dist/cli.js`, "");
    for (const name of ["home/.cursor/mcp.json", "home/.gemini/settings.json"])
      at.write(name, JSON.stringify({ mcpServers: { towow: { command: process.execPath, args: [old] } } }));
    at.write("home/.codex/config.toml", TOML.replace("COPY", old));
    return at;
  };
  const ALL = "towow-mcp setup codex cursor gemini";

  it("the doctor tells each, and the one command that moves them all; which does", async () => {
    const at = await older();
    const { findings } = JSON.parse((await at.run(["doctor", "--json"])).out);
    for (const client of ["codex", "cursor", "gemini"])
      expect(findings).toContainEqual({
        check: `clients.${client}`,
        level: "warning",
        message: expect.stringContaining(`starts the copy of version 0.0.9; this is ${VERSION}`),
        fix: ALL,
      });
    const { out } = await at.run(["doctor"]);
    expect(out.split(`→ ${ALL}`)).toHaveLength(2); // once
    expect((await at.run(ALL.split(" ").slice(1))).status).toBe(0);
    for (const name of ["home/.cursor/mcp.json", "home/.gemini/settings.json", "home/.codex/config.toml"])
      expect(at.read(name)).toContain(`/app/${VERSION}/`);
    expect((await at.run(["doctor"])).out).not.toContain("0.0.9;");
  });

  it("setup of one of them names the others", async () => {
    const at = await older();
    const { out } = await at.setup("cursor");
    expect(oneLine(out)).toContain(`Still older than ${VERSION}: Codex (0.0.9), Gemini CLI (0.0.9). To update:`);
    expect(out).toContain("towow-mcp setup codex gemini");
  });
});

describe("a network that does not answer", () => {
  it("is followed by the sandbox and the doctor, not by a restart", async () => {
    const at = await machine();
    const { out, status } = await at.setup("cursor", "--backend-url", "http://127.0.0.1:9");
    expect(status).toBe(0); // the entry is written
    expect(out).toContain("Cursor: Written.");
    expect(out).not.toContain("Now restart");
    expect(oneLine(out)).toMatch(
      /Your entries are written, but 127\.0\.0\.1:9 cannot be used now\. .* towow-mcp network sandbox towow-mcp doctor Your terminal does not know /,
    );
    const zh = await at.setup("gemini", "--lang", "zh");
    expect(zh.out).toContain("条目已写入，但 127.0.0.1:9 现在无法使用");
    expect(zh.out).not.toContain("现在重启");
  });
});
