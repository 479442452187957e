import type { Command, Option } from "commander";
import { ownIo } from "../../src/app/io.ts";
import { createProgram } from "../../src/commands/program.ts";
import { code, plainTable, ROOT } from "./markdown.ts";

/** Every command that a person types, subcommands after their own. */
export function commandsOf(command: Command): Command[] {
  const visible = command.createHelp().visibleCommands(command);
  return command.commands.filter((one) => visible.includes(one)).flatMap((one) => [one, ...commandsOf(one)]);
}

/** As it is typed: `towow-mcp config get`. */
export const lineOf = (command: Command): string =>
  command.parent === null ? command.name() : `${lineOf(command.parent)} ${command.name()}`;

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`.replaceAll("***", code("***"));

const program = (): Command => createProgram({ io: ownIo, root: ROOT, version: "0" });

const shown = (options: readonly Option[]): Option[] => options.filter(({ hidden }) => !hidden);
const isPreset = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

const optionRows = ({ options }: Command): string[][] =>
  shown(options).map(({ flags, description, defaultValue, argChoices }) => {
    const choices = argChoices === undefined ? "" : ` (${argChoices.join(", ")})`;
    return [code(flags), `${description}${choices}${isPreset(defaultValue) ? `; default ${defaultValue}` : ""}`];
  });

export function commandsPart(): string {
  const sections = commandsOf(program()).map((command) => {
    const rows = [
      ...command.registeredArguments.map((argument) => {
        const name = argument.variadic ? `${argument.name()}...` : argument.name();
        return [code(argument.required ? `<${name}>` : `[${name}]`), argument.description];
      }),
      ...optionRows(command),
    ];
    return [
      `### ${code(lineOf(command))}`,
      sentence(command.description()),
      ...(rows.length === 0 ? [] : [plainTable(["Argument or option", "Meaning"], rows)]),
    ].join("\n\n");
  });
  return sections.join("\n\n");
}

/** The options of `serve`, with the environment variables that stand for them. */
export function serveTable(): string {
  const serve = program().commands.find((command) => command.name() === "serve") as Command;
  const rows = optionRows(serve).map((row, i) => {
    const { envVar } = shown(serve.options)[i] as { envVar?: string };
    return [...row, envVar === undefined ? "–" : code(envVar)];
  });
  return plainTable(["Option", "Meaning", "Environment"], rows);
}
