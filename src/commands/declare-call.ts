// `towow-mcp call`: tools from a command line or a script.
import { type Command, Option } from "commander";

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
    .addOption(new Option("--mode <mode>", "the tool set").choices(["normal", "developer"]))
    .option("--backend-url <url>", "where the backend is")
    .addOption(new Option("--lang <lang>", "language of what people read").choices(["zh", "en"]))
    .addOption(
      new Option("--profile <profile>", "what tools may do").choices(["live", "read_only", "dry_run", "offline"]),
    )
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
