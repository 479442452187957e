// The commands that look at and change what this machine keeps.
import { type Command, Option } from "commander";
import type { Declare } from "./declare-settings.ts";

export const declareHome: Declare = (program, context) => {
  const { io, root, texts } = context;
  const { whoami, token, forget, setting, json } = texts;
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
