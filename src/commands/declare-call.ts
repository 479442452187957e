// `towow-mcp call` offers tools to a command line or a script.
import type { Io } from "../app/io.ts";
import { type Declare, langOption, modeOption, profileOption, type Settings } from "./declare-settings.ts";

interface Given extends Settings {
  io: Io;
  root: URL;
  tool?: string;
  arguments: string[];
  json?: boolean;
  stdin?: boolean;
}

export const declareCall: Declare = (program, texts) => {
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
    .hook("preAction", (command) => {
      if (command.opts().stdin && command.args.length > 0) command.error(words.toolOrStdin);
    })
    .runs(async () => {
      const { call, callFromStdin, listTools } = await import("./call.ts");
      return ({ tool, arguments: given, stdin, json, io, root, backendUrl: backend_url, ...rest }: Given) => {
        const options = { io, root, json, flags: { ...rest, backend_url } };
        if (stdin) return callFromStdin(options);
        return tool === undefined ? listTools(options) : call(tool, given, options);
      };
    });
};
