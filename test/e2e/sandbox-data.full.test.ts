import { execSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";

const ENV = (home: string, lang = "en") => ({ TOWOW_HOME: home, TOWOW_BACKEND_URL: "sandbox", TOWOW_LANG: lang });

/** A home whose sandbox sleeps, with this in its data file. */
async function homeWith(data: string): Promise<{ home: string; folder: string }> {
  const home = await temporaryHome();
  onTestFinished(async () => void (await cli(["sandbox", "--stop"], { env: ENV(home) })));
  const folder = join(home, "sandbox");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "data.json"), data);
  return { home, folder };
}

const lists = { version: 1, random: 1, scenes: [], agents: [], negotiations: [], tokens: [], answers: [] };

it("a folder in place of the data file: the sandbox says that it does not start, and what doctor names helps", async () => {
  const { home, folder } = await homeWith("");
  const path = join(folder, "data.json");
  rmSync(path);
  mkdirSync(path);
  const { stdout } = await cli(["sandbox"], { env: ENV(home) });
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(`${path} cannot be read (EISDIR), so the sandbox does not start.`);
  const { findings } = JSON.parse((await cli(["doctor", "--json"], { env: ENV(home) })).stdout);
  const { level, fix } = findings.find(({ check }: { check: string }) => check === "sandbox");
  expect(level).toBe("problem");
  execSync(fix);
  expect((await cli(["scenes"], { env: ENV(home) })).stdout).toContain("Around you");
});

it.each([
  ["cut off", '{"version":1,"scenes":['],
  ["without its lists", '{"version":1}'],
  ["with a list that is none", JSON.stringify({ ...lists, scenes: 5 })],
  ["with empty records", JSON.stringify({ ...lists, scenes: [{}], agents: [{}], negotiations: [null] })],
])("a data file %s is named before, kept aside, and named after", async (_, data) => {
  const { home, folder } = await homeWith(data);
  const path = join(folder, "data.json");
  const said = async (...command: string[]) => {
    const { stdout, stderr } = await cli(command, { env: ENV(home) });
    return (stdout + stderr).replaceAll(/\s+/g, " ");
  };
  expect(await said("sandbox")).toContain(`${path} cannot be read; the next start sets it aside and starts fresh.`);
  const before = JSON.parse((await cli(["doctor", "--json"], { env: ENV(home) })).stdout);
  expect(before.findings).toContainEqual(
    expect.objectContaining({ check: "sandbox", level: "warning", message: expect.stringContaining(path) }),
  );

  expect(await said("scenes")).toContain("Around you");
  const [kept] = readdirSync(folder).filter((name) => name.includes(".broken-"));
  expect(await said("sandbox")).toContain(
    `Its earlier data could not be read and was set aside: ${join(folder, kept ?? "none")}`,
  );
  const inChinese = await cli(["sandbox"], { env: ENV(home, "zh") });
  expect(inChinese.stdout.replaceAll(/\s+/g, "")).toContain("沙盒原来的数据无法读取，已另存为");

  await said("sandbox", "--reset");
  expect(await said("sandbox")).not.toContain("set aside");
});
