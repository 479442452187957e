import { CONFIG_KEYS, declarationOf, environmentNames } from "../../src/home/schema.ts";
import { PROMPTS } from "../../src/mcp/prompts.ts";
import { RESOURCES } from "../../src/mcp/resources/table.ts";
import { textsOf } from "../../src/text/index.ts";
import { promptTexts } from "../../src/text/prompts.ts";
import { resourceTexts } from "../../src/text/resources.ts";
import type { JsonSchema, Tool } from "../../src/tools/define.ts";
import { TOOLS } from "../../src/tools/index.ts";
import { code, type Lang, NOTE, table } from "./markdown.ts";
import { words } from "./words.ts";

const TOOLS_INTRODUCTION = `Try any of them without an AI, on your own machine: \`towow-mcp network sandbox\`, then
\`towow-mcp call towow_list_scenes --mode developer\`. In a terminal you get paragraphs and tables, in a pipe the whole
result as JSON ([cli.md](cli.md#tools-without-an-ai)). \`towow-mcp mock\` is a backend to test a program against.

Every result has the same envelope: \`status\`, \`summary\`, \`data\`, \`warnings\`, \`error\`, \`meta\`; the error codes are on
[errors.md](errors.md). Descriptions are written for models. The line below each tool's name gives its title in both
languages, where it is listed (a mode, or a toolset that is chosen with \`--toolset\`), and its flags: \`read_only\` writes
nothing, \`idempotent\` changes nothing more when it is called again, \`destructive\` may end or replace something for good,
\`open_world\` reaches the backend, \`sensitive_sink\` sends the person's words to others.`;

const titles: Readonly<Record<string, string>> = textsOf("en").tools;
const titlesZh: Readonly<Record<string, string>> = textsOf("zh").tools;

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
export const toolsTable = (lang: Lang = "en"): string =>
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

export function toolsPage(): string {
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

export function configTable(lang: Lang): string {
  const { locale, meaning, config } = words[lang];
  const rows = CONFIG_KEYS.map((key) => {
    const { default: preset, expected, [lang]: text } = declarationOf(key);
    const [environment] = environmentNames(key);
    const byDefault = typeof preset === "function" ? locale : preset === undefined ? "–" : code(String(preset));
    return [code(key), environment === undefined ? "–" : code(environment), byDefault, meaning(text, expected)];
  });
  return table(config, rows);
}
