import { readFile } from "node:fs/promises";
import type { Streams } from "../app/handshake.ts";
import { TowowError } from "../errors.ts";

/** Of the whole program and of no command. */
const GLOBAL = ["-h", "--help", "-V", "--version"];

/**
 * Loads the one command that the command line names. A start without arguments is a server, and loads no parser of command
 * lines. `root` is the package's folder; `streams` are the server's, where its client has been answered before.
 */
export async function main(argv: string[], root: URL, streams?: Streams): Promise<void> {
  const { env } = process;
  if (argv.length === 0) return withoutCommand(env, root, streams).catch((error) => fail(error, env));
  const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { version: string };
  const [{ homeLanguage }, { createProgram }, { helpTexts }, { stopWithoutReader }] = await Promise.all([
    import("./home.ts"),
    import("./program.ts"),
    import("../text/help.ts"),
    import("./pipe.ts"),
  ]);
  const lang = languageIn(argv) ?? homeLanguage(env);
  stopWithoutReader(lang);
  const program = createProgram({ env, root, version, texts: helpTexts(lang) });
  const [first = ""] = argv;
  // Options alone are the server's: so clients start it.
  const line = first.startsWith("-") && !GLOBAL.includes(first) ? ["stdio", ...argv] : argv;
  await program.parseAsync(line, { from: "user" }).catch((error) => fail(error, env, lang));
}

/** A client that starts the program gets a server; a person who does gets an answer. */
async function withoutCommand(env: NodeJS.ProcessEnv, root: URL, streams?: Streams): Promise<void> {
  if (process.stdin.isTTY && streams === undefined) {
    const { overview } = await import("./overview.ts");
    return overview({ env, root });
  }
  const { stdio } = await import("./stdio.ts");
  return stdio({ env, root }, streams);
}

/** Help in the language that is asked for on the same line. */
function languageIn(argv: readonly string[]): "zh" | "en" | undefined {
  const at = argv.indexOf("--lang");
  const given = at < 0 ? argv.find((arg) => arg.startsWith("--lang="))?.slice("--lang=".length) : argv[at + 1];
  return given === "zh" || given === "en" ? given : undefined;
}

/** Tells a failure in the person's language, as far as it is known here. A defect may have left anything running. */
async function fail(error: unknown, env: NodeJS.ProcessEnv, lang?: "zh" | "en"): Promise<void> {
  const [{ tellFailure }, { homeLanguage }] = await Promise.all([import("./failure.ts"), import("./home.ts")]);
  await tellFailure(error, lang ?? homeLanguage(env));
  if (error instanceof TowowError) return;
  (await import("./log-defect.ts")).logDefect(error, env);
  process.exit(1);
}
