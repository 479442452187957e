import type { Command, Option } from "commander";

export interface Candidate {
  value: string;
  /** A few words, shown by shells that can. */
  meaning: string;
}

/** What an argument of this name takes after the word before it; undefined where that is not known. */
export type ValuesOf = (argument: string, before: string | undefined) => Promise<readonly Candidate[]> | undefined;

/** What may stand where the last of these words begins. Runs nothing. */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  valuesOf: ValuesOf,
): Promise<Candidate[]> {
  const { before, current, prefix } = lastOf(words);
  const { command, operands, open } = walk(program, before);
  const found = open
    ? choices(open.argChoices ?? [])
    : current.startsWith("-")
      ? optionsOf(command)
      : [
          ...(operands === 0 ? subcommandsOf(command) : []),
          ...(await argumentsOf(command, operands, (argument) => valuesOf(argument, before.at(-1)))),
        ];
  return found
    .filter(({ value }) => value.startsWith(current))
    .map(({ value, meaning }) => ({ value: prefix + value, meaning }));
}

/** The word that is being typed and those before it. An option's value may follow `=`, which bash makes a word. */
function lastOf(words: readonly string[]): { before: readonly string[]; current: string; prefix: string } {
  const last = words.at(-1) ?? "";
  const joined = /^(--[^=]+)=(.*)$/s.exec(last);
  if (joined) return { before: [...words.slice(0, -1), joined[1]!], current: joined[2]!, prefix: `${joined[1]}=` };
  if (last === "=") return { before: words.slice(0, -1), current: "", prefix: "" };
  return { before: words.slice(0, -1).filter((word) => word !== "="), current: last, prefix: "" };
}

/** Which command the words name, how many arguments of its own it has, and the option that still wants its value. */
function walk(program: Command, words: readonly string[]): { command: Command; operands: number; open?: Option } {
  let command = program;
  let operands = 0;
  let open: Option | undefined;
  for (const word of words) {
    if (open !== undefined) {
      open = undefined;
      continue;
    }
    const option = word.startsWith("-")
      ? command.options.find(({ long, short }) => word === long || word === short)
      : undefined;
    if (option !== undefined) open = option.required ? option : undefined;
    else if (!word.startsWith("-")) {
      const sub = operands === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (sub === undefined) operands += 1;
      else command = sub;
    }
  }
  return { command, operands, ...(open && { open }) };
}

const choices = (values: readonly string[]): Candidate[] => values.map((value) => ({ value, meaning: "" }));

const subcommandsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), meaning: one.description() }));

const optionsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ value: long, meaning: description }] : []));

async function argumentsOf(
  command: Command,
  operands: number,
  valuesOf: (argument: string) => ReturnType<ValuesOf>,
): Promise<readonly Candidate[]> {
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands] ?? (last?.variadic ? last : undefined);
  if (argument === undefined) return [];
  if (command.name() === "help" && command.parent) return subcommandsOf(command.parent);
  return argument.argChoices ? choices(argument.argChoices) : ((await valuesOf(argument.name())) ?? []);
}
