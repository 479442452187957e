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

describe.each(FILES)("%s", (client, file, key, entry) => {
  it("is written, once, without a question where there is no terminal, and taken out to the last byte", async () => {
    const at = await machine();
    const first = await at.setup(client, ...OPTIONS);
    expect(first).toMatchObject({ status: 0, err: "" });
    expect(first.out).toContain("Written.");
    expect(JSON.parse(at.read(file)!)).toEqual({ [key]: { towow: entry(at.launch(OPTIONS)) } });
    const bytes = at.read(file);
    expect((await at.setup(client, ...OPTIONS)).out).toContain("It is set up already");
    expect(at.read(file)).toBe(bytes);
    expect((await at.setup(client, "--remove")).status).toBe(0);
    expect(readdirSync(at.home)).toEqual([]); // no file, no folder and no copy of the program is left
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

  it("changed since, by the client or by hand: what setup had made for the entry goes all the same", async () => {
    const at = await machine({ [file]: '{ "theme": "dark" }\n' });
    await at.setup(client);
    at.write(file, at.read(file)!.replace("dark", "light"));
    await at.setup(client, "--remove");
    expect(at.read(file)).toBe('{ "theme": "light" }\n');

    const made = await machine();
    await made.setup(client);
    made.write(file, JSON.stringify(JSON.parse(made.read(file)!))); // the client writes the file in its own way
    await made.setup(client, "--remove");
    expect(readdirSync(made.home)).toEqual([]);

    const shared = await machine();
    await shared.setup(client);
    shared.write(file, JSON.stringify({ theme: "light", ...JSON.parse(shared.read(file)!) }));
    await shared.setup(client, "--remove");
    expect(JSON.parse(shared.read(file)!)).toEqual({ theme: "light" });
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
