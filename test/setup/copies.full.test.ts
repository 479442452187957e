import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { CLI, machine, unwrapped, VERSION } from "./world.ts";

const APP = "home/.towow/app";
const OLD = `${APP}/0.0.9`;
const cursor = (command: string, args: string[], more = {}) =>
  JSON.stringify({ mcpServers: { towow: { command, args, ...more } } });

/** A machine whose Cursor starts an older copy, with variables that a person added. */
async function withOlderCopy(env: Record<string, string> = { TOWOW_MODE: "developer" }) {
  const at = await machine({ [`${OLD}/dist/cli.js`]: "", [`${APP}/0.0.1/dist/cli.js`]: "" });
  const args = [at.path(`${OLD}/dist/cli.js`), "--backend-url", "https://towow.example"];
  at.write("home/.cursor/mcp.json", cursor("/gone/bin/node", args, { env }));
  return at;
}

describe("the copy that a client starts", () => {
  it("is whole, for its owner alone, and runs where nothing else is", async () => {
    const at = await machine({}, { isWhole: true });
    expect(unwrapped((await at.setup("cursor")).out)).toContain(
      `Copied this program to ${at.path(`${APP}/${VERSION}`)}.`,
    );
    expect(readdirSync(at.path(APP))).toEqual([VERSION]);
    expect(statSync(at.path(APP)).mode & 0o777).toBe(0o700);
    const { command, args } = JSON.parse(at.read("home/.cursor/mcp.json")!).mcpServers.towow;
    const { stdout } = spawnSync(command, [...args, "--version"], { env: {}, cwd: at.project, encoding: "utf8" });
    expect(stdout.trim()).toBe(VERSION);
  });

  it.skipIf(process.platform === "win32")("is closed to others, whatever the umask", async () => {
    const at = await machine();
    const command = ["-c", 'umask 000 && exec "$0" "$@"', process.execPath, CLI, "setup", "cursor"];
    spawnSync("sh", command, { env: at.env, cwd: at.project });
    const copied = readdirSync(at.path(APP), { recursive: true }) as string[];
    expect(copied).toContain(`${VERSION}/dist/cli.js`);
    expect(copied.filter((name) => (statSync(at.path(`${APP}/${name}`)).mode & 0o077) !== 0)).toEqual([]);
  });

  it("is made anew when a part of it is missing or changed", async () => {
    const at = await machine();
    await at.setup("cursor");
    const entry = at.path(`${APP}/${VERSION}/dist/cli.js`);
    writeFileSync(entry, "spoiled");
    const again = await at.setup("cursor");
    expect(again.out).toContain("Copied this program");
    expect(again.out).toContain("The copy that it starts was replaced. Restart the client.");
    expect(at.read(`${APP}/${VERSION}/dist/cli.js`)).not.toBe("spoiled");
    expect((await at.setup("cursor")).out).not.toContain("Copied");
    expect(readdirSync(at.path(APP))).toEqual([VERSION]);
  });

  it("stays as long as another client names it", async () => {
    const at = await machine();
    await at.setup("cursor", "gemini");
    await at.setup("cursor", "--remove");
    expect(readdirSync(at.path(APP))).toEqual([VERSION]);
    expect(unwrapped((await at.setup("gemini", "--remove")).out)).toContain(`Removed ${at.path(`${APP}/${VERSION}`)}`);
    expect(existsSync(at.path(APP))).toBe(false);
  });

  it("stays as long as a file of the project names it, which somebody wrote by hand", async () => {
    const at = await machine();
    await at.setup("cursor");
    at.write("project/.cursor/mcp.json", String(at.read("home/.cursor/mcp.json")));
    await at.setup("cursor", "--remove");
    expect(readdirSync(at.path(APP))).toEqual([VERSION]);
  });

  it("stays when a client's file cannot be read, which may name it", async () => {
    const at = await machine();
    await at.setup("cursor");
    mkdirSync(at.path("home/.gemini/settings.json"), { recursive: true });
    await at.setup("cursor", "--remove");
    expect(readdirSync(at.path(APP))).toEqual([VERSION]);
  });

  it("a home that cannot take it: told, and no entry is written: tool.config.unavailable.program_copy", async () => {
    const at = await machine({ "home/.towow": "a file" });
    const { status, err } = await at.setup("cursor");
    expect(status).toBe(1);
    expect(err).toContain("(tool.config.unavailable.program_copy)");
    expect(at.read("home/.cursor/mcp.json")).toBeUndefined();
  });

  it("--print copies nothing and says so", async () => {
    const at = await machine();
    expect((await at.setup("--print", "cursor")).out).toContain("Run setup without --print to create this copy");
    expect(readdirSync(at.home)).toEqual([]);
  });

  it("a program that lacks a part of itself is copied nowhere, nor does it take anything away: tool.config.unavailable.program_files", async () => {
    const at = await withOlderCopy();
    const before = at.read("home/.cursor/mcp.json");
    const root = fileURLToPath(new URL("../../", import.meta.url));
    for (const part of ["package.json", "dist", "prompts"])
      cpSync(join(root, part), at.path(`package/${part}`), { recursive: true });
    for (let run = 1; run <= 2; run++) {
      const words = [at.path("package/dist/cli.js"), "setup", "cursor"];
      const { status, stderr } = spawnSync(process.execPath, words, { env: at.env, cwd: at.project, encoding: "utf8" });
      expect(status).toBe(1);
      expect(stderr).toContain("LICENSE cannot be read (ENOENT)");
      expect(stderr).toContain("(tool.config.unavailable.program_files)");
      expect(at.read("home/.cursor/mcp.json")).toBe(before);
      expect(readdirSync(at.path(APP)).sort(byCodeUnits)).toEqual(["0.0.1", "0.0.9"]);
    }
  });

  it("a link in the place of a copy goes itself, and not what it leads to", async () => {
    const at = await machine({ "mine/keep": "x" });
    mkdirSync(at.path(APP), { recursive: true });
    symlinkSync(at.path("mine"), at.path(OLD));
    await at.setup("cursor");
    expect(readdirSync(at.path(APP))).toEqual([VERSION]);
    expect(at.read("mine/keep")).toBe("x");
  });
});

