// Writes the pages and tables that follow from the code: `node docs/generate.ts`. With `--check` it writes nothing and
// fails when one of them is stale.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Command, Option } from "commander";
import { SEEN_CLIENTS } from "../src/ask/client-surfaces.ts";
import { createProgram } from "../src/commands/program.ts";
import { CONFIG_KEYS, declarationOf, environmentNames } from "../src/home/schema.ts";
import { HTTP_ERRORS } from "../src/mcp/http/http-error.ts";
import { Metrics } from "../src/mcp/http/metrics.ts";
import { PROMPTS } from "../src/mcp/prompts.ts";
import { RESOURCES } from "../src/mcp/resource-table.ts";
import { FROM_AGENT, RELAY_ERRORS, TO_AGENT } from "../src/relay/protocol.ts";
import { ERROR_CODES, type ErrorCode } from "../src/result/tool-error.ts";
import { ROOM_STAGES } from "../src/room/room-state.ts";
import { ROOM_TOOLS, type RoomToolName, STAGE_TOOLS } from "../src/room/tools.ts";
import { errorsEn } from "../src/text/errors.en.ts";
import { errorsZh } from "../src/text/errors.zh.ts";
import { textsOf } from "../src/text/index.ts";
import { promptTexts } from "../src/text/prompts.ts";
import { resourceTexts } from "../src/text/resources.ts";
import type { JsonSchema, Tool } from "../src/tools/define.ts";
import { TOOLS } from "../src/tools/index.ts";
import { costChart, reliabilityChart } from "./charts.ts";
import { words } from "./generate-words.ts";

type Lang = "en" | "zh";

const ROOT = new URL("../", import.meta.url);
const TOOLS_INTRODUCTION = `Try any of them without an AI, on your own machine: \`towow-mcp network sandbox\`, then
\`towow-mcp call towow_list_scenes --mode developer\`. In a terminal you get paragraphs and tables, in a pipe the whole
result as JSON ([cli.md](cli.md#tools-without-an-ai)). \`towow-mcp mock\` is a backend to test a program against.

Every result has the same envelope: \`status\`, \`summary\`, \`data\`, \`warnings\`, \`error\`, \`meta\`; the error codes are on
[errors.md](errors.md). Descriptions are written for models. The line below each tool's name gives its title in both
languages, where it is listed (a mode, or a toolset that is chosen with \`--toolset\`), and its flags: \`read_only\` writes
nothing, \`idempotent\` changes nothing more when it is called again, \`destructive\` may end or replace something for good,
\`open_world\` reaches the backend, \`sensitive_sink\` sends the person's words to others.`;
const ERRORS_INTRODUCTION = `Every failure of a tool carries one of these codes, \`tool.<scope>.<category>.<reason>\`. They are stable: a code keeps
its meaning. Each has a section with what happened and what to do, in English and in Chinese; a word in braces stands for a
value. *Leads to* names the tools to go on with; a result's \`next_steps\` has only those that the current mode lists. At a
terminal, in the room and at an endpoint some sentences differ, to name what can be done there. By symptom:
[troubleshooting.md](troubleshooting.md).

工具的每次失败都带有其中一个错误码，含义不会改变。每个错误码一节：先说发生了什么，再说怎么办，均为中英文；花括号里的词会换成实际的值。
按现象查找：[troubleshooting.zh.md](troubleshooting.zh.md)。`;
const NOTE = "<!-- Written by docs/generate.ts: change the code, not this page. -->";
const READMES = [
  ["README.md", "en"],
  ["README.zh.md", "zh"],
] as const;
const RETRY = { no: "no", yes: "yes", if_idempotent: "only tools that read, or that may be repeated" } as const;

