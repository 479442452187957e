// `towow-mcp report`: a file about negotiations, for people.
import { type Command, Option } from "commander";
import { langOption } from "./declare-settings.ts";

const add = (text: string, given: readonly string[]): string[] => [...given, text];

export function declareReport(program: Command, { env, root }: { env: NodeJS.ProcessEnv; root: URL }): void {
  program
    .command("report")
    .argument("[ids...]", "the negotiations; default: the last one")
    .description("one file to read, print and hand on: demand, offers, plan, risks, decisions")
    .addOption(new Option("--format <format>", "what to write").choices(["html", "md", "json", "svg"]).default("html"))
    .option("-o, --out <file>", "where to; - is stdout")
    .option("--open", "open it in the browser")
    .option("--contacts", "show phone numbers, e-mail addresses and identity numbers")
    .option("--need <text>", "what is needed, so that gaps can be seen; can be given again", add, [])
    .addOption(langOption("language"))
    .action(async (ids: string[], options) => {
      const { report } = await import("./report.ts");
      await report({ env, root, ids, ...options });
    });
}
