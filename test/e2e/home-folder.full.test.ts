import { spawnSync } from "node:child_process";
import { chownSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cli, type Ran } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { CLI } from "../support/raw-server.ts";

const COMMANDS = [
  ["config", "set", "mode", "developer"],
  ["doctor"],
  ["whoami"],
  ["forget", "--all", "--yes"],
  ["setup", "cursor"],
  ["call", "towow_status"],
];

/** Nothing of this program may land in, or be read from, the folder that somebody happens to stand in. */
describe.each<[string, Record<string, string>, string]>([
  ["an empty HOME", { HOME: "" }, "HOME"],
  ["a relative HOME", { HOME: "me" }, "HOME"],
  ["an empty TOWOW_HOME", { TOWOW_HOME: "" }, "TOWOW_HOME"],
  ["a relative TOWOW_HOME", { TOWOW_HOME: "towow" }, "TOWOW_HOME"],
  ["a TOWOW_HOME that no shell has read", { TOWOW_HOME: "~/.towow" }, "TOWOW_HOME"],
])("%s: tool.config.invalid.home, and no file anywhere", (_, env, variable) => {
  const expectRefusal = ({ status, stdout, stderr }: Ran) => {
    expect(stderr).toContain(`${variable} must be a full path, not “${env[variable]}”.`);
    expect(stderr).toContain("(tool.config.invalid.home)");
    expect([status, stdout]).toEqual([1, ""]);
  };
  it.each([[], ...COMMANDS].map((args) => [args]))("%j", async (args) => {
    const [cwd, home, before] = [await temporaryHome(), await temporaryHome(), process.cwd()];
    process.chdir(cwd);
    try {
      expectRefusal(await cli(args, { env: { HOME: home, ...env } }));
    } finally {
      process.chdir(before);
    }
    expect([readdirSync(cwd), readdirSync(home)]).toEqual([[], []]);
  });
});

/** Only root can be a user without a name. */
describe.runIf(process.getuid?.() === 0)("no HOME and a user without a name, as in a container", () => {
  const NOBODY_KNOWN = 54_321;
  const run = (args: string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [CLI, ...args], {
      env: { LANG: "en_US.UTF-8", ...env },
      encoding: "utf8",
      input: "",
      uid: NOBODY_KNOWN,
      gid: NOBODY_KNOWN,
    });

  // Where the home is, is found in one place.
  it.each([[[]], [["call", "towow_status"]]])("%j says what is missing, without a stack", (args) => {
    const { status, stdout, stderr } = run(args);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
      /^HOME must be a full path, not “”\. [^()]*\(tool\.config\.invalid\.home\) $/,
    );
    expect([status, stdout]).toEqual([1, ""]);
  });

  it("with a TOWOW_HOME everything works that needs no other folder", async () => {
    const home = await temporaryHome();
    chownSync(home, NOBODY_KNOWN, NOBODY_KNOWN);
    const env = { TOWOW_HOME: home };
    expect(run(["config", "set", "mode", "developer"], env)).toMatchObject({ status: 0, stderr: "" });
    const { stdout, stderr } = run(["doctor"], env);
    expect([stdout.replaceAll(/\s+/g, " "), stderr]).toEqual([
      expect.stringContaining("is private and can be written"),
      "",
    ]);
    expect(run(["setup", "cursor"], env).stderr).toContain("(tool.config.invalid.home)");
  });
});

// There, Node's own recursive mkdir never comes back.
it.runIf(process.platform === "linux")(
  "a home below /proc is refused at once, and the doctor names the way out",
  () => {
    const env = { HOME: "/nowhere", TOWOW_HOME: "/proc/nowhere/home", LANG: "en_US.UTF-8" };
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [CLI, ...args], { env, encoding: "utf8", timeout: 30_000, killSignal: "SIGKILL" });
    const { stderr, status } = run("config", "set", "mode", "developer");
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("The folder /proc/nowhere/home cannot be written (ENOENT).");
    expect([stderr.includes("(tool.config.unavailable.home_unwritable)"), status]).toEqual([true, 1]);
    const { findings } = JSON.parse(run("doctor", "--json").stdout);
    expect(findings).toContainEqual({
      check: "home",
      level: "problem",
      message: expect.stringContaining("/proc/nowhere/home cannot be written"),
      fix: 'export TOWOW_HOME="$HOME/.towow"',
    });
  },
);
