// These commands show and change what this machine keeps.
import { Option } from "commander";
import type { Declare } from "./declare-settings.ts";

export const declareHome: Declare = (program, texts) => {
  const { whoami, token, forget, setting, json } = texts;
  program
    .command("whoami")
    .description(whoami.about)
    .option("--json", json)
    .examples(whoami.examples)
    .runs(async () => (await import("./whoami.ts")).whoami);

  program
    .command("token")
    .description(token.about)
    .option("--backend-url <url>", setting.backendUrl)
    .note(token.note)
    .examples(token.examples)
    .runs(async () => (await import("./token.ts")).token);

  declareConfig(program, texts);

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
    .runs(async ({ browser }: { browser?: string }) => {
      const { forget, forgetBrowser } = await import("./forget.ts");
      return browser === undefined ? forget : forgetBrowser;
    });
};

const declareConfig: Declare = (program, texts) => {
  const { config: words, json } = texts;
  const config = program
    .command("config")
    .description(words.about)
    .helpCommand(false)
    .option("--json", json)
    .examples(words.examples)
    .runs(async () => (await import("./config.ts")).config);

  config
    .command("list")
    .description(words.list)
    .option("--json", json)
    .runs(async () => (await import("./config.ts")).config);

  config
    .command("get")
    .argument("<key>", words.key)
    .description(words.get)
    .option("--json", json)
    .runs(async () => (await import("./config.ts")).configGet);

  config
    .command("set")
    .argument("<key>", words.key)
    .argument("<value>", words.value)
    .description(words.set)
    .runs(async () => (await import("./config/write.ts")).configSet);

  config
    .command("unset")
    .argument("<key>", words.key)
    .description(words.unset)
    .runs(async () => (await import("./config/write.ts")).configUnset);
};
