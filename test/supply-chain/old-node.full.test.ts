import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CLI } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { NPM_ENV } from "../support/node-env.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const SENTENCE =
  /^towow-mcp needs Node 22\.12 or newer; this is 20\.\S+\. \/ towow-mcp 需要 Node 22\.12 或更新版本。\n$/;

/** A Node of the system's that is too old, with its npm; the tests themselves run on a newer one. */
const OLD = ["/usr/bin", "/usr/local/bin"].find((folder) => {
  if (!existsSync(join(folder, "node")) || !existsSync(join(folder, "npm"))) return false;
  return /^v20\./.test(execFileSync(join(folder, "node"), ["--version"], { encoding: "utf8" }));
});

it("an old Node says at the first start that it is one", async () => {
  const preload = join(await temporaryHome(), "old.cjs");
  writeFileSync(preload, 'Object.defineProperty(process.versions, "node", { value: "20.20.2" });');
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", preload, CLI], { encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringMatching(SENTENCE)]);
});

it.skipIf(OLD === undefined)("there, the README's install says so at once, and installs nothing", async () => {
  const home = await temporaryHome();
  const [name = ""] = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", home], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, ...NPM_ENV },
  })
    .trim()
    .split("\n");
  const env = { HOME: home, TMPDIR: home, PATH: `${OLD}:/usr/bin:/bin`, npm_config_prefix: join(home, "global") };
  const install = (...more: string[]) =>
    spawnSync("npm", ["install", "-g", ...more, join(home, name)], { env, cwd: home, encoding: "utf8" });
  const strict = install("--engine-strict");
  expect(strict.status).not.toBe(0);
  expect(strict.stderr).toMatch(/EBADENGINE[\s\S]*Required: .*>=22\.12/);
  expect(existsSync(join(home, "global/bin/towow-mcp"))).toBe(false);
  // Without it npm warns only, and the first start says it in a sentence.
  expect(install().stderr).toMatch(/EBADENGINE[\s\S]*required: .*>=22\.12/);
  const started = spawnSync(join(home, "global/bin/towow-mcp"), ["setup"], { env, encoding: "utf8" });
  expect([started.status, started.stderr]).toEqual([1, expect.stringMatching(SENTENCE)]);
  expect(readdirSync(home)).not.toContain(".towow");
});
