import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { machine, OPTIONS } from "./world.ts";

interface Launch {
  command: string;
  args: string[];
}
const typed = (launch: Launch) => ({ type: "stdio", ...launch });
const plain = (launch: Launch) => launch;
const local = ({ command, args }: Launch) => ({ type: "local", command: [command, ...args], enabled: true });

/** Where each client keeps its servers, and what is to stand there. */
const FILES: [client: string, file: string, key: string, entry: (launch: Launch) => object][] = [
  ["claude-code", "home/.claude.json", "mcpServers", typed],
  ["claude-desktop", "home/.config/Claude/claude_desktop_config.json", "mcpServers", plain],
  ["cursor", "home/.cursor/mcp.json", "mcpServers", plain],
  ["vscode", "home/.config/Code/User/mcp.json", "servers", typed],
  ["gemini", "home/.gemini/settings.json", "mcpServers", plain],
  ["opencode", "home/.config/opencode/opencode.json", "mcp", local],
];

const CLIENTS = FILES.map(([client]) => client);
/** One text in the file of each client. */
const inEach = (textFor: (key: string) => string) =>
  Object.fromEntries(FILES.map(([, file, key]) => [file, textFor(key)]));
const times = (text: string, part: string | RegExp): number => text.split(part).length - 1;

describe("every client's file", () => {
  it("is written, once, without a question where there is no terminal, and taken out to the last byte", async () => {
    const at = await machine();
    const first = await at.setup(...CLIENTS, ...OPTIONS);
    expect(first).toMatchObject({ status: 0, err: "" });
    expect(times(first.out, "Written.")).toBe(FILES.length);
    const written = FILES.map(([, file]) => at.read(file));
    for (const [index, [, , key, entry]] of FILES.entries())
      expect(JSON.parse(written[index]!)).toEqual({ [key]: { towow: entry(at.launch(OPTIONS)) } });
    expect(times((await at.setup(...CLIENTS, ...OPTIONS)).out, "It is set up already")).toBe(FILES.length);
    expect(FILES.map(([, file]) => at.read(file))).toEqual(written);
    expect((await at.setup(...CLIENTS, "--remove")).status).toBe(0);
    expect(readdirSync(at.home)).toEqual([]); // no file, no folder and no copy of the program is left
    expect(times((await at.setup(...CLIENTS, "--remove")).out, "It has no entry")).toBe(FILES.length);
  });

  it("keeps what else is in it, and gives it back as it was", async () => {
    const text = (key: string) => `{\n\t"theme" : "dark",\n\t"${key}": { "other": {"command":"x"} }\n}\n`;
    const at = await machine(inEach(text));
    await at.setup(...CLIENTS);
    for (const [, file, key] of FILES) {
      expect(JSON.parse(at.read(file)!)).toMatchObject(JSON.parse(text(key)));
      expect(JSON.parse(at.read(file)!)[key].towow, file).toBeDefined();
    }
    await at.setup(...CLIENTS, "--remove");
    for (const [, file, key] of FILES) expect(at.read(file), file).toBe(text(key));
  });

  it("never allows a tool beforehand and never holds a secret", async () => {
    const at = await machine({ "home/.towow/config.json": '{"api_token":"tok-secret","user_id":"u"}' });
    const { out } = await at.run(["setup", ...CLIENTS], { env: { TOWOW_API_TOKEN: "tok-other" } });
    const written = FILES.map(([, file]) => at.read(file)!);
    expect(written.join("\n")).not.toMatch(/towow_(demand|confirm)|allow|trust|approv|tok-/i);
    expect(out).not.toContain("tok-");
    expect((await at.setup(...CLIENTS, "--force", "--backend-url", "https://me:tok-x@towow.example")).err).toContain(
      "tool.config.invalid.value",
    );
    expect(FILES.map(([, file]) => at.read(file))).toEqual(written);
  });

  it("of two files that a client reads, the one with the entry is kept up to date and cleaned, not the other", async () => {
    const other = '{\n  "theme": "dark"\n}\n';
    const [first, second] = ["home/.config/opencode/opencode.jsonc", "home/.config/opencode/opencode.json"];
    const at = await machine();
    await at.setup("opencode");
    expect(at.read(second)).toContain("towow");
    at.write(first, other);
    expect((await at.setup("opencode")).out).toContain("It is set up already");
    await at.setup("opencode", "--remove");
    expect([at.read(first), at.read(second)]).toEqual([other, undefined]);
  });

  it("another entry: shown without its secrets, refused with a code, replaced with --force", async () => {
    const text = (key: string) =>
      `{\n  "${key}": {\n    "towow": { "command": "old", "env": { "TOWOW_MODE": "developer", "KEY": "s3cret" } },\n    "other": {}\n  }\n}\n`;
    const at = await machine(inEach(text));
    const refused = await at.setup(...CLIENTS);
    expect(refused.status).toBe(1);
    expect(times(refused.err, "tool.config.conflict.client_entry")).toBe(FILES.length);
    for (const client of CLIENTS) expect(refused.err).toContain(`towow-mcp setup ${client} --force`);
    expect(times(refused.out, /^ {2}- .*old/m)).toBe(FILES.length);
    expect(times(refused.out, "developer")).toBeGreaterThanOrEqual(FILES.length);
    expect(refused.out).not.toContain("s3cret");
    for (const [, file, key] of FILES) expect(at.read(file), file).toBe(text(key));
    expect(times((await at.setup(...CLIENTS, "--force")).out, "Replaced.")).toBe(FILES.length);
    for (const [, file, key] of FILES)
      expect(JSON.parse(at.read(file)!)[key], file).toMatchObject({
        other: {},
        towow: expect.not.objectContaining({ command: "old" }),
      });
  });

  it("with a syntax error: refused with line and column, and left as it is", async () => {
    const text = (key: string) => `{\n  "${key}": { "a": }\n}\n`;
    const at = await machine(inEach(text));
    const { status, err } = await at.setup(...CLIENTS);
    expect(status).toBe(1);
    expect(times(err, /line 2, column \d+: a value is missing\./)).toBe(FILES.length);
    expect(times(err, "tool.config.invalid.client_config_syntax")).toBe(FILES.length);
    for (const [, file, key] of FILES) expect(at.read(file), file).toBe(text(key));
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
    expect(err).toMatch(/line 1, column 1: the client allows no comments/);
  });

  it("alone, and a table's name in a text: the entry is added and taken out again", async () => {
    const files = {
      "home/.cursor/mcp.json": "// nothing yet\n",
      "home/.codex/config.toml": 'notes = """\n[mcp_servers.towow]\n"""\n',
    };
    const at = await machine(files);
    expect(await at.setup("cursor", "codex")).toMatchObject({ status: 0, err: "" });
    for (const [name, text] of Object.entries(files)) {
      expect(at.read(name)!.startsWith(text)).toBe(true);
      expect(at.read(name)).toContain(at.launch().args[0]);
    }
    expect(await at.setup("cursor", "codex", "--remove")).toMatchObject({ status: 0, err: "" });
    for (const [name, text] of Object.entries(files)) expect(at.read(name)).toBe(text);
  });
});
