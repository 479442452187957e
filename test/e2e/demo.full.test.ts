import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, type TestContext } from "vitest";
import { SCRIPT } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { NODE_ENV } from "../support/node-env.ts";
import { atTerminal } from "../support/terminal.ts";

const PROGRAM = new URL("../../dist/cli.js", import.meta.url).pathname;

/** The built demo as somebody runs it, with a home and a temporary folder of its own. */
async function startDemo(test: TestContext, args: string[], extra: Record<string, string> = {}) {
  const base = await mkdtemp(join(tmpdir(), "towow-test-"));
  test.onTestFinished(() => rm(base, { recursive: true, force: true }));
  const folders = [join(base, "home"), join(base, "tmp")] as const;
  await Promise.all(folders.map((folder) => mkdir(folder)));
  const [HOME, TMPDIR] = folders;
  const env = { ...NODE_ENV, LANG: "en_US.UTF-8", HOME, TMPDIR, ...extra };
  const child = spawn(process.execPath, [PROGRAM, "demo", ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  test.onTestFinished(() => void child.kill("SIGKILL"));
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (said.stdout += chunk));
  child.stderr.on("data", (chunk) => (said.stderr += chunk));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const leftBehind = async () => (await Promise.all(folders.map((folder) => readdir(folder)))).flat();
  return { child, said, ended, leftBehind };
}

it.skipIf(SCRIPT === undefined)(
  "in a terminal it asks until it has an answer, in the words that confirm takes",
  async () => {
    const user = atTerminal([PROGRAM, "demo", "--lang", "en"], { HOME: await temporaryHome() });
    await user.sees(/or \[w\]ithdraw\? /);
    for (const [index, typed] of ["", "yes", "constructor"].entries()) {
      user.types(typed);
      await user.sees(new RegExp(`(?:Please answer a, e or w\\.[\\s\\S]*\\[w\\]ithdraw\\? [\\s\\S]*){${index + 1}}$`));
    }
    user.types("reject");
    expect(await user.exit).toBe(0);
    expect(user.screen()).toMatch(/You withdrew it, so nothing was/);
  },
);

it.concurrent("an interrupted demo leaves nothing either", async (test) => {
  const { child, said, ended, leftBehind } = await startDemo(test, ["--yes", "--lang", "en"]);
  await test.expect.poll(() => said.stdout).toContain("towow_demand");
  expect(await leftBehind()).toHaveLength(1);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(await leftBehind()).toEqual([]);
});

it.concurrent("nor does one whose reader has gone", async (test) => {
  const { child, ended, leftBehind } = await startDemo(test, ["--yes", "--lang", "en"]);
  child.stdout.once("data", () => child.stdout.destroy());
  expect(await ended).toBe(0);
  expect(await leftBehind()).toEqual([]);
});

it.concurrent("a demo that cannot start says so in one sentence", async (test) => {
  const { said, ended } = await startDemo(test, ["--yes", "--lang", "en"], { TMPDIR: "/nonexistent" });
  expect(await ended).toBe(1);
  expect(said.stderr).toMatch(/^The demo failed: /);
  expect(said.stderr).not.toContain("    at ");
});
