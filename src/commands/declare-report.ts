// `towow-mcp report` makes a file about negotiations, for people.
import { Option } from "commander";
import { FORMATS } from "../report/formats.ts";
import { type Declare, langOption } from "./declare-settings.ts";

const add = (text: string, given: readonly string[]): string[] => [...given, text];

export const declareReport: Declare = (program, texts) => {
  const { report, setting } = texts;
  program
    .command("report")
    .argument("[ids...]", report.ids)
    .description(report.about)
    .addOption(new Option("--format <format>", report.format).choices([...FORMATS]))
    .option("-o, --out <file>", report.out)
    .option("--open", report.open)
    .option("--contacts", report.contacts)
    .option("--need <text>", report.need, add, [])
    .addOption(langOption(setting.lang))
    .examples(report.examples)
    .runs(async () => (await import("./report.ts")).report);
};
