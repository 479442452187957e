import type { HelpTexts } from "../../text/help.ts";
import { closest } from "./suggest.ts";

type Problems = HelpTexts["problem"];

/** What a command could have been given: names of subcommands, and options as they are typed in full. */
export interface Known {
  commands: readonly string[];
  options: readonly string[];
}

export const UNKNOWN_COMMAND = "commander.unknownCommand";
const UNKNOWN_OPTION = "commander.unknownOption";

/** What commander says in English, taken apart: it does not hand over the names. */
const READERS: Readonly<Record<string, readonly (readonly [RegExp, (parts: string[], texts: Problems) => string])[]>> =
  {
    [UNKNOWN_COMMAND]: [[/unknown command '([\s\S]*)'$/, ([name], t) => t.unknownCommand(name!)]],
    [UNKNOWN_OPTION]: [[/unknown option '([\s\S]*)'$/, ([flag], t) => t.unknownOption(nameOf(flag!))]],
    "commander.missingArgument": [[/argument '(.*)'$/, ([name], t) => t.missingArgument(name!)]],
    "commander.optionMissingArgument": [[/option '(.*)' argument/, ([flags], t) => t.optionMissingArgument(flags!)]],
    "commander.excessArguments": [
      [
        /Expected (\d+) arguments? but got \d+: ([\s\S]*)\.$/,
        ([expected, values], t) => t.excessArguments(values!.split(", ").slice(Number(expected)).join(", ")),
      ],
    ],
    "commander.conflictingOption": [
      [/option '(.*)' cannot.* '(.*?)'$/, ([one, other], t) => t.conflicting(one!, other!)],
    ],
    "commander.invalidArgument": [
      [
        /option '(.*?)' value '([\s\S]*)' from env '(.*?)'/,
        ([, value, name], t) => t.invalidEnvironment(value!, name!),
      ],
      [/option '(.*?)' argument '([\s\S]*)' is invalid/, ([flags, value], t) => t.invalidOption(value!, flags!)],
      [/value '([\s\S]*)' is invalid for argument '(.*?)'/, ([value, name], t) => t.invalidArgument(value!, name!)],
    ],
  };

/**
 * A sentence on what is wrong with a command line, with what was perhaps meant, and what an option takes. A message of
 * our own, which has no code of commander's, stays as it is.
 */
export function problemOf(message: string, code: string, { problem: texts }: HelpTexts, known: Known): string {
  for (const [pattern, sentence] of READERS[code] ?? []) {
    const parts = pattern.exec(message)?.slice(1);
    if (parts !== undefined)
      return sentence(parts, texts) + takenOf(message, texts) + meantOf(parts[0]!, code, known, texts);
  }
  return message;
}

function takenOf(message: string, texts: Problems): string {
  const choices = / Allowed choices are (.*)\.$/.exec(message)?.[1];
  if (choices !== undefined) return texts.allowed(choices);
  return / is invalid(?: for argument '.*?')?\. ([\s\S]*)$/.exec(message)?.[1] ?? "";
}

/** An option without the value that is attached to it. */
const nameOf = (flag: string): string => flag.split("=")[0]!;

function meantOf(word: string, code: string, { commands, options }: Known, texts: Problems): string {
  const names =
    code === UNKNOWN_COMMAND
      ? closest(word, commands)
      : code === UNKNOWN_OPTION
        ? closest(nameOf(word).replace(/^-*/, "--"), options)
        : [];
  return names.length === 0 ? "" : texts.suggestion(names.join(texts.or));
}
