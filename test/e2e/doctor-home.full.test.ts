import { spawnSync } from "node:child_process";
import { chmod, chown, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, cli, inTerminal, SCRIPT } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { examined, type Finding, homeWith } from "./doctor-support.ts";

const NOBODY = 65534;
/** A small disk of one's own, mounted where nobody else sees it: not every machine lets one. */
const OWN_DISK = 'mount -t tmpfs -o size=64k,mode=700 tmpfs "$0" && exec "$@"';
const ownDisk = (home: string, command: string[]) => ["-rm", "sh", "-c", OWN_DISK, home, ...command];
const CAN_MOUNT = spawnSync("unshare", ownDisk("/mnt", ["true"])).status === 0;

describe("the home and its file", () => {
  it("no home is made by looking", async () => {
    const home = join(await temporaryHome(), "not", "yet");
    await examined({ TOWOW_HOME: home });
    await expect(stat(home)).rejects.toThrow("ENOENT");
  });

  it("a corrupt file, a file and a folder that others can read: told, and left as they are", async () => {
    const home = await homeWith("{ no", 0o644);
    await chmod(home, 0o755);
    const { of } = await examined({ TOWOW_HOME: home });
    expect((await stat(join(home, "config.json"))).mode & 0o777).toBe(0o644);
    expect(await readFile(join(home, "config.json"), "utf8")).toBe("{ no");
    expect(of("config")?.fix).toBe(`mv ${home}/config.json ${home}/config.json.broken`);
    await writeFile(join(home, "config.json.broken"), "an earlier one");
    const again = await examined({ TOWOW_HOME: home });
    expect(again.of("config")?.fix).toBe(`mv ${home}/config.json ${home}/config.json.broken-2`);
  });

  it("a setting is not written over a file in UTF-16", async () => {
    const home = await homeWith("");
    const bytes = Buffer.from('\uFEFF{ "mode": "developer" }', "utf16le");
    await writeFile(join(home, "config.json"), bytes);
    expect(await cli(["config", "set", "lang", "zh"], { env: { TOWOW_HOME: home } })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("config.json is UTF-16 text."),
    });
    expect(await readFile(join(home, "config.json"))).toEqual(bytes);
  });

  it("a file in the place of the history is no empty history, for list and forget neither", async () => {
    const home = await homeWith('{"backend_url":"http://127.0.0.1:9"}');
    await writeFile(join(home, "history"), "x");
    for (const command of [["list"], ["forget", "--history", "--yes"]])
      expect(await cli(command, { env: { TOWOW_HOME: home } })).toMatchObject({
        status: 1,
        stdout: "",
        stderr: expect.stringContaining("(tool.config.unavailable.home_unwritable)"),
      });
  });

  it.runIf(CAN_MOUNT)("a full disk, which the errors of the other commands send to the doctor", async () => {
    const home = await temporaryHome();
    const on = (script: string) =>
      spawnSync(
        "unshare",
        ownDisk(home, ["sh", "-c", `${script}; "$0" "$@"`, process.execPath, CLI, "doctor", "--json"]),
        {
          env: { ...process.env, TOWOW_HOME: home, TOWOW_LANG: "en" },
          encoding: "utf8",
        },
      );
    const homeOf = ({ stdout }: { stdout: string }) =>
      (JSON.parse(stdout) as { findings: Finding[] }).findings.find(({ check }) => check === "home");
    expect(homeOf(on("true"))).toMatchObject({ level: "ok" });
    const full = on('cat /dev/zero > "$TOWOW_HOME/ballast" 2> /dev/null');
    expect(homeOf(full)).toMatchObject({
      level: "problem",
      message: expect.stringContaining("cannot be written (ENOSPC)"),
      fix: `df -h ${home}`,
    });
    expect(full.status).toBe(1);
  });

  it.skipIf(SCRIPT === undefined)(
    "values that do not fit, keys that nobody knows, a profile that holds back",
    async () => {
      const home = await homeWith({
        mode: "odd",
        backend_url: "http://towow.example",
        "bakend url": 1,
        exclude_tools: "towow_odd",
        profile: "dry_run",
        on_unconfirmed: "leave",
      });
      const { bad, of } = await examined({ TOWOW_HOME: home, TOWOW_WAIT_BUDGET_S: "soon" });
      expect(bad).toEqual([
        "config.keys: warning",
        "settings.backend_url: problem",
        "settings.mode: problem",
        "settings.wait_budget_s: problem",
        "settings.exclude_tools: problem",
        "settings.profile: warning",
        "settings.on_unconfirmed: warning",
      ]);
      expect(of("settings.mode")?.fix).toBe("towow-mcp config unset mode");
      expect(of("settings.wait_budget_s")?.fix).toBe("unset TOWOW_WAIT_BUDGET_S");
      // The fixes do fix; the one that leaves out fewer tools wants a terminal.
      for (const check of ["config.keys", "settings.mode", "settings.exclude_tools"]) {
        const { fix = "" } = of(check) as Finding;
        const args = fix.replace("towow-mcp ", "").match(/'[^']*'|\S+/g) ?? [];
        const env = { TOWOW_HOME: home };
        const plain = args.map((arg) => arg.replaceAll("'", ""));
        const isLimit = check === "settings.exclude_tools";
        const status = isLimit ? await inTerminal(plain, env).ended : (await cli(plain, { env })).status;
        expect(status, fix).toBe(0);
      }
      const after = await examined({ TOWOW_HOME: home });
      expect(after.bad).toEqual([
        "settings.backend_url: problem",
        "settings.profile: warning",
        "settings.on_unconfirmed: warning",
      ]);
    },
  );

  // Root may write everywhere: then somebody else looks, where they may read this checkout at all.
  const uid = process.getuid?.() === 0 ? NOBODY : undefined;
  const mayRun = uid === undefined || spawnSync(process.execPath, [CLI, "--version"], { uid, gid: uid }).status === 0;
  it.skipIf(!mayRun || process.platform === "win32")("a home that this user cannot write", async () => {
    const home = await homeWith({}, 0o644);
    if (uid !== undefined) await chown(home, uid, uid);
    await chmod(home, 0o555);
    onTestFinished(() => chmod(home, 0o700));
    const { stdout, status } = await cli(["doctor", "--json"], {
      env: { TOWOW_HOME: home },
      ...(uid !== undefined && { uid }),
    });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect([status, findings.find(({ check }) => check === "home")]).toMatchObject([
      1,
      { level: "problem", message: expect.stringContaining("EACCES") },
    ]);
  });

  it.skipIf(!mayRun || uid === undefined)(
    "a home that root has made: whose it is, and no fix that only root can make",
    async () => {
      const base = await temporaryHome();
      await chmod(base, 0o755);
      const home = join(base, ".towow");
      await mkdir(join(home, "history"), { recursive: true });
      await writeFile(join(home, "config.json"), "{}", { mode: 0o600 });
      for (const mode of [0o700, 0o755]) {
        await chmod(home, mode);
        const { stdout } = await cli(["doctor", "--json"], {
          env: { HOME: base },
          ...(uid !== undefined && { uid }),
        });
        const { findings } = JSON.parse(stdout) as { findings: Finding[] };
        expect(findings.find(({ check }) => check === "home")).toMatchObject({
          level: "problem",
          message: expect.stringContaining("belongs to root"),
          fix: `sudo chown -R "$(id -u):$(id -g)" ${home}`,
        });
        expect(stdout).not.toMatch(/"chmod|unknown/);
      }
    },
  );
});