const titles: Readonly<Record<string, string>> = textsOf("en").tools;
const titlesZh: Readonly<Record<string, string>> = textsOf("zh").tools;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll(/\s+/g, " ");
const code = (text: string): string => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** The test files in which a code stands; those of `test/agent` make their errors by hand and do not count. */
function testsOf(): Map<string, string[]> {
  const names = readdirSync(new URL("test/", ROOT), { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => name.endsWith(".test.ts") && !name.startsWith("agent/"));
  const found = new Map<string, string[]>();
  for (const file of files) {
    const text = readFileSync(new URL(`test/${file}`, ROOT), "utf8");
    for (const [it] of text.matchAll(/tool(?:\.[a-z_]+){3}/g))
      if (!found.get(it)?.includes(file)) found.set(it, [...(found.get(it) ?? []), file]);
  }
  return found;
}

/** What each client that was driven for real shows of a question. */
function surfacesTable(): string {
  const head = ["client", "seen", "rows of text", "line breaks", "own text", "fields", "pages"];
  const rows = SEEN_CLIENTS.map(({ title, version, date, form, fieldOrder, pages, needsElicitationId }) => [
    `${title} ${version}`,
    date,
    `${form.messageRows} of ${form.messageColumns} columns`,
    form.keepsLineBreaks ? "kept" : "none: each line is cut to one row",
    `${form.fieldRows} of ${form.fieldColumns} columns`,
    fieldOrder === "by_name" ? "sorted by name" : "as given",
    pages === "declined_unseen" ? "declined unseen" : needsElicitationId ? "opened, with an `elicitationId`" : "opened",
  ]);
  return table(head, rows);
}

function errorsPage(): string {
  const tests = testsOf();
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  const sections = codes.map((name) => {
    const { retry, next } = ERROR_CODES[name];
    const [en, zh] = [errorsEn[name], errorsZh[name]];
    const files = tests.get(name) ?? [];
    return [
      `## ${code(name)}`,
      "",
      `- ${en.message}`,
      `- ${zh.message}`,
      `- What to do: ${en.recovery}`,
      `- 怎么办：${zh.recovery}`,
      ...(en.recoveryOfWrite === undefined ? [] : [`- After a call that may have written: ${en.recoveryOfWrite}`]),
      ...(zh.recoveryOfWrite === undefined ? [] : [`- 调用可能已写入时：${zh.recoveryOfWrite}`]),
      `- Trying again: ${RETRY[retry]}`,
      ...(next.length > 0 ? [`- Leads to: ${next.map(code).join(", ")}`] : []),
      `- Tested in: ${files.map((file) => code(`test/${file}`)).join(", ") || "nothing"}`,
    ].join("\n");
  });
  return `${["# Error codes", NOTE, ERRORS_INTRODUCTION, ...sections].join("\n\n")}\n`;
}

/** What a tool may do, and whether the person is asked, from its flags (agent layer §1). */
function effectOf(tool: Tool, lang: Lang): string {
  const effect = words[lang].effect;
  if (tool.read_only) return effect.reads;
  if (tool.asks === "pause" && tool.destructive) return effect.asks;
  if (tool.sensitive_sink) return effect.sends;
  if (tool.destructive) return effect.final;
  return tool.open_world ? effect.writes : effect.session;
}

const modesOf = ({ modes, toolsets }: Tool, lang: Lang = "en"): string =>
  toolsets !== undefined
    ? words[lang].modes.toolset(toolsets.join(", "))
    : modes.includes("normal")
      ? words[lang].modes.both
      : words[lang].modes.developer;
const firstSentence = (text: string): string => text.split(/(?<=\.)\s/)[0] ?? text;

/** A description is written for models and in English; a Chinese reader gets the title. */
const toolsTable = (lang: Lang = "en"): string =>
  table(
    words[lang].tools,
    TOOLS.map((tool) => [
      code(tool.name),
      modesOf(tool, lang),
      lang === "en" ? firstSentence(tool.description) : (titlesZh[tool.name] ?? ""),
      effectOf(tool, lang),
    ]),
  );

interface Field extends Record<string, unknown> {
  description?: string;
  enum?: unknown[];
  default?: unknown;
  type?: string;
  properties?: Record<string, Field>;
  items?: Field;
  required?: string[];
}

const typeOf = ({ type = "any", items }: Field): string =>
  type === "array" && items?.type !== undefined ? `array of ${items.type}s` : String(type);

function rowsOf(schema: Field, prefix = ""): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const type = field.enum === undefined ? typeOf(field) : field.enum.map((one) => String(one)).join(" / ");
    const need = schema.required?.includes(key) ? "required" : "";
    const preset = field.default === undefined ? need : `default ${JSON.stringify(field.default)}`;
    return [[code(`${prefix}${key}`), type, preset, field.description ?? ""], ...rowsOf(field, `${prefix}${key}.`)];
  });
}

function inputsOf({ inputSchema }: { inputSchema: JsonSchema }): string {
  const rows = rowsOf(inputSchema as Field);
  return rows.length === 0
    ? "It takes no arguments."
    : table(["Argument", "Type", "Required, default", "Meaning"], rows);
}

