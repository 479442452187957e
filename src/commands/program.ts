import type { Command } from "commander";
import type { Io } from "../app/io.ts";
import { type HelpTexts, helpTexts } from "../text/help.ts";
import { declareCall } from "./declare-call.ts";
import { declareHome } from "./declare-home.ts";
import { declareNegotiations } from "./declare-negotiations.ts";
import { declareReport } from "./declare-report.ts";
import { declareServers } from "./declare-servers.ts";
import { declareStart } from "./declare-start.ts";
import { LocalisedCommand } from "./help/localised-command.ts";
import { UNKNOWN_COMMAND } from "./help/problem.ts";

export interface ProgramOptions {
  io: Io;
  root: URL;
  version: string;
  /** The texts of the help, by default in English. */
  texts?: HelpTexts;
}

/** Declares every command with its options, in the groups of the help. */
export function createProgram({ io, root, version, texts = helpTexts("en") }: ProgramOptions): LocalisedCommand {
  const program = new LocalisedCommand("towow-mcp", io, root, texts);
  program.description(texts.about).version(version, "-V, --version", texts.version);
  program.commandsGroup(texts.titles.start);
  declareStart(program, texts);
  program.commandsGroup(texts.titles.negotiations);
  declareNegotiations(program, texts);
  declareReport(program, texts);
  program.commandsGroup(texts.titles.machine);
  declareHome(program, texts);
  program
    .helpCommand(false)
    .command("help")
    .argument("[command...]", texts.helpCommand.command)
    .description(texts.helpCommand.about)
    .runs(
      async () =>
        ({ command }: { command: string[] }) =>
          showHelp(program, command),
    );
  program.commandsGroup(texts.titles.servers);
  declareCall(program, texts);
  declareServers(program, texts);
  const examples = [
    ...texts.setup.examples.slice(0, 1),
    ...texts.watch.examples.slice(0, 1),
    ...texts.list.examples.slice(0, 1),
  ];
  return program.examples(examples).note(texts.more);
}

/**
 * Shows the help of a command, named as it is typed, and ends the program. For an unknown command it prints an error,
 * and the status is 1.
 */
function showHelp(program: Command, names: readonly string[]): void {
  let command = program;
  for (const name of names) {
    const sub = command.commands.find((one) => one.name() === name);
    command = sub ?? command.error(`unknown command '${name}'`, { code: UNKNOWN_COMMAND });
  }
  command.help();
}
