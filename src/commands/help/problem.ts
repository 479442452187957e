import { byCodeUnits } from "../../by-code-units.ts";
import type { HelpTexts } from "../../text/help.ts";

type Problems = HelpTexts["problem"];

/** What a command accepts: the names of subcommands, and options as they are typed in full. */
export interface Known {
  commands: readonly string[];
  options: readonly string[];
}

export const UNKNOWN_COMMAND = "commander.unknownCommand";
const UNKNOWN_OPTION = "commander.unknownOption";

/** Patterns that extract the names from commander's English messages, because it does not pass them separately. */
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
    ],
  };

/**
 * Explains what is wrong with a command line, what was perhaps meant, and what an option accepts. Our own messages lack
 * commander's codes and stay as they are.
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
  return / is invalid\. ([\s\S]*)$/.exec(message)?.[1] ?? "";
}

/** Returns an option without its attached value. */
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

/** The most slips in a word that still counts as misspelt. */
const MAX_EDITS = 2;
/** More than this share of a word must be right, so that a suggestion for a short word is no coincidence. */
const LEAST_ALIKE = 0.4;

/** Returns the names nearest to a misspelt name within two edits, in alphabetical order. */
function closest(word: string, names: readonly string[]): string[] {
  const near = [...new Set(names)]
    .map((name) => ({ name, edits: editsBetween(word, name) }))
    .filter(({ name, edits }) => edits <= MAX_EDITS && 1 - edits / Math.max(word.length, name.length) > LEAST_ALIKE);
  const least = Math.min(...near.map(({ edits }) => edits));
  return near
    .filter(({ edits }) => edits === least)
    .map(({ name }) => name)
    .sort(byCodeUnits);
}

/**
 * Counts the edits between two words: a letter too many, missing or wrong, or two letters swapped. Returns Infinity if
 * the lengths differ by more than {@link MAX_EDITS}.
 */
function editsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_EDITS) return Number.POSITIVE_INFINITY;
  // rows[i][j] is the number of edits from the first i letters of `one` to the first j letters of `other`.
  const rows = Array.from({ length: one.length + 1 }, (_, i) => [i]);
  for (let j = 1; j <= other.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= one.length; i++)
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      rows[i]![j] = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
  return rows[one.length]![other.length]!;
}
