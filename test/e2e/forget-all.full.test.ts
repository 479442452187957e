import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { cli, inTerminal, SCRIPT } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";

/** A person's own folder, with this program's home in it where it stands by itself. */
async function person() {
  const base = await temporaryHome();
  const env = { HOME: base };
  const run = (...args: string[]) => cli(args, { env });
  onTestFinished(async () => void (await run("sandbox", "--stop")));
  return { base, home: join(base, ".towow"), env, run };
}

const settings = (home: string) => JSON.parse(readFileSync(join(home, "config.json"), "utf8"));

describe("forget --all leaves nothing", () => {
  it("of a sandbox, its calls, settings, logs and this program's own notes; nor the home itself", async () => {
    const { base, home, run } = await person();
    await run("network", "sandbox");
    await run("config", "set", "mode", "developer");
    expect((await run("call", "towow_list_scenes")).status).toBe(0);
    mkdirSync(join(home, "running"));
    writeFileSync(join(home, "running", "gone"), ".");
    expect(readdirSync(home)).toEqual(expect.arrayContaining(["config.json", "logs", "sandbox"]));
    const { stdout, status } = await run("forget", "--all", "--yes");
    expect([status, stdout]).toEqual([0, expect.stringContaining("your settings, the network among them")]);
    expect(readdirSync(base)).toEqual([]);
    expect((await run("forget", "--all", "--yes")).stdout).toContain("nothing to forget");
    expect(readdirSync(base)).toEqual([]);
  });

  it("but the copy that clients start, until setup --remove, after which it leaves nothing either", async () => {
    const { base, home, run } = await person();
    mkdirSync(join(base, ".cursor"));
    expect((await run("setup", "cursor", "--sandbox")).status).toBe(0);
    const { stdout } = await run("forget", "--all", "--yes");
    expect(stdout).toContain("To take it out: towow-mcp setup --remove");
    expect(readdirSync(home).sort(byCodeUnits)).toEqual(["app", "setup.json"]);
    expect((await run("setup", "cursor", "--remove")).status).toBe(0);
    await run("forget", "--all", "--yes");
    expect(readdirSync(base)).toEqual([".cursor"]);
  });

  it("of a copy that no client starts any more", async () => {
    const { base, home, run } = await person();
    mkdirSync(join(base, ".cursor"));
    await run("setup", "cursor");
    writeFileSync(join(base, ".cursor/mcp.json"), "{}");
    expect((await run("forget", "--all", "--yes")).stdout).toContain("the copy of this program that setup made");
    expect(existsSync(home)).toBe(false);
  });

  it("of a config file that is no JSON and may hold a token", async () => {
    const { home, run } = await person();
    mkdirSync(home);
    writeFileSync(join(home, "config.json"), '{"api_token": "t0k3n", ');
    expect((await run("forget", "--all", "--yes")).status).toBe(0);
    expect(existsSync(home)).toBe(false);
  });

  it("what is not this program's stays, and so does a home that was named", async () => {
    const home = await temporaryHome();
    writeFileSync(join(home, "mine.txt"), "x");
    writeFileSync(join(home, "config.json"), '{"mode":"developer"}');
    expect((await cli(["forget", "--all", "--yes"], { env: { TOWOW_HOME: home } })).status).toBe(0);
    expect(readdirSync(home)).toEqual(["mine.txt"]);
  });
});

describe("what only a person may loosen stays where nobody sits at a terminal", () => {
  const guarded = async () => {
    const it = await person();
    mkdirSync(it.home);
    writeFileSync(join(it.home, "config.json"), '{"confirmation_policy":"strict","api_token":"t"}', { mode: 0o600 });
    writeFileSync(join(it.home, "tainted.json"), JSON.stringify({ until: Date.now() + 3_600_000 }), { mode: 0o600 });
    return it;
  };

  it("the settings under strict, and the note that others' text was read", async () => {
    const { home, run } = await guarded();
    const { stdout, status } = await run("forget", "--all", "--yes");
    expect([status, stdout]).toEqual([0, expect.stringContaining("Your settings stay: under the policy strict")]);
    expect(stdout).toContain("read here stays for up to a day");
    expect(settings(home)).toEqual({ confirmation_policy: "strict" });
    expect(readdirSync(home).sort(byCodeUnits)).toEqual(["config.json", "tainted.json"]);
  });

  it.skipIf(SCRIPT === undefined)("a person erases them", async () => {
    const { home, env } = await guarded();
    const asked = inTerminal(["forget", "--all"], env);
    await asked.sees(/Type "yes"/);
    asked.types("yes");
    expect(await asked.ended).toBe(0);
    expect(existsSync(home)).toBe(false);
  });
});
