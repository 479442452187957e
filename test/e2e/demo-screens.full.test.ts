import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CLI, cli } from "../support/cli.ts";
import { removeHome } from "../support/home.ts";
import { expectScreens, LANGS } from "../support/screens.ts";

/** Demo paces itself by the real clock: what it says meanwhile depends on when it looks, and is not printed. */

const MEANWHILE = /^ {2,}\+\d+\.\d s {2}\S.*\n(?: {6,}\S.*\n)*/gm;

it.each(LANGS)("what the demo says from joining to the plan, and nothing is left: %s", async (lang) => {
  const folder = mkdtempSync(join(tmpdir(), "towow-demo-test-"));
  onTestFinished(() => removeHome(folder));
  const env = { HOME: folder, TMPDIR: folder, COLUMNS: "100" };
  const { status, stdout, stderr } = await cli(["demo", "--yes", "--lang", lang], { spawned: true, env });
  expect([status, stderr, readdirSync(folder)]).toEqual([0, "", []]);
  expect(stdout).toMatch(MEANWHILE);
  const shown = stdout
    .replaceAll(MEANWHILE, "")
    .replaceAll(process.execPath, "node")
    .replaceAll(CLI, "dist/cli.js")
    .replace(/^ *(?=node dist)/m, "  ") // a command too long for the line, as in a deep folder, begins at its edge
    .replace(/127\.0\.0\.1:\d+/, "127.0.0.1:8080")
    .replace(/\d\d:\d\d:\d\d/, "12:04:47")
    .replace(/\d+\.\d(?= s\b| 秒)/, "10.5");
  await expectScreens("demo", lang, { "from joining to the plan": shown });
});