const resourcesTable = (): string =>
  table(
    ["URI", "What it holds", "Type"],
    RESOURCES.map(({ uri, words, mimeType }) => [code(uri), resourceTexts("en")[words].description, code(mimeType)]),
  );

const promptsTable = (): string =>
  table(
    ["Prompt", "What it starts", "Arguments"],
    PROMPTS.map(({ name, arguments: taken }) => [
      code(name),
      promptTexts("en").descriptions[name],
      taken.map(code).join(", "),
    ]),
  );

function toolsPage(): string {
  const sections = TOOLS.map((tool) => {
    const flags = (["read_only", "idempotent", "destructive", "open_world", "sensitive_sink"] as const).filter(
      (f) => tool[f],
    );
    return [
      `## ${code(tool.name)}`,
      `${titles[tool.name]} · ${titlesZh[tool.name]} · ${modesOf(tool)} · ${flags.map(code).join(", ") || "no flag"}`,
      tool.description,
      inputsOf(tool),
    ].join("\n\n");
  });
  return `${["# Tools", NOTE, TOOLS_INTRODUCTION, toolsTable(), "## Resources", resourcesTable(), "## Prompts", promptsTable(), ...sections].join("\n\n")}\n`;
}

function configTable(lang: Lang): string {
  const { locale, meaning, config } = words[lang];
  const rows = CONFIG_KEYS.map((key) => {
    const { default: preset, expected, [lang]: text } = declarationOf(key);
    const [environment] = environmentNames(key);
    const byDefault = typeof preset === "function" ? locale : preset === undefined ? "–" : code(String(preset));
    return [code(key), environment === undefined ? "–" : code(environment), byDefault, meaning(text, expected)];
  });
  return table(config, rows);
}

/** Every command that a person types, subcommands after their own. */
export function commandsOf(command: Command): Command[] {
  const visible = command.createHelp().visibleCommands(command);
  return command.commands.filter((one) => visible.includes(one)).flatMap((one) => [one, ...commandsOf(one)]);
}

/** As it is typed: `towow-mcp config get`. */
export const lineOf = (command: Command): string =>
  command.parent === null ? command.name() : `${lineOf(command.parent)} ${command.name()}`;

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`.replaceAll("***", code("***"));

/** A table whose first cells are code, in which `<` stands for itself. */
function plainTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map(([name = "", ...cells]) =>
    ["", name.replaceAll("|", "\\|"), ...cells.map(cell), ""].join(" | ").trim(),
  );
  return [`| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`, ...lines].join("\n");
}

const program = (): Command => createProgram({ env: {}, root: ROOT, version: "0" });

const shown = (options: readonly Option[]): Option[] => options.filter(({ hidden }) => !hidden);
const isPreset = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

const optionRows = ({ options }: Command): string[][] =>
  shown(options).map(({ flags, description, defaultValue, argChoices }) => {
    const choices = argChoices === undefined ? "" : ` (${argChoices.join(", ")})`;
    return [code(flags), `${description}${choices}${isPreset(defaultValue) ? `; default ${defaultValue}` : ""}`];
  });

function commandsPart(): string {
  const sections = commandsOf(program()).map((command) => {
    const rows = [
      ...command.registeredArguments.map((argument) => {
        const name = argument.variadic ? `${argument.name()}...` : argument.name();
        return [code(argument.required ? `<${name}>` : `[${name}]`), argument.description];
      }),
      ...optionRows(command),
    ];
    return [
      `### ${code(lineOf(command))}`,
      sentence(command.description()),
      ...(rows.length === 0 ? [] : [plainTable(["Argument or option", "Meaning"], rows)]),
    ].join("\n\n");
  });
  return sections.join("\n\n");
}

/** The options of `serve`, with the environment variables that stand for them. */
function serveTable(): string {
  const serve = program().commands.find((command) => command.name() === "serve") as Command;
  const rows = optionRows(serve).map((row, i) => {
    const { envVar } = shown(serve.options)[i] as { envVar?: string };
    return [...row, envVar === undefined ? "–" : code(envVar)];
  });
  return plainTable(["Option", "Meaning", "Environment"], rows);
}

const refusalsTable = (): string =>
  table(
    ["Status", "`data.code`", "JSON-RPC code", "The message"],
    Object.entries(HTTP_ERRORS).map(([name, [status, rpcCode, message]]) => [
      String(status),
      code(`http.${name}`),
      String(rpcCode),
      message,
    ]),
  );

