import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";

const ENV = (home: string) => ({ TOWOW_HOME: home, TOWOW_BACKEND_URL: "sandbox", TOWOW_LANG: "en" });
const running = (home: string) =>
  JSON.parse(readFileSync(join(home, "sandbox", "running.json"), "utf8")) as { pid: number; instance: string };
const call = (home: string, ...args: string[]) =>
  cli(["call", ...args, "--mode", "developer", "--json"], { env: ENV(home) });

async function sandboxHome(): Promise<string> {
  const home = join(await temporaryHome(), "towow home");
  onTestFinished(async () => void (await cli(["sandbox", "--stop"], { env: ENV(home) })));
  return home;
}

it("programs that start at once share one; killed, the next call starts it again with what was in it", async () => {
  const home = await sandboxHome();
  const names = ["one", "two", "three", "four"];
  const made = await Promise.all(
    names.map((name) => call(home, "towow_create_scene", `name=${name}`, "description=x")),
  );
  expect(made.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
  const first = running(home);
  process.kill(first.pid, "SIGKILL");
  const { stdout } = await call(home, "towow_list_scenes");
  const result = JSON.parse(stdout);
  expect(result.data.scenes.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(names));
  expect(running(home).instance).not.toBe(first.instance);
  // Nothing of it passes for the network's.
  expect(result.warnings).toContain("sandbox");
  expect(result.summary).toMatch(/^This is the sandbox on this machine: .*it reaches no real people\.\n\[sandbox\] /);

  const { stdout: state } = await cli(["sandbox", "--json"], { env: ENV(home) });
  expect(JSON.parse(state)).toMatchObject({ running: true, pid: running(home).pid, scenes: 6 });
  await cli(["sandbox", "--stop"], { env: ENV(home) });
  expect(existsSync(join(home, "sandbox", "running.json"))).toBe(false);
  expect((await cli(["sandbox"], { env: ENV(home) })).stdout).toContain("It holds 6 scenes");
  await cli(["sandbox", "--reset"], { env: ENV(home) });
  expect((await cli(["sandbox"], { env: ENV(home) })).stdout).toContain("It has not been used yet.");
});

it("a report and the live view of what it holds say so, and the newest is found without its id", async () => {
  const home = await sandboxHome();
  const { stdout } = await call(home, "towow_list_scenes");
  const { scene_id } = JSON.parse(stdout).data.scenes[0];
  await call(home, "towow_demand", "intent=A designer", `scene_id=${scene_id}`);
  for (const command of [["report", "--format", "md"], ["watch"]]) {
    const { stdout } = await cli(command, { env: ENV(home) });
    expect(stdout, command[0]).toContain("sandbox (nobody real)");
  }
  for (const command of ["list", "scenes"])
    expect((await cli([command], { env: ENV(home) })).stdout, command).toContain("This is the sandbox");
});

it("forget says that the sandbox stays and what erases it; forget --all ends and erases it, and says so before", async () => {
  const home = await sandboxHome();
  await call(home, "towow_list_scenes");
  const { pid } = running(home);
  const forget = (...args: string[]) => cli(["forget", ...args], { env: ENV(home) });
  expect((await forget("--history", "--yes")).stdout).toContain("To erase it too: towow-mcp sandbox --reset");
  expect(existsSync(join(home, "sandbox", "data.json"))).toBe(true);
  const asked = await forget("--all");
  expect([asked.status, asked.stdout]).toEqual([
    1,
    expect.stringContaining("the sandbox: it ends, and everything in it is erased"),
  ]);
  const { status, stdout } = await forget("--all", "--yes");
  expect([status, stdout]).toEqual([0, expect.not.stringContaining("sandbox --reset")]);
  expect(existsSync(join(home, "sandbox"))).toBe(false);
  // Where nobody reaps it, as in a container without an init, its entry stays.
  expect(stateOf(pid)).toMatch(/^[ZX]$/);
});

/** A process's state by proc_pid_stat(5), `X` where there is none. */
function stateOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2)[0] ?? "X";
  } catch {
    return "X";
  }
}

it("one that cannot start is an error with a way on: tool.config.unavailable.sandbox", async () => {
  const home = await sandboxHome();
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "sandbox"), "no folder");
  const { stdout, stderr } = await call(home, "towow_list_scenes");
  expect(stdout + stderr).toContain("tool.config.unavailable.sandbox");
  expect(stdout + stderr).toContain("towow-mcp doctor");
  rmSync(join(home, "sandbox"));
  chmodSync(home, 0o700);
});

it.each([
  ["data.json", "it is a folder, EISDIR", "它是文件夹，EISDIR"],
  ["sandbox", "it is not a folder, EEXIST", "它不是文件夹，EEXIST"],
])("where %s is in the way, the sandbox that does not start names it", async (name, en, zh) => {
  const home = await sandboxHome();
  const path = name === "sandbox" ? join(home, name) : join(home, "sandbox", name);
  mkdirSync(name === "sandbox" ? home : path, { recursive: true });
  if (name === "sandbox") writeFileSync(path, "no folder");
  // As it is wrapped at the terminal's width, so without its spaces.
  const whole = (text: string) => text.replaceAll(/\s/g, "");
  for (const [lang, says] of [
    ["en", `because of ${path} (${en}).`],
    ["zh", `问题出在 ${path}（${zh}）。`],
  ] as const) {
    const { stdout } = await cli(["network", "sandbox"], { env: { TOWOW_HOME: home, TOWOW_LANG: lang } });
    expect(whole(stdout)).toContain(whole(says));
  }
});

it("an endpoint for others refuses it: tool.config.invalid.sandbox_not_shared", async () => {
  const home = await sandboxHome();
  const { status, stderr } = await cli(["serve", "--port", "0"], { env: ENV(home) });
  expect([status, stderr]).toEqual([1, expect.stringContaining("tool.config.invalid.sandbox_not_shared")]);
  expect(stderr).toContain("towow-mcp mock");
});
