import { localeOf } from "../../app/home-folder.ts";
import { createLiveSettings } from "../../home/live-settings.ts";
import { table } from "../../terminal/table.ts";
import { cliTexts } from "../../text/cli.ts";
import { textsOf } from "../../text/index.ts";
import { checkToolNames, TOOLS } from "../../tools/index.ts";
import { isListed } from "../../tools/policy.ts";
import type { CallOptions } from "../call.ts";
import { openHome } from "../home.ts";
import { printJson } from "../print.ts";
import { Printer, terminalOf } from "../printer.ts";

/** `towow-mcp call` alone: the tools that it can call, as the settings have them. @throws what a bad setting throws */
export function listTools({ io, flags, json }: Omit<CallOptions, "root">): void {
  const live = createLiveSettings(openHome(io).store, { flags, env: io.env, locale: localeOf(io.env) });
  const settings = live.current();
  const refused = live.problem();
  if (refused !== undefined) throw refused;
  checkToolNames(settings);
  const { mode, lang } = settings;
  const titles = textsOf(lang).tools;
  const tools = TOOLS.filter((tool) => isListed(tool, mode, settings)).map(({ name }) => ({
    name,
    title: titles[name as keyof typeof titles],
  }));
  if (json) return void printJson(io, { mode, tools }, 2);
  const printer = new Printer(terminalOf(io.stdout, io.env));
  const rows = tools.map(({ name, title }) => [{ text: name, style: "bold" as const }, { text: title }]);
  const columns = [{ title: "" }, { title: "", tooWide: "wrap" as const }];
  const width = io.stdout.isTTY ? printer.width : Number.POSITIVE_INFINITY;
  for (const line of table(columns, rows, { width, paint: printer.style, titles: false })) printer.line(line);
  printer.gap();
  const texts = cliTexts(lang).call.list;
  printer.text(texts.example, { style: "dim" });
  if (mode === "normal" && settings.toolset === undefined) printer.text(texts.developer, { style: "dim" });
}