describe("an older copy", () => {
  it("is replaced without --force; its options and a person's variables stay, and so does its folder till next time", async () => {
    const at = await withOlderCopy();
    const { out } = await at.setup("cursor");
    expect(out).toContain(`Updated from 0.0.9 to ${VERSION}.`);
    expect(JSON.parse(at.read("home/.cursor/mcp.json")!).mcpServers.towow).toEqual({
      ...at.launch(["--backend-url", "https://towow.example"]),
      env: { TOWOW_MODE: "developer" },
    });
    expect(readdirSync(at.path(APP)).sort(byCodeUnits)).toEqual(["0.0.9", VERSION]); // a client may still run it
    expect(unwrapped((await at.setup("cursor")).out)).toContain(`Removed ${at.path(OLD)}`);
    expect(readdirSync(at.path(APP))).toEqual([VERSION]);
  });

  it("of Claude Code, with a secret among its variables: no command line carries it", async () => {
    const at = await withOlderCopy();
    at.program("claude");
    const args = [at.path(`${OLD}/dist/cli.js`)];
    at.write(
      "home/.claude.json",
      cursor("/gone/bin/node", args, { type: "stdio", env: { TOWOW_API_TOKEN: "s3cret" } }),
    );
    const { out } = await at.setup("claude-code");
    expect(out).toContain(`Updated from 0.0.9 to ${VERSION}.`);
    expect(out).not.toContain("s3cret");
    expect(at.calls()).toEqual([]);
    expect(at.read("home/.claude.json")).toContain("s3cret");
  });

  it("npx, which runs what a project's folder holds, is replaced as well", async () => {
    const at = await machine({ "home/.cursor/mcp.json": cursor("npx", ["-y", "towow-mcp", "--lang", "zh"]) });
    expect((await at.setup("cursor")).out).toContain("Updated.");
    expect(JSON.parse(at.read("home/.cursor/mcp.json")!).mcpServers.towow).toEqual(at.launch(["--lang", "zh"]));
  });
});

describe("a newer copy", () => {
  it("is not replaced by an older program, and the doctor says which one to update: tool.config.conflict.newer_copy", async () => {
    const newer = `${APP}/99.0.0`;
    const at = await machine({ [`${newer}/dist/cli.js`]: "" });
    const text = cursor(process.execPath, [at.path(`${newer}/dist/cli.js`)]);
    at.write("home/.cursor/mcp.json", text);
    const { status, out, err } = await at.setup("cursor", "--mode", "normal");
    expect(status).toBe(1);
    expect(err).toContain("Cursor starts towow-mcp 99.0.0, which is newer than this one");
    expect(err).toContain("(tool.config.conflict.newer_copy)");
    expect(out).not.toContain("Updated");
    expect(at.read("home/.cursor/mcp.json")).toBe(text);
    expect(readdirSync(at.path(APP))).toEqual(["99.0.0"]);
    const { findings } = JSON.parse((await at.run(["doctor", "--json"])).out);
    expect(findings).toContainEqual({
      check: "clients.cursor",
      level: "warning",
      message: expect.stringContaining("is older than the copy that Cursor starts (99.0.0)"),
      fix: "Update this program, as its README says.",
    });
    expect((await at.setup("cursor", "--force")).out).toContain("Replaced.");
    expect(at.read("home/.cursor/mcp.json")).toContain(VERSION);
    expect((await at.setup("cursor", "--remove")).status).toBe(0);
  });
});

