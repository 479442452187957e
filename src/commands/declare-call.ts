// `towow-mcp call`: tools from a command line or a script.
import type { Command } from "commander";
import { langOption, modeOption, profileOption } from "./declare-settings.ts";

interface Options {
  json?: boolean;
  stdin?: boolean;
  mode?: string;
  backendUrl?: string;
  lang?: string;
  profile?: string;
}

export function declareCall(program: Command, { env, root }: { env: NodeJS.ProcessEnv; root: URL }): void {
  program
    .command("call")
    .argument("[tool]", "the tool's name")
    .argument("[arguments...]", "one JSON object, - for one on stdin, or key=value …")
    .description("call a tool as an MCP client does; never decides on a demand (see confirm)")
    .option("--json", "print the whole result as JSON")
    .option("--stdin", "read requests {id?, tool, params?}, one a line; answer likewise")
    .addOption(modeOption("the tool set"))
    .option("--backend-url <url>", "where the backend is")
    .addOption(langOption())
    .addOption(profileOption())
    .action(async (tool: string | undefined, given: string[], options: Options, command: Command) => {
      const { json, stdin, backendUrl: backend_url, ...rest } = options;
      const flags = { ...rest, backend_url };
      if (stdin ? tool !== undefined : tool === undefined)
        command.error("error: name one tool, or read requests with --stdin");
      const { call, callFromStdin } = await import("./call.ts");
      if (tool === undefined) await callFromStdin({ env, root, flags });
      else await call(tool, given, { env, root, flags, json });
    });
}
