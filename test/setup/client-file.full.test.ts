import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { CLI, machine } from "./world.ts";

/** Root may write everywhere: then it is tried as nobody, where that user can read this checkout. */
const OTHER_USER =
  process.getuid?.() !== 0
    ? {}
    : spawnSync(process.execPath, [CLI, "--version"], { uid: 65_534 }).status === 0
      ? { uid: 65_534 }
      : undefined;

describe("the file itself", () => {
  it("a link is followed, not replaced, and mode bits stay", async () => {
    const at = await machine({ "dotfiles/mcp.json": "{}\n" });
    chmodSync(at.path("dotfiles/mcp.json"), 0o640);
    mkdirSync(at.path("home/.cursor"));
    symlinkSync("../../dotfiles/mcp.json", at.path("home/.cursor/mcp.json"));
    await at.setup("cursor");
    expect(readlinkSync(at.path("home/.cursor/mcp.json"))).toBe("../../dotfiles/mcp.json");
    expect(JSON.parse(at.read("dotfiles/mcp.json")!).mcpServers.towow).toBeDefined();
    expect(statSync(at.path("dotfiles/mcp.json")).mode & 0o777).toBe(0o640);
    await at.setup("cursor", "--remove");
    expect(at.read("dotfiles/mcp.json")).toBe("{}\n");
    expect(readdirSync(at.path("dotfiles"))).toEqual(["mcp.json"]);
  });

  it("a link to a file that is not there yet makes that file, and --remove takes the file and leaves the link", async () => {
    const at = await machine({ "dotfiles/keep": "" });
    mkdirSync(at.path("home/.cursor"));
    symlinkSync("../../dotfiles/mcp.json", at.path("home/.cursor/mcp.json"));
    expect((await at.setup("cursor")).status).toBe(0);
    expect(lstatSync(at.path("home/.cursor/mcp.json")).isSymbolicLink()).toBe(true);
    expect(at.read("dotfiles/mcp.json")).toContain("towow");
    expect((await at.setup("cursor", "--remove")).status).toBe(0);
    expect(readlinkSync(at.path("home/.cursor/mcp.json"))).toBe("../../dotfiles/mcp.json");
    expect(readdirSync(at.path("dotfiles"))).toEqual(["keep"]);
  });

  it.each([true, false])(
    "a link in the place of the folder is the person's, too (its target is there: %s)",
    async (isThere) => {
      const at = await machine(isThere ? { "dotfiles/cursor/keep": "" } : { "dotfiles/keep": "" });
      symlinkSync("../dotfiles/cursor", at.path("home/.cursor"));
      expect((await at.setup("cursor")).status).toBe(0);
      expect(at.read("dotfiles/cursor/mcp.json")).toContain("towow");
      expect((await at.setup("cursor", "--remove")).status).toBe(0);
      expect(readlinkSync(at.path("home/.cursor"))).toBe("../dotfiles/cursor");
      expect(readdirSync(at.path("dotfiles"), { recursive: true })).toEqual(
        isThere ? ["cursor", "cursor/keep"] : ["keep"],
      );
    },
  );

  it("a new file of the person's own is for their eyes; a project's is shared", async () => {
    const at = await machine();
    await at.setup("cursor");
    await at.setup("cursor", "--scope", "project");
    expect(statSync(at.path("home/.cursor/mcp.json")).mode & 0o777).toBe(0o600);
    expect(statSync(at.path("project/.cursor/mcp.json")).mode & 0o444).toBe(0o444);
  });

  it("what another entry hides is written out when it is shown", async () => {
    const text = JSON.stringify({ mcpServers: { towow: { command: "a\u202Eb\u009B31m" } } });
    const at = await machine({ "project/.cursor/mcp.json": text });
    const { out } = await at.setup("cursor", "--scope", "project");
    expect(out).toContain("a\\u{202E}b\\u{9B}31m");
    expect(out).not.toMatch(/[\u202E\u009B]/);
  });

  it.each([
    ["a comment in GBK", [Buffer.from("{\n  // "), Buffer.from([0xd6, 0xd0]), Buffer.from("\n}\n")]],
    ["UTF-16", [Buffer.from("\uFEFF{}\n", "utf16le")]],
  ])("one that is not UTF-8 (%s) is refused and keeps every byte", async (_, parts) => {
    const before = Buffer.concat(parts);
    const at = await machine();
    at.write("home/.cursor/mcp.json", before);
    for (const args of [["cursor"], ["cursor", "--remove"]]) {
      const { status, err } = await at.setup(...args);
      expect([status, readFileSync(at.path("home/.cursor/mcp.json"))]).toEqual([1, before]);
      expect(err).toContain("(not UTF-8)");
      expect(err).toContain("(tool.config.unavailable.client_config)");
    }
  });

  it("a read-only file is refused, for root as well", async () => {
    const at = await machine({ "home/.cursor/mcp.json": "{}" });
    chmodSync(at.path("home/.cursor/mcp.json"), 0o444);
    const { status, err } = await at.setup("cursor");
    expect(status).toBe(1);
    expect(err).toContain("(read-only)");
    expect(err).toContain("(tool.config.unavailable.client_config)");
    expect(at.read("home/.cursor/mcp.json")).toBe("{}");
  });

  it("a home that cannot be written is told, and nothing is left there", async () => {
    const at = await machine({ "home/.cursor": "a file, not a folder" });
    const { status, err } = await at.setup("cursor");
    expect(status).toBe(1);
    expect(err).toContain("(tool.config.unavailable.client_config)");
    expect(readdirSync(at.home)).toEqual([".cursor"]);
  });

  it.skipIf(OTHER_USER === undefined)("a home that belongs to somebody else, too", async () => {
    const at = await machine();
    chmodSync(at.base, 0o755);
    chmodSync(at.home, 0o555);
    const { status, err } = await at.run(["setup", "cursor"], OTHER_USER);
    chmodSync(at.home, 0o755);
    expect(status).toBe(1);
    expect(err).toContain("(no permission, EACCES)");
    expect(err).toContain("(tool.config.unavailable.program_copy)");
    expect(readdirSync(at.home)).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("a pipe in its place is told at once, by setup and the doctor", async () => {
    const at = await machine({ "home/.cursor/keep": "" });
    spawnSync("mkfifo", [at.path("home/.cursor/mcp.json")]);
    const { status, err } = await at.setup("cursor");
    expect(status).toBe(1);
    expect(err).toContain("(it is not a regular file)");
    expect(err).toContain("(tool.config.unavailable.client_config)");
    const { findings } = JSON.parse((await at.run(["doctor", "--json"])).out);
    expect(findings).toContainEqual(expect.objectContaining({ check: "clients.cursor", level: "problem" }));
  });

  it.each([
    ["a syntax error", '{ "mcpServers": { "a": 1 "b" } }', "a comma is missing"],
    ["something else where the servers belong", '{ "mcpServers": [] }', "has something else at mcpServers"],
    ["a folder", undefined, "it is a folder, EISDIR"],
  ])("%s: the refusal names the client, and --print, to which it sends, prints", async (_, text, says) => {
    const at = await machine(text === undefined ? {} : { "home/.cursor/mcp.json": text });
    if (text === undefined) mkdirSync(at.path("home/.cursor/mcp.json"), { recursive: true });
    const refused = await at.setup("cursor");
    expect(refused.status).toBe(1);
    expect(refused.err).toContain("Cursor: ");
    expect(refused.err).toContain(says);
    const printed = await at.setup("--print", "cursor");
    expect([printed.status, printed.err]).toEqual([0, ""]);
    expect(printed.out).toContain(says);
    expect(printed.out).toContain(JSON.stringify(at.launch().args[0]));
    const removed = await at.setup("cursor", "--remove");
    expect(removed.status).toBe(1);
    expect(removed.err).not.toMatch(/towow-mcp setup$/m);
  });

  it("something else where the servers belong is refused", async () => {
    const at = await machine({ "home/.cursor/mcp.json": '{ "mcpServers": [] }' });
    expect((await at.setup("cursor")).err).toContain("tool.config.invalid.client_config_shape");
    expect(at.read("home/.cursor/mcp.json")).toBe('{ "mcpServers": [] }');
  });

  it("our own home that cannot be written stands in the way neither of a project's entry nor of --remove", async () => {
    const at = await machine({
      "home/.towow": "a file",
      "home/.cursor/mcp.json": '{"mcpServers":{"towow":{"command":"towow-mcp"}}}',
    });
    expect((await at.setup("cursor", "--scope", "project")).status).toBe(0);
    expect((await at.setup("cursor", "--remove")).status).toBe(0);
    expect(at.read("home/.cursor/mcp.json")).toBe('{"mcpServers":{}}');
  });

  it("edited since: only the entry goes", async () => {
    const at = await machine();
    await at.setup("cursor");
    at.write("home/.cursor/mcp.json", at.read("home/.cursor/mcp.json")!.replace('"towow"', '"mine": {},\n    "towow"'));
    await at.setup("cursor", "--remove");
    expect(at.read("home/.cursor/mcp.json")).toBe('{\n  "mcpServers": {\n    "mine": {}\n  }\n}\n');
  });

  describe("a client that writes its file while setup does", () => {
    /** As if the client wrote just before the rename, so many times: after setup's own text is on the disk. */
    const hook = (file: string, times: number) => `
      const fs = require("node:fs");
      const { writeFileSync } = fs;
      let left = ${times};
      fs.writeFileSync = (path, ...rest) => {
        writeFileSync(path, ...rest);
        if (!String(path).startsWith(${JSON.stringify(`${file}.towow-`)}) || left-- <= 0) return;
        const { mcpServers, ...all } = JSON.parse(fs.readFileSync(${JSON.stringify(file)}, "utf8"));
        writeFileSync(${JSON.stringify(file)}, JSON.stringify({ ...all, ["seen" + left]: true, mcpServers }, null, 2));
      };`;
    const starting = async (times: number) => {
      const at = await machine({ "home/.cursor/mcp.json": '{ "mcpServers": { "other": {} } }' });
      const file = at.path("home/.cursor/mcp.json");
      at.write("hook.cjs", hook(file, times));
      const env = { NODE_OPTIONS: `--require ${at.path("hook.cjs")}` };
      return {
        read: () => JSON.parse(at.read("home/.cursor/mcp.json")!),
        run: (args: string[]) => at.run(args, { env }),
      };
    };

    it("what it wrote stays, and so does the entry, after setup and --remove", async () => {
      const { read, run } = await starting(1);
      expect(await run(["setup", "cursor"])).toMatchObject({ status: 0, err: "" });
      expect(read()).toMatchObject({ seen0: true, mcpServers: { other: {}, towow: {} } });
      expect((await run(["setup", "cursor", "--remove"])).status).toBe(0);
      expect(read()).toEqual({ seen0: true, mcpServers: { other: {} } });
    });

    it("tool.config.conflict.client_config_changed: one that goes on is left alone, and told", async () => {
      const { read, run } = await starting(9);
      const { status, err } = await run(["setup", "cursor"]);
      expect([status, err]).toEqual([1, expect.stringContaining("(tool.config.conflict.client_config_changed)")]);
      expect(read()).toEqual({ seen8: true, seen7: true, seen6: true, mcpServers: { other: {} } });
    });
  });
});
