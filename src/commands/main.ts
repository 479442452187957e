import { readFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { TowowError } from "../errors.ts";

/** Reads the command line and loads the one command that it names. `root` is the package's folder. */
export async function main(argv: string[], root: URL): Promise<void> {
  const env = process.env;
  if (argv.length === 0) {
    const { stdio } = await import("./stdio.ts");
    return stdio({ env, root });
  }
  const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { version: string };
  const program = new Command("towow-mcp")
    .description("The way into the Towow (通爻) negotiation network for MCP clients.")
    .version(version)
    .configureHelp({ helpWidth: 80 });

  program
    .command("stdio", { isDefault: true })
    .description("serve one MCP client on stdin and stdout (the default)")
    .addOption(new Option("--mode <mode>", "pin the tool set").choices(["normal", "developer"]))
    .option("--backend-url <url>", "where the backend is")
    .addOption(new Option("--lang <lang>", "language of what people read").choices(["zh", "en"]))
    .addOption(
      new Option("--profile <profile>", "what tools may do").choices(["live", "read_only", "dry_run", "offline"]),
    )
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
    .addOption(new Option("--mode <mode>", "handed on to the server").choices(["normal", "developer"]))
    .addOption(new Option("--lang <lang>", "handed on to the server").choices(["zh", "en"]))
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
    .command("logs")
    .description("show the last lines of the log: tools, results and times, never contents")
    .option("-n, --lines <count>", "how many", "30")
    .option("--json", "the lines as they are")
    .action(async (options: { lines: string; json?: boolean }) => {
      const { logs } = await import("./logs.ts");
      await logs({ env, ...options });
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
    .addOption(new Option("--lang <lang>", "language").choices(["zh", "en"]))
    .action(async (options) => {
      const { demo } = await import("./demo.ts");
      await demo({ env, root, ...options });
    });

  program
    .command("config")
    .description("show every setting with its value and where it comes from")
    .option("--json", "as JSON")
    .action(async (options) => {
      const { config } = await import("./config.ts");
      config({ env, ...options });
    });

  const [first = ""] = argv;
  if (!first.startsWith("-") && !["help", ...program.commands.map((command) => command.name())].includes(first))
    program.error(`unknown command "${first}"; see towow-mcp --help`);
  await program.parseAsync(argv, { from: "user" }).catch(fail);
}

/** Tells a failure in the person's language, as far as it is known here. */
async function fail(error: unknown): Promise<void> {
  if (!(error instanceof TowowError)) throw error;
  const { tellFailure } = await import("./failure.ts");
  const { LC_ALL, LC_MESSAGES, LANG, TOWOW_LANG } = process.env;
  tellFailure(error, (TOWOW_LANG || LC_ALL || LC_MESSAGES || LANG || "").startsWith("zh") ? "zh" : "en");
}
