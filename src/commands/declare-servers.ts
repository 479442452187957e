// `towow-mcp stdio`, `serve` and `mock` run until they are stopped.
import { Option } from "commander";
import type { ServeArguments } from "../app/endpoint/options.ts";
import { wholeNumber } from "./arguments.ts";
import { type Declare, langOption, modeOption, profileOption, type Settings } from "./declare-settings.ts";
import type { MockArguments } from "./mock.ts";

export const declareServers: Declare = (program, texts) => {
  const { stdio, serve, mock: words, setting } = texts;
  program
    .command("stdio")
    .description(stdio.about)
    .addOption(modeOption(setting.mode))
    .option("--backend-url <url>", setting.backendUrl)
    .addOption(langOption(setting.lang))
    .addOption(profileOption(setting.profile))
    .addOption(
      new Option("--toolset <set>", stdio.toolset).choices([
        "normal",
        "developer",
        "readonly",
        "docs",
        "reports",
        "all",
      ]),
    )
    .option("--allow-tools <names>", stdio.allowTools)
    .option("--exclude-tools <names>", stdio.excludeTools)
    .runs(async () => {
      const { stdio } = await import("./stdio.ts");
      return ({ io, root, ...options }: Pick<ServeArguments, "io" | "root">) => {
        const flags = Object.entries(options).map(([name, value]) => [
          name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
          value,
        ]);
        return stdio({ io, root, flags: Object.fromEntries(flags) });
      };
    });

  program
    .command("serve")
    .description(serve.about)
    .option("--host <host>", serve.host, "127.0.0.1")
    .option("--port <port>", serve.port, "8765")
    .addOption(new Option("--public-url <url>", serve.publicUrl).env("TOWOW_PUBLIC_URL"))
    .addOption(new Option("--allowed-hosts <names>", serve.allowedHosts).env("TOWOW_ALLOWED_HOSTS"))
    .addOption(new Option("--allowed-origins <urls>", serve.allowedOrigins).env("TOWOW_ALLOWED_ORIGINS"))
    .addOption(new Option("--store <url>", serve.store).env("TOWOW_STORE"))
    .addOption(new Option("--replica <name>", serve.replica).env("TOWOW_REPLICA"))
    .addOption(
      new Option("--metrics <switch>", serve.metrics).choices(["on", "off"]).default("off").env("TOWOW_METRICS"),
    )
    .addOption(new Option("--token-page <switch>", serve.tokenPage).choices(["on", "off"]).env("TOWOW_TOKEN_PAGE"))
    .addOption(new Option("--sign-in <switch>", serve.signIn).choices(["on", "off"]).env("TOWOW_SIGN_IN"))
    .addOption(
      new Option("--client-documents <switch>", serve.clientDocuments)
        .choices(["on", "off"])
        .env("TOWOW_CLIENT_DOCUMENTS"),
    )
    .addOption(new Option("--own-tokens <switch>", serve.ownTokens).choices(["on", "off"]).env("TOWOW_OWN_TOKENS"))
    .option("--session-idle <seconds>", serve.sessionIdle, "1800")
    .option("--max-sessions <count>", serve.maxSessions, "10000")
    .option("--max-users <count>", serve.maxUsers, "10000")
    .option("--max-new-tokens <count>", serve.maxNewTokens, "256")
    .option("--rate <count>", serve.rate, "200")
    .option("--at-once <count>", serve.atOnce, "64")
    .option("--drain <seconds>", serve.drain, "60")
    .option("--receive-timeout <seconds>", serve.receiveTimeout, "30")
    .option("--unread-timeout <seconds>", serve.unreadTimeout, "60")
    .option("--backend-url <url>", setting.backendUrl)
    .addOption(modeOption(setting.mode))
    .addOption(langOption(setting.lang))
    .addOption(profileOption(setting.profile))
    .examples(serve.examples)
    .runs(async () => {
      const { serve } = await import("./serve.ts");
      return ({ backendUrl: backend_url, mode, lang, profile, ...rest }: ServeArguments & Settings) =>
        serve({ ...rest, flags: { backend_url, mode, lang, profile } });
    });

  program
    .command("mock")
    .description(words.about)
    .option("--port <port>", words.port, "8080")
    .option("--legacy-routes", words.legacyRoutes)
    .option("--data <file>", words.data)
    .addOption(new Option("--seed <number>", words.seed).argParser(wholeNumber(0, texts)))
    .addOption(new Option("--step <ms>", words.step).argParser(wholeNumber(0, texts)).default(800))
    .examples(words.examples)
    .runs(async () => {
      const { mock } = await import("./mock.ts");
      return (given: MockArguments) => mock({ ...given, at: words.at });
    });
};
