import { readFile } from "node:fs/promises";
import { Command, Option } from "commander";
import type { Streams } from "../app/handshake.ts";
import { TowowError } from "../errors.ts";
import { wholeNumber } from "./arguments.ts";
import { declareCall } from "./declare-call.ts";
import { declareHome } from "./declare-home.ts";
import { declareReport } from "./declare-report.ts";
import { langOption, modeOption, profileOption } from "./declare-settings.ts";
import { print, printError } from "./print.ts";

/**
 * Reads the command line and loads the one command that it names. `root` is the package's folder; `streams` are the
 * server's, where its client has been answered before.
 */
export async function main(argv: string[], root: URL, streams?: Streams): Promise<void> {
  const env = process.env;
  if (argv.length === 0) {
    const { stdio } = await import("./stdio.ts");
    return stdio({ env, root }, streams).catch((error) => fail(error, env));
  }
  const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { version: string };
  const program = createProgram({ env, root, version });
  const [first = ""] = argv;
  if (!first.startsWith("-") && !["help", ...program.commands.map((command) => command.name())].includes(first))
    program.error(`error: unknown command "${first}"; see towow-mcp --help`);
  await program.parseAsync(argv, { from: "user" }).catch((error) => fail(error, env));
}

/** Every command with its options; what a command does is loaded when it is run. */
export function createProgram({ env, root, version }: { env: NodeJS.ProcessEnv; root: URL; version: string }): Command {
  const program = new Command("towow-mcp")
    .description("The way into the Towow (通爻) negotiation network for MCP clients.")
    .version(version)
    .configureOutput({ writeOut: (text) => void print(text), writeErr: (text) => void printError(text) })
    .configureHelp({ helpWidth: 80, subcommandTerm: (command) => command.name() });

  program
    .command("stdio", { isDefault: true })
    .description("serve one MCP client on stdin and stdout (the default)")
    .addOption(modeOption("pin the tool set"))
    .option("--backend-url <url>", "where the backend is")
    .addOption(langOption())
    .addOption(profileOption())
    .addOption(
      new Option("--toolset <set>", "narrow or widen the tools").choices(["normal", "developer", "readonly", "all"]),
    )
    .option("--allow-tools <names>", "only these tools, by name")
    .option("--exclude-tools <names>", "not these tools, by name")
    .action(async (options: Record<string, string>) => {
      const { stdio } = await import("./stdio.ts");
      const flags = Object.fromEntries(
        Object.entries(options).map(([name, value]) => [name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), value]),
      );
      await stdio({ env, root, flags });
    });

  program
    .command("setup")
    .argument("[clients...]", "the clients to set up; without one, those that are found")
    .description("put this server into the files of MCP clients, or take it out")
    .addOption(
      new Option("--scope <scope>", "for you or for this project").choices(["user", "project"]).default("user"),
    )
    .option("--remove", "take it out again")
    .option("--print", "print what would be written, and write nothing")
    .option("-y, --yes", "do not ask")
    .option("--force", "replace another entry of the same name")
    .option("--backend-url <url>", "handed on to the server")
    .addOption(modeOption("handed on to the server"))
    .addOption(langOption("handed on to the server"))
    .addHelpText("after", "\nClients: claude-code, claude-desktop, codex, cursor, vscode, gemini, opencode")
    .action(async (clients: string[], options) => {
      const { setup } = await import("./setup.ts");
      await setup({ env, root, clients, ...options });
    });

  program
    .command("confirm")
    .argument("[id]", "the negotiation, when several wait")
    .description("read a formulated text in the terminal and decide on it yourself")
    .action(async (id?: string) => {
      const { confirm } = await import("./confirm.ts");
      await confirm({ env, root, id });
    });

  program
    .command("reviews")
    .argument("[id]", "the negotiation; default: all that wait")
    .description("results that are worth a second look by you, and your answer to each")
    .option("--json", "print them as JSON, and ask nothing")
    .action(async (id: string | undefined, options: { json?: boolean }) => {
      const { reviews } = await import("./reviews.ts");
      await reviews({ env, root, id, ...options });
    });

  program
    .command("watch")
    .argument("[id]", "the negotiation; default: the newest open one, else the last")
    .description("a live view of a negotiation: states, agents, offers, the time to decide, the plan")
    .option("--plain", "one line for each change, as without a terminal")
    .addOption(langOption("language"))
    .action(async (id: string | undefined, options: { plain?: boolean; lang?: "zh" | "en" }) => {
      const { watch } = await import("./watch.ts");
      await watch({ env, root, id, ...options });
    });

  declareReport(program, { env, root });

  program
    .command("open")
    .argument("[id]", "the negotiation to show; without one, the scenes")
    .description("the negotiation room in your browser: join, ask, decide, watch, read the plan")
    .option("--port <port>", "0 takes a free one", "0")
    .option("--no-open", "print the address, and open no browser")
    .option("--backend-url <url>", "where the backend is")
    .addOption(langOption("language"))
    .action(async (id: string | undefined, options) => {
      const { open } = await import("./open.ts");
      await open({ env, root, id, ...options });
    });

  program
    .command("logs")
    .description("show the last lines of the log: tools, results and times, never contents")
    .addOption(new Option("-n, --lines <count>", "how many").argParser(wholeNumber(1)).default(30))
    .option("--json", "the lines as they are")
    .action(async (options: { lines: number; json?: boolean }) => {
      const { logs } = await import("./logs.ts");
      await logs({ env, ...options });
    });

  program
    .command("serve")
    .description("serve many users over HTTP, at /mcp")
    .option("--host <host>", "where to listen", "127.0.0.1")
    .option("--port <port>", "0 takes a free one", "8765")
    .addOption(new Option("--public-url <url>", "the address that clients and people use").env("TOWOW_PUBLIC_URL"))
    .addOption(new Option("--allowed-hosts <names>", "other names it is reached by").env("TOWOW_ALLOWED_HOSTS"))
    .addOption(new Option("--allowed-origins <urls>", "browser pages that may call").env("TOWOW_ALLOWED_ORIGINS"))
    .addOption(new Option("--store <url>", "redis://… when there are several replicas").env("TOWOW_STORE"))
    .addOption(new Option("--replica <name>", "this replica, for the load balancer").env("TOWOW_REPLICA"))
    .addOption(
      new Option("--metrics <switch>", "answer /metrics, to everybody who reaches this port")
        .choices(["on", "off"])
        .default("off")
        .env("TOWOW_METRICS"),
    )
    .option("--session-idle <seconds>", "when an idle session ends", "1800")
    .option("--max-sessions <count>", "sessions of 2025-era clients at once", "10000")
    .option("--max-users <count>", "users that are kept in memory at once", "10000")
    .option("--max-new-tokens <count>", "tokens the backend has not accepted yet, kept at once", "256")
    .option("--rate <count>", "requests of one user in ten seconds", "200")
    .option("--at-once <count>", "calls of one user at once", "64")
    .option("--drain <seconds>", "how long running calls may take at the end", "60")
    .option("--receive-timeout <seconds>", "how long a request may take to arrive", "30")
    .option("--unread-timeout <seconds>", "when a client that reads nothing is let go", "60")
    .option("--backend-url <url>", "where the backend is")
    .addOption(modeOption("pin the tool set"))
    .addOption(langOption())
    .addOption(profileOption())
    .action(async ({ backendUrl, mode, lang, profile, ...options }) => {
      const { serve } = await import("./serve.ts");
      await serve({ env, root, flags: { backend_url: backendUrl, mode, lang, profile }, ...options });
    });

  program
    .command("mock")
    .description("run the mock backend on loopback, for trying things without a backend")
    .option("--port <port>", "0 takes a free one", "8080")
    .option("--legacy-routes", "without the list and token routes, as today's backend")
    .option("--data <file>", "keep the data in a file")
    .option("--seed <number>", "make ids, scores and offers repeatable")
    .option("--step <ms>", "the engine's pause between two states", "800")
    .action(async (options) => {
      const { mock } = await import("./mock.ts");
      await mock(options);
    });

  program
    .command("demo")
    .description("a whole negotiation in a minute, against the mock backend")
    .option("--yes", "confirm without asking")
    .addOption(langOption("language"))
    .action(async (options) => {
      const { demo } = await import("./demo.ts");
      await demo({ env, root, ...options });
    });

  declareHome(program, { env, root });
  declareCall(program, { env, root });
  return program;
}

/** Tells a failure in the person's language, as far as it is known here. */
async function fail(error: unknown, env: NodeJS.ProcessEnv): Promise<void> {
  if (!(error instanceof TowowError)) throw error;
  const [{ tellFailure }, { homeLanguage }] = await Promise.all([import("./failure.ts"), import("./home.ts")]);
  tellFailure(error, homeLanguage(env));
}
