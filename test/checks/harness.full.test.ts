import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { options } from "../../checks/harness.ts";

it("an option is what was given, in the form of its default", () => {
  const defaults = { minutes: 10, mix: "", twice: false };
  expect(options([], defaults)).toEqual(defaults);
  expect(options(["--minutes", "0.5", "--mix", "reads", "--twice"], defaults)).toEqual({
    minutes: 0.5,
    mix: "reads",
    twice: true,
  });
  expect(() => options(["--minute", "3"], defaults)).toThrow("--minute");
});

it("every part says its line, and one that finds something or fails ends the check with 1", () => {
  const folder = mkdtempSync(join(tmpdir(), "towow-harness-"));
  const file = join(folder, "check.ts");
  const harness = new URL("../../checks/harness.ts", import.meta.url);
  writeFileSync(
    file,
    `import { run } from ${JSON.stringify(harness.href)};
    const found = (ok: boolean, line: string) => async () => ({ default: async (args: string[]) => ({ ok, line: [line, ...args].join(" ") }) });
    await run({
      well: found(true, "nothing"),
      broken: found(false, "3 found"),
      thrown: async () => ({ default: async () => { throw new Error("no backend"); } }),
    });`,
  );
  const ran = (...args: string[]) => spawnSync(process.execPath, [file, ...args], { encoding: "utf8" });
  try {
    expect(ran("well", "--seed", "2")).toMatchObject({ status: 0, stdout: "well: nothing --seed 2\n" });
    expect(ran("broken")).toMatchObject({ status: 1, stdout: "broken: 3 found\n" });
    expect(ran("thrown")).toMatchObject({ status: 1, stdout: expect.stringMatching(/^thrown: Error: no backend/) });
    const all = ran();
    expect(all.status).toBe(1);
    expect(all.stdout).toMatch(/^well: nothing\nbroken: 3 found\nthrown: /);
    expect(ran("unknown").stderr).toContain("well | broken | thrown");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
