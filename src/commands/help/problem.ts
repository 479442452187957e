import type { HelpTexts } from "../../text/help.ts";

type Problems = HelpTexts["problem"];

/** What commander says in English, taken apart: it hands over neither the names nor its suggestion. */
const READERS: Readonly<Record<string, readonly (readonly [RegExp, (parts: string[], texts: Problems) => string])[]>> =
  {
    "commander.unknownCommand": [[/unknown command '([\s\S]*?)'(?:\n|$)/, ([name], t) => t.unknownCommand(name!)]],
    "commander.unknownOption": [[/unknown option '([\s\S]*?)'(?:\n|$)/, ([flag], t) => t.unknownOption(flag!)]],
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
export function problemOf(message: string, code: string, { problem: texts }: HelpTexts): string {
  for (const [pattern, sentence] of READERS[code] ?? []) {
    const found = pattern.exec(message);
    if (found !== null) return sentence(found.slice(1), texts) + takenOf(message, texts) + meantOf(message, texts);
  }
  return message;
}

function takenOf(message: string, texts: Problems): string {
  const choices = / Allowed choices are (.*)\.$/.exec(message)?.[1];
  if (choices !== undefined) return texts.allowed(choices);
  return / is invalid(?: for argument '.*?')?\. ([\s\S]*)$/.exec(message)?.[1] ?? "";
}

function meantOf(message: string, texts: Problems): string {
  const names = /\(Did you mean (?:one of )?(.*)\?\)$/.exec(message)?.[1];
  return names === undefined ? "" : texts.suggestion(names.split(", ").join(texts.or));
}
