import type { EventEmitter } from "node:events";
import { Command, type ErrorOptions } from "commander";
import type { Io } from "../../app/io.ts";
import { paintWith } from "../../terminal/paint.ts";
import { paragraph } from "../../terminal/paragraph.ts";
import type { HelpTexts } from "../../text/help.ts";
import { printError, printPainted } from "../print.ts";
import { examplesText, helpFormat } from "./format.ts";
import { type Known, problemOf, UNKNOWN_COMMAND } from "./problem.ts";

/** The width of help in the docs. A narrower terminal gets its own width. */
const MAX_WIDTH = 80;

/** The work of a command, which receives everything by name. */
type Work = (given: never) => unknown;

/** A command whose help and refusals are in the person's language. Its subcommands are of the same kind. */
export class LocalisedCommand extends Command {
  readonly #io: Io;
  readonly #root: URL;
  readonly #texts: HelpTexts;

  /** `root` is the package's folder. */
  constructor(name: string, io: Io, root: URL, texts: HelpTexts) {
    super(name);
    this.#io = io;
    this.#root = root;
    this.#texts = texts;
    this.exitOverride(); // The library must not end the process, because the whole program decides how it ends.
    this.helpOption("-h, --help", texts.help);
    this.showSuggestionAfterError(false); // The library's own suggestions are in English, and few.
    this.configureHelp({ helpWidth: helpWidth(io), ...helpFormat(texts) });
    this.configureOutput({
      writeOut: (text) => void printPainted(text, io.stdout),
      writeErr: (text) => void printError(io, text),
    });
  }

  /** Replaces commander's own reading of option variables, to use the environment that was passed in. */
  _parseOptionsEnv(): void {
    for (const option of this.options) {
      const value = option.envVar === undefined ? undefined : this.#io.env[option.envVar];
      if (value === undefined) continue;
      const source = this.getOptionValueSource(option.attributeName());
      if (source === undefined || source === "default")
        (this as unknown as EventEmitter).emit(`optionEnv:${option.name()}`, value);
    }
  }

  override createCommand(name: string): LocalisedCommand {
    return new LocalisedCommand(name, this.#io, this.#root, this.#texts);
  }

  /**
   * Sets what the command does. The code is loaded when the command runs. The code gets the process, the package's folder, its
   * arguments by name, and its options together with those of its parent commands, so that `--json` is accepted anywhere.
   */
  runs<Given = object>(load: (given: Given) => Promise<Work>): this {
    return this.action(async () => {
      const names = this.registeredArguments.map((argument) => argument.name());
      const args = Object.fromEntries(names.map((name, at) => [name, this.processedArgs[at]]));
      const given = { ...this.optsWithGlobals(), ...args, io: this.#io, root: this.#root };
      const work = await load(given as Given);
      await work(given as never);
    });
  }

  /** Adds lines to type, each with its purpose, below the options. */
  examples(examples: readonly (readonly string[])[]): this {
    return this.addHelpText("after", examplesText(examples, this.#texts, helpWidth(this.#io)));
  }

  /** Adds a paragraph below everything else. */
  note(text: string): this {
    return this.addHelpText(
      "after",
      `\n${paragraph(text, { width: helpWidth(this.#io), paint: paintWith(false) }).join("\n")}`,
    );
  }

  /** Says what is wrong with the command line, and ends the program with status 1. */
  override error(message: string, options: ErrorOptions = {}): never {
    const { prefix, seeHelp } = this.#texts.problem;
    const isSub = options.code === "commander.excessArguments" && this.commands.length > 0;
    const [said, code] = isSub ? [`unknown command '${this.args[0]}'`, UNKNOWN_COMMAND] : [message, options.code ?? ""];
    const problem = problemOf(said, code, this.#texts, knownBy(this));
    const text = `${prefix}${problem}\n${seeHelp(lineOf(this))}`;
    return super.error(text, options);
  }
}

/** Returns the command as it is typed, such as `towow-mcp config get`. */
const lineOf = (command: Command): string =>
  command.parent === null ? command.name() : `${lineOf(command.parent)} ${command.name()}`;

/** Lists the subcommands of a command, and its options with those of its parent commands. */
function knownBy(command: Command): Known {
  const help = command.createHelp();
  const lines: Command[] = [];
  for (let one: Command | null = command; one !== null; one = one.parent) lines.push(one);
  return {
    commands: help.visibleCommands(command).map((one) => one.name()),
    options: lines.flatMap((one) => help.visibleOptions(one)).flatMap(({ long }) => long ?? []),
  };
}

const helpWidth = ({ stdout }: Io): number =>
  stdout.isTTY ? Math.min(MAX_WIDTH, stdout.columns || MAX_WIDTH) : MAX_WIDTH;