function metricsTable(): string {
  const none = () => 0;
  const metrics = new Metrics({ sessions: none, users: none, calls_running: none, pollers: none });
  return table(
    ["Name", "Labels", "What it counts"],
    metrics.own().map(({ name, labels, help }) => [code(name), labels.map(code).join(", ") || "–", help]),
  );
}

/** What an outside agent may call, and in which stages. */
function roomToolsTable(): string {
  const stagesOf = (name: RoomToolName) =>
    ROOM_STAGES.filter((stage) => (STAGE_TOOLS[stage] as Partial<Record<RoomToolName, string>>)[name] === "anyone");
  const rows = (Object.keys(ROOM_TOOLS) as RoomToolName[])
    .filter((name) => stagesOf(name).length > 0)
    .map((name) => {
      const params = Object.keys(ROOM_TOOLS[name].params.shape).map(code).join(", ");
      const stages = stagesOf(name);
      return [
        code(name),
        params || "–",
        stages.length === ROOM_STAGES.length ? "every stage" : stages.join(", "),
        ROOM_TOOLS[name].description,
      ];
    });
  return table(["Tool", "Parameters", "In", "What it does"], rows);
}

function messagesTable(): string {
  const rows = [
    ...Object.entries(FROM_AGENT).map(([type, payload]) => ["agent", type, payload] as const),
    ...Object.entries(TO_AGENT).map(([type, payload]) => ["host", type, payload] as const),
  ].map(([from, type, { shape }]) => {
    const fields = Object.entries(shape).map(
      ([name, field]) => `${code(name)}${field.safeParse(undefined).success ? "?" : ""}`,
    );
    return [code(type), from, fields.join(", ") || "–"];
  });
  return table(["Type", "From", "Payload"], rows);
}

const relayErrorsTable = (): string =>
  table(
    ["Code", "When"],
    Object.entries(RELAY_ERRORS).map(([name, when]) => [code(name), when]),
  );

/** A text with the part between two markers replaced. Throws when the markers are not there once each. */
export function between(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const parts = text.split(start);
  const rest = parts[1]?.split(end);
  if (parts.length !== 2 || rest?.length !== 2) throw new Error(`the page needs ${start} and ${end} once each`);
  return `${parts[0]}${start}\n${content}\n${end}${rest[1]}`;
}

/** Every generated file as it should be. A README only where it is there: its other parts are written by hand. */
export function generated(): Map<string, string> {
  const files = new Map([
    ["docs/errors.md", errorsPage()],
    ["docs/tools.md", toolsPage()],
    ["docs/images/cost.svg", costChart()],
    ["docs/images/reliability.svg", reliabilityChart()],
  ]);
  const cli = readFileSync(new URL("docs/cli.md", ROOT), "utf8");
  const clients = readFileSync(new URL("docs/clients.md", ROOT), "utf8");
  files.set("docs/clients.md", between(clients, "surfaces", surfacesTable()));
  files.set("docs/cli.md", between(cli, "commands", commandsPart()));
  const http = readFileSync(new URL("docs/http.md", ROOT), "utf8");
  const parts = { options: serveTable(), refusals: refusalsTable(), metrics: metricsTable() };
  files.set(
    "docs/http.md",
    Object.entries(parts).reduce((page, [name, part]) => between(page, name, part), http),
  );
  const agents = readFileSync(new URL("docs/agents.md", ROOT), "utf8");
  const tables = { "room-tools": roomToolsTable(), messages: messagesTable(), "relay-errors": relayErrorsTable() };
  files.set(
    "docs/agents.md",
    Object.entries(tables).reduce((page, [name, part]) => between(page, name, part), agents),
  );
  for (const [file, lang] of READMES) {
    if (!existsSync(new URL(file, ROOT))) continue;
    const text = readFileSync(new URL(file, ROOT), "utf8");
    files.set(file, between(between(text, "tools", toolsTable(lang)), "config", configTable(lang)));
  }
  return files;
}

/** The generated files that are not as they should be. */
export const stale = (): string[] =>
  [...generated()]
    .filter(([file, text]) => !existsSync(new URL(file, ROOT)) || readFileSync(new URL(file, ROOT), "utf8") !== text)
    .map(([file]) => file);

if (import.meta.main) {
  const outdated = stale();
  if (process.argv.includes("--check")) {
    for (const file of outdated) process.stderr.write(`${file} is stale: run node docs/generate.ts\n`);
    process.exitCode = outdated.length > 0 ? 1 : 0;
  } else for (const [file, text] of generated()) if (outdated.includes(file)) writeFileSync(new URL(file, ROOT), text);
}
