import { readFile } from "node:fs/promises";
import stringWidth from "string-width";
import { expect, it } from "vitest";
import { commandsOf, lineOf } from "../../docs/generate.ts";
import { createProgram } from "../../src/commands/main.ts";
import { cli } from "../support/cli.ts";

const ROOT = new URL("../../", import.meta.url);
const program = createProgram({ env: {}, root: ROOT, version: "0" });
const lines = commandsOf(program).map(lineOf);

it("knows every command", () => {
  const all = ["stdio", "confirm", "logs", "mock", "demo", "doctor", "whoami", "mode", "forget", "config", "call"];
  for (const name of all) expect(lines).toContain(`towow-mcp ${name}`);
});

it.each(["towow-mcp", ...lines])("%s --help fits 80 columns, and a wide terminal changes nothing", async (line) => {
  const args = line.split(" ").slice(1);
  const { status, stdout, stderr } = await cli([...args, "--help"]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(`Usage: ${line}`);
  for (const one of stdout.split("\n")) expect(stringWidth(one), one).toBeLessThanOrEqual(80);
  expect((await cli([...args, "--help"], { env: { COLUMNS: "300" } })).stdout).toBe(stdout);
});

it("docs/cli.md has every command and every option of it", async () => {
  const page = await readFile(new URL("docs/cli.md", ROOT), "utf8");
  for (const command of commandsOf(program)) {
    const [, section = ""] = page.split(`### \`${lineOf(command)}\`\n`);
    const own = section.split("\n### ")[0];
    for (const { flags } of command.options) expect(own, lineOf(command)).toContain(`\`${flags}\``);
    for (const argument of command.registeredArguments) expect(own, lineOf(command)).toContain(argument.name());
  }
});

it("an unknown command and an unknown option are told in a line, with status 1", async () => {
  for (const args of [["nonsense"], ["config", "nonsense"], ["doctor", "--nonsense"], ["whoami", "extra"]]) {
    const { status, stdout, stderr } = await cli(args);
    expect([status, stdout, stderr.trim().split("\n").length <= 2], args.join(" ")).toEqual([1, "", true]);
    expect(stderr).toMatch(/^error: /);
  }
});
