import { readFile } from "node:fs/promises";
import stringWidth from "string-width";
import { expect, it } from "vitest";
import { commandsOf, lineOf } from "../../docs/generate/commands.ts";
import { ownIo } from "../../src/app/io.ts";
import { createProgram } from "../../src/commands/program.ts";
import { CLI, cli, SCRIPT } from "../support/cli.ts";
import { command } from "../support/in-process.ts";
import { atTerminal } from "../support/terminal.ts";

const ROOT = new URL("../../", import.meta.url);
const program = createProgram({ io: ownIo, root: ROOT, version: "0" });
const lines = commandsOf(program).map(lineOf);

it("knows every command", () => {
  const names = ["stdio", "confirm", "mock", "demo", "doctor", "whoami", "forget", "config", "call"];
  for (const name of names) expect(lines).toContain(`towow-mcp ${name}`);
});

const all = ["towow-mcp", ...lines].map((line) => ({ line, args: [...line.split(" ").slice(1), "--help"] }));

it("the help of every command fits 80 columns, and a wide terminal changes nothing", async () => {
  for (const { line, args } of all) {
    const { status, stdout, stderr } = await command(args);
    expect([status, stderr], line).toEqual([0, ""]);
    expect(stdout).toContain(`Usage: ${line}`);
    for (const one of stdout.split("\n")) expect(stringWidth(one), one).toBeLessThanOrEqual(80);
    expect((await command(args, { NO_COLOR: "1" }, { columns: 300 })).stdout).toBe(stdout);
  }
});