describe("the doctor", () => {
  const examined = async (at: Awaited<ReturnType<typeof machine>>) => {
    const { findings } = JSON.parse((await at.run(["doctor", "--json"])).out);
    return (check: string) => findings.find((finding: { check: string }) => finding.check === check);
  };

  it("a Node that is gone, an older copy, a copy that is gone, one that nobody starts: each with what to run", async () => {
    const at = await withOlderCopy();
    let of = await examined(at);
    const fix = "towow-mcp setup cursor";
    expect(of("clients.cursor")).toMatchObject({
      level: "problem",
      fix,
      message: expect.stringContaining("/gone/bin/node"),
    });
    expect(of("copies")).toMatchObject({ level: "warning", fix: `rm -r ${at.path(`${APP}/0.0.1`)}` });
    at.write("home/.cursor/mcp.json", cursor(process.execPath, [at.path(`${OLD}/dist/cli.js`)]));
    of = await examined(at);
    expect(of("clients.cursor")).toMatchObject({ level: "warning", fix, message: expect.stringContaining("0.0.9") });
    rmSync(at.path(OLD), { recursive: true });
    of = await examined(at);
    expect(of("clients.cursor")).toMatchObject({ level: "problem", fix, message: expect.stringContaining("cli.js") });
    await at.setup("cursor");
    of = await examined(at);
    expect(of("clients.cursor")).toMatchObject({ level: "ok" });
    expect(of("copies")).toBeUndefined();
  });

  it("npx, in a person's file and in a project's", async () => {
    const text = cursor("npx", ["-y", "towow-mcp"]);
    const at = await machine({ "home/.cursor/mcp.json": text, "project/.cursor/mcp.json": text });
    at.program("npx");
    const of = await examined(at);
    expect(of("clients.cursor")).toMatchObject({ level: "warning", fix: "towow-mcp setup cursor" });
    expect(of("clients.cursor.project")).toMatchObject({ fix: "towow-mcp setup cursor --scope project" });
  });
});

describe("a project that is a trap", () => {
  const RUNNER = "cache/_npx/1a2b/node_modules/towow-mcp";

  /** Its own `towow-mcp`, wherever `npx` and a shell look for one. */
  async function trap() {
    const at = await machine();
    const script = `#!/usr/bin/env node\nrequire("node:fs").writeFileSync(${JSON.stringify(at.path("sprung"))}, "")\n`;
    const package_ = { name: "towow-mcp", version: VERSION, bin: "dist/cli.js" };
    at.write("project/node_modules/towow-mcp/package.json", JSON.stringify(package_));
    for (const name of ["node_modules/.bin/towow-mcp", "node_modules/towow-mcp/dist/cli.js", "towow-mcp"])
      at.write(`project/${name}`, script, 0o755);
    // As npx itself starts setup: from a folder of its cache, which may be gone tomorrow.
    const root = fileURLToPath(new URL("../../", import.meta.url));
    for (const part of ["package.json", "LICENSE", "dist", "prompts"])
      cpSync(join(root, part), at.path(`${RUNNER}/${part}`), { recursive: true });
    const env = { ...at.env, PATH: `${dirname(process.execPath)}:${at.env.PATH}`, npm_config_offline: "true" };
    const start = (command: string, args: string[]) =>
      spawnSync(command, args, { env, cwd: at.project, encoding: "utf8", input: "" });
    start(process.execPath, [at.path(`${RUNNER}/dist/cli.js`), "setup", "cursor"]);
    start(process.execPath, [at.path(`${RUNNER}/dist/cli.js`), "setup", "cursor", "--scope", "project"]);
    rmSync(at.path("cache"), { recursive: true });
    return { at, start, entry: (file: string) => JSON.parse(at.read(file)!).mcpServers.towow };
  }

  it("a person's entry, written by way of npx, runs nothing of it; nor does a project's, which knows towow-mcp by the PATH alone", async () => {
    const { at, start, entry } = await trap();
    const own = entry("home/.cursor/mcp.json");
    expect(start(own.command, [...own.args, "--version"]).stdout.trim()).toBe(VERSION);
    const { command, args = [] } = entry("project/.cursor/mcp.json");
    expect(start(command, args).error).toMatchObject({ code: "ENOENT" });
    expect(existsSync(at.path("sprung"))).toBe(false);
  });
});
