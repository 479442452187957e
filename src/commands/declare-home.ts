// The commands that look at and change what this machine keeps.
import { Argument, type Command, Option } from "commander";
import { wholeNumber } from "./arguments.ts";
import type { Declare } from "./declare-settings.ts";

export const declareHome: Declare = (program, context) => {
  const { io, root, texts } = context;
  const { whoami, token, mode, forget, logs, completion, setting, json } = texts;
  program
    .command("whoami")
    .description(whoami.about)
    .option("--json", json)
    .examples(whoami.examples)
    .action(async (options: { json?: boolean }) => {
      const { whoami } = await import("./whoami.ts");
      await whoami({ io, ...options });
    });

  program
    .command("token")
    .description(token.about)
    .option("--backend-url <url>", setting.backendUrl)
    .note(token.note)
    .examples(token.examples)
    .action(async (options: { backendUrl?: string }) => {
      const { token } = await import("./token.ts");
      await token({ io, root, ...options });
    });

  program
    .command("mode")
    .argument("[mode]", mode.mode)
    .description(mode.about)
    .option("--json", json)
    .examples(mode.examples)
    .action(async (wanted: string | undefined, options: { json?: boolean }) => {
      const { mode } = await import("./mode.ts");
      await mode({ io, wanted, ...options });
    });

  declareConfig(program, context);

  program
    .command("forget")
    .description(forget.about)
    .option("--history", forget.history)
    .option("--identity", forget.identity)
    .option("--logs", forget.logs)
    .option("--all", forget.all)
    .addOption(
      new Option("--browser <name>", forget.browser).conflicts(["history", "identity", "logs", "all", "force"]),
    )
    .option("--yes", forget.yes)
    .option("--force", forget.force)
    .examples(forget.examples)
    .action(async ({ browser, ...options }) => {
      if (browser !== undefined) {
        const { forgetBrowser } = await import("./forget.ts");
        return forgetBrowser(io, browser);
      }
      const { forget } = await import("./forget.ts");
      await forget({ io, root, ...options });
    });

  program
    .command("logs")
    .description(logs.about)
    .addOption(new Option("-n, --lines <count>", logs.lines).argParser(wholeNumber(1, texts)).default(30))
    .option("--json", logs.json)
    .examples(logs.examples)
    .action(async (options: { lines: number; json?: boolean }) => {
      const { logs } = await import("./logs.ts");
      await logs({ io, ...options });
    });

  program
    .command("completion")
    .addArgument(new Argument("<shell>", completion.shell).choices(["bash", "zsh", "fish"]))
    .description(completion.about)
    .examples(completion.examples)
    .action(async (shell: "bash" | "zsh" | "fish") => {
      const { completion } = await import("./completion.ts");
      completion(io, shell);
    });

  // What the shell's script runs at each Tab.
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .helpOption(false)
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { complete } = await import("./completion.ts");
      await complete(program, words, io);
    });
};

/** `--json` belongs to `config` as well, which takes it wherever it stands. */
const asJson = (command: Command): boolean => command.optsWithGlobals().json === true;

const declareConfig: Declare = (program, { io, texts }) => {
  const { config: words, json } = texts;
  const config = program
    .command("config")
    .description(words.about)
    .helpCommand(false)
    .option("--json", json)
    .examples(words.examples)
    .action(async (options: { json?: boolean }) => {
      const { config } = await import("./config.ts");
      config({ io, ...options });
    });

  config
    .command("list")
    .description(words.list)
    .option("--json", json)
    .action(async (_: unknown, command: Command) => {
      const { config } = await import("./config.ts");
      await config({ io, json: asJson(command) });
    });

  config
    .command("get")
    .argument("<key>", words.key)
    .description(words.get)
    .option("--json", json)
    .action(async (key: string, _: unknown, command: Command) => {
      const { configGet } = await import("./config.ts");
      configGet({ io, key, json: asJson(command) });
    });

  config
    .command("set")
    .argument("<key>", words.key)
    .argument("<value>", words.value)
    .description(words.set)
    .action(async (key: string, value: string) => {
      const { configSet } = await import("./config/write.ts");
      await configSet({ io, key, value });
    });

  config
    .command("unset")
    .argument("<key>", words.key)
    .description(words.unset)
    .action(async (key: string) => {
      const { configUnset } = await import("./config/write.ts");
      await configUnset({ io, key });
    });
};
