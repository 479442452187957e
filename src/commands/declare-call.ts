// `towow-mcp call`: tools from a command line or a script.
import type { Command } from "commander";
import { type Declare, langOption, modeOption, profileOption } from "./declare-settings.ts";

interface Options {
  json?: boolean;
  stdin?: boolean;
  mode?: string;
  backendUrl?: string;
  lang?: string;
  profile?: string;
}

export const declareCall: Declare = (program, { io, root, texts }) => {
  const { call: words, setting } = texts;
  program
    .command("call")
    .argument("[tool]", words.tool)
    .argument("[arguments...]", words.arguments)
    .description(words.about)
    .option("--json", words.json)
    .option("--stdin", words.stdin)
    .addOption(modeOption(setting.mode))
    .option("--backend-url <url>", setting.backendUrl)
    .addOption(langOption(setting.lang))
    .addOption(profileOption(setting.profile))
    .examples(words.examples)
    .action(async (tool: string | undefined, given: string[], options: Options, command: Command) => {
      const { json, stdin, backendUrl: backend_url, ...rest } = options;
      const flags = { ...rest, backend_url };
      if (stdin && tool !== undefined) command.error(words.toolOrStdin);
      const { call, callFromStdin, listTools } = await import("./call.ts");
      if (stdin) await callFromStdin({ io, root, flags });
      else if (tool === undefined) listTools({ io, flags, json });
      else await call(tool, given, { io, root, flags, json });
    });
};
