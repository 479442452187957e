import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { modernClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { canSwitchUser, NOBODY, SOMEBODY } from "../support/other-users.ts";

/** Where a report is written, in a folder in which another user of the machine was first. */

/** A negotiation to report on, and an empty folder to be in. */
async function reporting() {
  const mock = await runningMock();
  const home = await temporaryHome();
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url };
  const session = await modernClient({ env }, () => ({ action: "accept", content: { decision: "accept" } }));
  await session.call("towow_demand", { intent: "A designer", scene_id: mock.scenes()[0]?.scene_id ?? "" });
  await session.call("towow_status", { wait: "done" });
  const id = mock.negotiations()[0]?.negotiation_id ?? "";
  const cwd = join(home, "work");
  mkdirSync(cwd);
  const report = (...args: string[]) => cli(["report", id, ...args], { env, cwd });
  return { env, home, cwd, id, report, name: `towow-report-${id}.html` };
}

it("a name of its own that is taken, by a link or a file, stays as it is: the next one is written", async () => {
  const { home, cwd, id, report, name } = await reporting();
  const [theirs, second] = [join(home, "theirs"), name.replace(".html", "-2.html")];
  writeFileSync(theirs, "keep");
  symlinkSync(theirs, join(cwd, name));
  symlinkSync(join(home, "not-there-yet"), join(cwd, second)); // would be made by a write through it
  const { status, stdout } = await report("--open");
  const third = join(cwd, name.replace(".html", "-3.html"));
  expect([status, stdout]).toEqual([0, `Written to ${third}\n`]);
  expect(readFileSync(third, "utf8")).toContain(id);
  expect(statSync(third).mode & 0o777).toBe(0o600);
  expect(readFileSync(theirs, "utf8")).toBe("keep");
  expect(readdirSync(home)).not.toContain("not-there-yet");
  expect((await report("--open")).stdout).toBe(`Written to ${join(cwd, name.replace(".html", "-4.html"))}\n`);
});

it("a named file that is a link of either kind is refused with the way on, and what it leads to stays", async () => {
  const { home, cwd, report } = await reporting();
  const theirs = join(home, "theirs");
  writeFileSync(theirs, "keep");
  symlinkSync(theirs, join(cwd, "soft.html"));
  linkSync(theirs, join(cwd, "hard.html"));
  for (const [name, reason] of Object.entries({ "soft.html": "ELOOP", "hard.html": "EMLINK" })) {
    const { status, stdout, stderr } = await report("--out", name);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `${join(cwd, name)} is a link, and a report is never written through one (${reason}). Remove it, name another file with --out, or write to stdout with --out -.\n(tool.config.blocked.report_link)\n`,
    );
  }
  const { stderr } = await report("--out", "soft.html", "--lang", "zh");
  expect(stderr).toContain("soft.html 是链接，报告不会经由链接写入（ELOOP）。请先删除它");
  expect(readFileSync(theirs, "utf8")).toBe("keep");
  expect(lstatSync(join(cwd, "soft.html")).isSymbolicLink()).toBe(true);
});

it("a named file of one's own is replaced whole, and is closed to others by then; a device takes it", async () => {
  const { cwd, id, report } = await reporting();
  const mine = join(cwd, "mine.html");
  writeFileSync(mine, `${"x".repeat(2_000_000)}old-end`, { mode: 0o644 });
  expect((await report("--out", "mine.html")).status).toBe(0);
  const text = readFileSync(mine, "utf8");
  expect(text).toMatch(/^<!doctype html>/);
  expect(text).toContain(id);
  expect(text).not.toContain("old-end");
  expect(statSync(mine).mode & 0o777).toBe(0o600);
  expect((await report("--out", "/dev/null")).status).toBe(0);
});

it("a named file is what its ending says, unless a format is named", async () => {
  const { cwd, report } = await reporting();
  const written = async (file: string, ...more: string[]) => {
    expect((await report("--out", file, ...more)).status).toBe(0);
    return readFileSync(join(cwd, file), "utf8");
  };
  expect(await written("plan.md")).toMatch(/^# /);
  expect(JSON.parse(await written("plan.json"))).toBeTypeOf("object");
  expect(await written("plan.txt")).toMatch(/^<!doctype html>/i);
  expect(await written("page.md", "--format", "html")).toMatch(/^<!doctype html>/i);
});

it.runIf(canSwitchUser)(
  "a named file that another user has put there is refused: they could read what is in it",
  async () => {
    const { env, home, cwd, id } = await reporting();
    for (const folder of [home, join(home, "history")]) chmodSync(folder, 0o755);
    const own = await temporaryHome();
    chownSync(own, NOBODY, NOBODY);
    chmodSync(cwd, 0o777);
    const theirs = join(cwd, "shared.html");
    writeFileSync(theirs, "", { mode: 0o666 });
    chmodSync(theirs, 0o666);
    chownSync(theirs, SOMEBODY, SOMEBODY);
    const { status, stderr } = await cli(["report", id, "--out", theirs], {
      env: { ...env, TOWOW_HOME: own },
      uid: NOBODY,
      cwd: "/",
    });
    expect([status, stderr]).toEqual([
      1,
      `${theirs} cannot be written (no permission, EPERM). Name another place with --out.\n(tool.config.unavailable.report_file)\n`,
    ]);
    expect(readFileSync(theirs, "utf8")).toBe("");
  },
);