it("the help of every command in Chinese: every sentence of ours, and no column more", async () => {
  for (const { line, args } of all) {
    const { stdout } = await command(args, { TOWOW_LANG: "zh" });
    expect(stdout).toContain(`用法：${line}`);
    expect(stdout).not.toMatch(/\[(options|command)\]|： |\p{Script=Han}[^\n]* [(]/u);
    for (const one of stdout.split("\n")) {
      expect(stringWidth(one), one).toBeLessThanOrEqual(80);
      const [, meaning] = /^ {2}\S.*? {2,}(\S.*)$/.exec(one) ?? [];
      if (meaning !== undefined) expect(meaning).toMatch(/\p{Script=Han}/u);
    }
  }
});

/** Nothing but what is to be copied is wider. */
function expectNarrow(help: string, columns: number, line: string): void {
  const prose = help.split("\n").filter((one) => !/^ {2}(towow-mcp|-)/.test(one));
  expect(prose.length).toBeGreaterThan(3);
  for (const one of prose) expect(stringWidth(one), `${line}: ${one}`).toBeLessThanOrEqual(columns);
}

it("the help of every command at 40 columns: nothing but what is to be copied is wider", async () => {
  for (const lang of ["en", "zh"])
    for (const { line, args } of all)
      expectNarrow((await command([...args, "--lang", lang], { NO_COLOR: "1" }, { columns: 40 })).stdout, 40, line);
});

it.skipIf(SCRIPT === undefined)("the program itself asks its terminal how wide it is", async () => {
  const at = atTerminal([CLI, "--help"], { PATH: process.env.PATH ?? "", NO_COLOR: "1" }, "stty cols 40");
  await at.exit;
  expectNarrow(at.screen().replaceAll("\r", ""), 40, "towow-mcp");
});

it("the program itself ends as it does here", async () => {
  for (const [args, env] of [
    [["--help"], {}],
    [["watch", "--jsno"], { TOWOW_LANG: "zh" }],
  ] as const)
    expect(await cli(args, { env })).toEqual(await command(args, env));
});

it.each([
  [["confrim"], "there is no command confrim. Did you mean confirm?", "没有 confrim 这个命令。是不是想输入 confirm？"],
  [
    ["watch", "--jsno"],
    "there is no option --jsno. Did you mean --json?",
    "没有 --jsno 这个选项。是不是想输入 --json？",
  ],
  [
    ["watch", "--lnag=zh"],
    "there is no option --lnag. Did you mean --lang?",
    "没有 --lnag 这个选项。是不是想输入 --lang？",
  ],
  [["watch", "-json"], "there is no option -json. Did you mean --json?", "是不是想输入 --json？"],
  [["config", "gte"], "there is no command gte. Did you mean get?", "没有 gte 这个命令。是不是想输入 get？"],
  [["help", "nonsense"], "there is no command nonsense.\n", "没有 nonsense 这个命令。\n"],
  [["help", "lsit"], "there is no command lsit. Did you mean list?", "没有 lsit 这个命令。是不是想输入 list？"],
  [["help", "config", "ste"], "there is no command ste. Did you mean set?", "是不是想输入 set？"],
  [["config", "get"], "<key> is missing.", "缺少 <key>。"],
  [["watch", "--lang"], "--lang <lang> needs a value.", "--lang <lang> 需要一个值。"],
  [["watch", "--lang", "fr"], '"fr" is not a value of --lang <lang>. It takes zh, en.', "不接受“fr”。可选：zh、en。"],
  [["mock", "--step", "x"], "It takes a whole number of at least 0.", "应为不小于 0 的整数。"],
  [["whoami", "a", "b"], "unexpected arguments: a, b.", "多余的参数：a、b。"],
  [["config", "set", "lang", "zh", "a", "b"], "unexpected arguments: a, b.", "多余的参数：a、b。"],
  [["watch", "--json", "--plain"], "--json and --plain cannot be used together.", "--json 和 --plain 不能同时使用。"],
  [["it's\nnot"], "there is no command it's\nnot.", "没有 it's\nnot 这个命令。"],
])("%j: what is wrong, in either language, and where the help is", async (args, en, zh) => {
  for (const [lang, says, help] of [
    ["en", en, "See: towow-mcp"],
    ["zh", zh, "查看帮助：towow-mcp"],
  ] as const) {
    const { status, stdout, stderr } = await command(args, { TOWOW_LANG: lang });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(says);
    expect(stderr).toContain(help);
  }
});

it("two slips in an option or a command get a suggestion, with a value attached to it and without", async () => {
  const slips = (name: string): string[] => {
    const at = Math.floor(name.length / 2);
    const swapped = name.slice(0, at - 1) + name[at] + name[at - 1] + name.slice(at + 1);
    return [swapped, `x${swapped}`, name.slice(0, at) + name.slice(at + 1), `${name}x`];
  };
  const taken = commandsOf(program).filter((one) => ["config", "watch", "serve"].includes(one.name()));
  for (const one of [program, ...taken]) {
    const args = lineOf(one).split(" ").slice(1);
    const help = one.createHelp();
    const commands = help.visibleCommands(one).map((sub) => sub.name());
    const options = help.visibleOptions(one).flatMap(({ long }) => long ?? []);
    for (const name of commands.filter((it) => it.length > 3))
      for (const slip of slips(name).filter((it) => !commands.includes(it))) {
        const [first] = (await command([...args, slip])).stderr.split("\n");
        expect(first).toMatch(`there is no command ${slip}. Did you mean `);
        expect(first).toContain(name);
      }
    for (const name of options.filter((it) => it.length > 5))
      for (const slip of slips(name.slice(2)).filter((it) => !options.includes(`--${it}`)))
        for (const value of ["", "=x"]) {
          const [first] = (await command([...args, `--${slip}${value}`])).stderr.split("\n");
          expect(first).toMatch(`there is no option --${slip}. Did you mean `);
        }
  }
});

it("docs/cli.md has every command and every option of it", async () => {
  const page = await readFile(new URL("docs/cli.md", ROOT), "utf8");
  for (const one of commandsOf(program)) {
    const [, section = ""] = page.split(`### \`${lineOf(one)}\`\n`);
    const own = section.split("\n### ")[0];
    for (const { flags, hidden } of one.options) if (!hidden) expect(own, lineOf(one)).toContain(`\`${flags}\``);
    for (const argument of one.registeredArguments) expect(own, lineOf(one)).toContain(argument.name());
  }
});

it("an unknown command and an unknown option are told in a line, with status 1", async () => {
  for (const args of [["nonsense"], ["config", "nonsense"], ["doctor", "--nonsense"], ["whoami", "extra"]]) {
    const { status, stdout, stderr } = await command(args);
    expect([status, stdout, stderr.trim().split("\n").length <= 2], args.join(" ")).toEqual([1, "", true]);
    expect(stderr).toMatch(/^error: /);
  }
});
