import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { CLI, cli, finished } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { NODE_ENV } from "../support/node-env.ts";

/** A line in a shell, with the program as `$TOWOW`. */
function inShell(line: string, env: Record<string, string>) {
  const child = spawn("sh", ["-c", line], {
    env: { ...NODE_ENV, TOWOW_LANG: "en", ...env, TOWOW: `${process.execPath} ${CLI}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return finished(child);
}

it.skipIf(process.platform !== "linux")(
  "output that nobody takes is no crash: a reader that has left is the end, a full disk an error",
  async () => {
    const env = { TOWOW_HOME: await temporaryHome() };
    const early = await inShell("$TOWOW help list | head -c 1", env);
    expect([early.status, early.stderr]).toEqual([0, ""]);
    for (const [lang, command, says] of [
      ["zh", "config get mode", "无法写入（ENOSPC）"],
      ...["sandbox", "whoami", "config list", "--help", "-V"].map(
        (command) => ["en", command, "could not be written (ENOSPC)"] as const,
      ),
    ] as const) {
      const full = await inShell(`exec $TOWOW ${command} >/dev/full`, { ...env, TOWOW_LANG: lang });
      expect(full, command).toMatchObject({ status: 1, stderr: expect.stringContaining(says) });
      expect(full.stderr).not.toMatch(/^ {4}at /m);
    }
  },
);

it.skipIf(process.platform !== "linux")(
  "a result that cannot be written is an error, and what the call left undecided is withdrawn all the same",
  async () => {
    const mock = await runningMock();
    const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url };
    const demand = `'{"intent":"A designer","scene_id":"${mock.sceneId}"}'`;
    const lines = `'{"tool":"towow_demand","params":{"intent":"Another one","scene_id":"${mock.sceneId}"}}'`;
    const full = [
      await inShell(`exec $TOWOW call towow_demand ${demand} >/dev/full`, env),
      await inShell(`printf '%s\\n' ${lines} | $TOWOW call --stdin >/dev/full`, env),
    ];
    for (const { status, stderr } of full) {
      expect(status).toBe(1);
      expect(stderr.match(/could not be written \(ENOSPC\)/g)).toHaveLength(1);
    }
    expect(mock.negotiations()).toMatchObject([
      { cancelled: true, confirmCount: 0 },
      { cancelled: true, confirmCount: 0 },
    ]);
    const early = await inShell("$TOWOW call towow_status | true", env);
    expect(early.stderr).not.toContain("could not be written");
  },
);

it.skipIf(process.platform !== "linux")(
  "in a folder that was deleted, only what needs it is refused, in a sentence",
  async () => {
    const base = await temporaryHome();
    const home = join(base, ".towow");
    const away = (command: string) =>
      inShell(`mkdir ${base}/gone && cd ${base}/gone && rmdir ${base}/gone && exec $TOWOW ${command}`, {
        HOME: base,
        TOWOW_HOME: home,
      });
    expect((await away("setup --print cursor")).status).toBe(0);
    expect(JSON.parse((await away("doctor --json")).stdout).problems).toBe(1); // no network
    const project = await away("setup cursor --scope project");
    expect(project).toMatchObject({ status: 1, stderr: expect.stringContaining("has been deleted") });
    expect(project.stderr).toContain("(tool.config.unavailable.working_folder)");
  },
);

it("what is given twice or beside another is refused, and not chosen from in silence", async () => {
  const env = { TOWOW_HOME: await temporaryHome() };
  for (const [args, says] of [
    [["call", "towow_status", '{"a":1}', "b=2"], "a JSON object stands alone"],
    [["call", "towow_status", "wait=done", "wait=change"], "it is given twice"],
    [["setup", "--print", "cursor", "--sandbox", "--backend-url", "https://towow.example"], "cannot be used together"],
  ] as const)
    expect(await cli(args, { env })).toMatchObject({ status: 1, stderr: expect.stringContaining(says) });
});

it("files that are not what they should be are named, with a way on, in either language", async () => {
  const home = await temporaryHome();
  const file = join(home, "letter.txt");
  await writeFile(file, "Dear Ada");
  for (const lang of ["en", "zh"]) {
    const data = await cli(["mock", "--port", "0", "--data", file], { env: { TOWOW_HOME: home, TOWOW_LANG: lang } });
    expect(data).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("--data") });
    expect(data.stderr).toContain("(tool.config.unavailable.mock_data)\n");
    const forgotten = await cli(["forget", "--yes"], { env: { TOWOW_HOME: file, TOWOW_LANG: lang } });
    expect(forgotten).toMatchObject({ status: 1, stderr: expect.stringContaining("towow-mcp doctor") });
    expect(data.stderr + forgotten.stderr).not.toMatch(/^ {4}at /m);
  }
});

it.skipIf(process.platform !== "linux")("no fix of the doctor's touches what belongs to the kernel", async () => {
  const { stdout } = await cli(["doctor", "--json"], { env: { HOME: "/proc/nowhere" } });
  const { findings } = JSON.parse(stdout) as { findings: { check: string; fix?: string }[] };
  expect(findings.find(({ check }) => check === "home")?.fix).toMatch(/^export HOME=/);
});
