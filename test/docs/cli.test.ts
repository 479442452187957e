import { readFile } from "node:fs/promises";
import stringWidth from "string-width";
import { expect, it } from "vitest";
import { commandsOf, lineOf } from "../../docs/generate.ts";
import { createProgram } from "../../src/commands/program.ts";
import { CLI, cli, SCRIPT } from "../support/cli.ts";
import { atTerminal } from "../support/terminal.ts";

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

it.each(["towow-mcp", ...lines])("%s --help in Chinese: every sentence of ours, and no column more", async (line) => {
  const { stdout } = await cli([...line.split(" ").slice(1), "--help"], { env: { TOWOW_LANG: "zh" } });
  expect(stdout).toContain(`用法： ${line}`);
  for (const one of stdout.split("\n")) {
    expect(stringWidth(one), one).toBeLessThanOrEqual(80);
    const [, meaning] = /^ {2}\S.*? {2,}(\S.*)$/.exec(one) ?? [];
    if (meaning !== undefined) expect(meaning).toMatch(/\p{Script=Han}/u);
  }
});

it.skipIf(SCRIPT === undefined)(
  "--help in a terminal of 40 columns: nothing but what is to be copied is wider",
  async () => {
    const env = { PATH: process.env.PATH ?? "", NO_COLOR: "1" };
    for (const lang of ["en", "zh"])
      for (const line of ["towow-mcp", ...lines]) {
        const args = [CLI, ...line.split(" ").slice(1), "--help", "--lang", lang];
        const it = atTerminal(args, env, "stty cols 40");
        await it.exit;
        for (const one of it.screen().replaceAll("\r", "").split("\n"))
          if (!/^ {2}(towow-mcp|-)|^Usage|^用法/.test(one))
            expect(stringWidth(one), `${line}: ${one}`).toBeLessThanOrEqual(40);
      }
  },
  120_000,
);

it.each([
  [["confrim"], "there is no command confrim. Did you mean confirm?", "没有 confrim 这个命令。是不是想输入 confirm？"],
  [
    ["watch", "--jsno"],
    "there is no option --jsno. Did you mean --json?",
    "没有 --jsno 这个选项。是不是想输入 --json？",
  ],
  [["config", "gte"], "there is no command gte.", "没有 gte 这个命令。"],
  [["config", "get"], "<key> is missing.", "缺少 <key>。"],
  [["watch", "--lang"], "--lang <lang> needs a value.", "--lang <lang> 需要一个值。"],
  [["watch", "--lang", "fr"], '"fr" is not a value of --lang <lang>. It takes zh, en.', '不接受 "fr"。可选：zh、en。'],
  [["completion", "tcsh"], '"tcsh" is not a value of <shell>. It takes bash, zsh, fish.', '<shell> 不接受 "tcsh"。'],
  [["mock", "--step", "x"], "It takes a whole number of at least 0.", "应为不小于 0 的整数。"],
  [["whoami", "a", "b"], "unexpected arguments: a, b.", "多余的参数：a, b。"],
  [["watch", "--json", "--plain"], "--json and --plain cannot be used together.", "--json 和 --plain 不能同时使用。"],
  [["it's\nnot"], "there is no command it's\nnot.", "没有 it's\nnot 这个命令。"],
])("%j: what is wrong, in either language, and where the help is", async (args, en, zh) => {
  for (const [lang, says, help] of [
    ["en", en, "See: towow-mcp"],
    ["zh", zh, "查看帮助：towow-mcp"],
  ] as const) {
    const { status, stdout, stderr } = await cli(args, { env: { TOWOW_LANG: lang } });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(says);
    expect(stderr).toContain(help);
  }
});

it("docs/cli.md has every command and every option of it", async () => {
  const page = await readFile(new URL("docs/cli.md", ROOT), "utf8");
  for (const command of commandsOf(program)) {
    const [, section = ""] = page.split(`### \`${lineOf(command)}\`\n`);
    const own = section.split("\n### ")[0];
    for (const { flags, hidden } of command.options)
      if (!hidden) expect(own, lineOf(command)).toContain(`\`${flags}\``);
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
