import { readFile } from "node:fs/promises";
import type { Streams } from "../app/handshake.ts";
import type { Io } from "../app/io.ts";
import { TowowError } from "../errors.ts";

/** Options that belong to the whole program and to no command. */
const GLOBAL = ["-h", "--help", "-V", "--version"];

/**
 * Loads the one command that the command line names. A start without arguments is a server, and loads no command-line parser.
 * `root` is the package's folder. `streams` are given if the client's first questions have been answered already, and the
 * server goes on with them.
 */
export async function main(argv: string[], io: Io, root: URL, streams?: Streams): Promise<void> {
  if (argv.length === 0)
    return withoutCommand(io, root, streams).catch(async (error) => {
      await fail(error, io);
      io.exit(1); // A client is already connected, so the process must end.
    });
  const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { version: string };
  const [{ homeLanguage }, { createProgram }, { helpTexts }, { stopWithoutReader }, { CommanderError }] =
    await Promise.all([
      import("./home.ts"),
      import("./program.ts"),
      import("../text/help.ts"),
      import("./pipe.ts"),
      import("commander"),
    ]);
  const lang = languageIn(argv) ?? homeLanguage(io.env);
  stopWithoutReader(io, lang);
  const program = createProgram({ io, root, version, texts: helpTexts(lang) });
  const [first = ""] = argv;
  // Clients start the server with options alone.
  const line = first.startsWith("-") && !GLOBAL.includes(first) ? ["stdio", ...argv] : argv;
  await program.parseAsync(line, { from: "user" }).catch((error) => {
    if (error instanceof CommanderError)
      io.exit(error.exitCode); // The message has been printed.
    else return fail(error, io, lang);
  });
}

/** Runs the program without a command. A client gets a server, and a person gets an overview. */
async function withoutCommand(io: Io, root: URL, streams?: Streams): Promise<void> {
  if (io.stdin.isTTY && streams === undefined) {
    const { overview } = await import("./overview.ts");
    return overview({ io, root });
  }
  const { stdio } = await import("./stdio.ts");
  return stdio({ io, root }, streams);
}

/**
 * Returns the language that the command line names. The language is needed before the options are parsed, because the help is
 * in that language too.
 */
function languageIn(argv: readonly string[]): "zh" | "en" | undefined {
  const at = argv.indexOf("--lang");
  const given = at < 0 ? argv.find((arg) => arg.startsWith("--lang="))?.slice("--lang=".length) : argv[at + 1];
  return given === "zh" || given === "en" ? given : undefined;
}

/**
 * Reports a failure in the person's language, as far as it is known. After a defect the program ends, because something may
 * still be running.
 */
async function fail(error: unknown, io: Io, lang?: "zh" | "en"): Promise<void> {
  if (!(error instanceof TowowError)) return (await import("./crash.ts")).crash(io, error, lang);
  const [{ tellFailure }, { homeLanguage }] = await Promise.all([import("./failure.ts"), import("./home.ts")]);
  await tellFailure(io, error, lang ?? homeLanguage(io.env));
}
