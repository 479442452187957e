import { join } from "node:path";
import { expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/result/tool-error.ts";
import { textsForPerson, textsOf } from "../../src/text/index.ts";
import { TOOLS } from "../../src/tools/index.ts";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";

/** What stands in the place of a name, as a program that runs would fill it in. */
const SAMPLES: Record<string, string> = {
  "{setup}": "towow-mcp setup",
  "{sandbox}": "towow-mcp network sandbox",
  "{mock}": "towow-mcp mock",
  "{listener}": "towow-mcp mock",
  "{client}": "cursor",
  "{command}": "towow-mcp setup cursor --force",
  "{key}": "lang",
  "{tool}": "towow_status",
  "{args}": "call towow_status",
};
const CODES = Object.keys(ERROR_CODES) as ErrorCode[];
const filled = (text: string) => text.replaceAll(/\{\w+\}/g, (name) => SAMPLES[name] ?? name);
/** What may follow a command's name in a sentence; any other word is the sentence's own. */
const ARGUMENT = /^(?:--?[a-z-]+|\d+|sandbox|set|unset|lang|mode|developer|allow_http|true|cursor|user|towow_\w+)$/;

/** The commands in a sentence, each as it is typed. */
function commandsIn(text: string): string[] {
  return filled(text)
    .split(/(?=towow-mcp )/)
    .filter((part) => part.startsWith("towow-mcp "))
    .map((part) => {
      const [name, command = "", ...words] = part.split(/[^\w-]*\s+[^\w-]*|[^\w\s-]+/);
      const end = words.findIndex((word) => !ARGUMENT.test(word));
      return [name, command, ...(end < 0 ? words : words.slice(0, end))].filter((word) => word !== "").join(" ");
    })
    .filter((line) => line.includes(" "));
}

/** As a model is told, and as a person is. */
const READERS = { model: textsOf, person: textsForPerson };
const LANGS = ["en", "zh"] as const;
const named = (code: ErrorCode, textsFor: (lang: "zh" | "en") => ReturnType<typeof textsOf>) =>
  LANGS.map((lang) => commandsIn(textsFor(lang).errors[code].recovery));

it("thirty errors and more name a command or a tool in both languages, and the same one, to a model and to a person", () => {
  const withStep = (textsFor: typeof textsOf, hasTools: boolean) =>
    CODES.filter((code) => {
      const [en, zh] = named(code, textsFor);
      const tools = ERROR_CODES[code].next.filter((tool) => TOOLS.some(({ name }) => name === tool));
      return (en!.length > 0 && zh!.length > 0) || (hasTools && tools.length > 0);
    });
  expect(withStep(textsOf, true).length).toBeGreaterThanOrEqual(60);
  // A person has no tools to call: commands alone count.
  expect(withStep(textsForPerson, false).length).toBeGreaterThanOrEqual(45);
  for (const textsFor of Object.values(READERS))
    for (const code of CODES) {
      const [en, zh] = named(code, textsFor).map((found) => [...found].sort(byCodeUnits));
      expect([code, zh]).toEqual([code, en]);
    }
});

it("every command that an error names is one that the program takes", async () => {
  const home = await temporaryHome();
  const env = { HOME: home, TOWOW_HOME: join(home, "towow"), TOWOW_BACKEND_URL: "http://127.0.0.1:59999" };
  const readers = Object.values(READERS);
  const commands = [...new Set(CODES.flatMap((code) => readers.flatMap((textsFor) => named(code, textsFor).flat())))];
  expect(commands.length).toBeGreaterThan(10);
  for (const line of commands) {
    const args = line.split(" ").slice(1);
    // One goes on until it is stopped, one wants a tool: their own help shows that they are there.
    const isAlone = args[0] === "mock" || line === "towow-mcp call";
    const { stderr } = await cli(isAlone ? [...args, "--help"] : args, { env });
    expect([line, stderr]).toEqual([line, expect.not.stringMatching(/^error: |UnhandledPromise|^ {4}at /m)]);
  }
});
