import { CONFIG_KEYS, declarationOf, environmentNames } from "../../src/home/schema.ts";
import { PROMPTS } from "../../src/mcp/prompts.ts";
import { RESOURCES } from "../../src/mcp/resources/table.ts";
import { textsOf } from "../../src/text/index.ts";
import { promptTexts } from "../../src/text/prompts.ts";
import { resourceTexts } from "../../src/text/resources.ts";
import type { JsonSchema, Tool } from "../../src/tools/define.ts";
import { TOOLS } from "../../src/tools/index.ts";
import { code, NOTE, table } from "./markdown.ts";

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
function effectOf(tool: Tool): string {
  if (tool.read_only) return "reads only";
  if (tool.asks === "pause" && tool.destructive) return "asks the person before anything is broadcast";
  if (tool.sensitive_sink) return "sends the person's words to the network";
  if (tool.destructive) return "writes; cannot be undone";
  return tool.open_world ? "writes" : "changes this session";
}

function modesOf({ modes, toolsets }: Tool): string {
  if (toolsets !== undefined) return `toolset ${toolsets.join(", ")}`;
  return modes.includes("normal") ? "normal, developer" : "developer";
}

const firstSentence = (text: string): string => text.split(/(?<=\.)\s/)[0] ?? text;

const toolsTable = (): string =>
  table(
    ["Tool", "Modes", "What it does", "Effect"],
    TOOLS.map((tool) => [code(tool.name), modesOf(tool), firstSentence(tool.description), effectOf(tool)]),
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

/** Every setting: its key, environment name, default and meaning. */
export function configTable(): string {
  const rows = CONFIG_KEYS.map((key) => {
    const { default: preset, expected, en } = declarationOf(key);
    const [environment] = environmentNames(key);
    const byDefault =
      typeof preset === "function" ? "from the locale" : preset === undefined ? "–" : code(String(preset));
    return [code(key), environment === undefined ? "–" : code(environment), byDefault, `${en} (${expected})`];
  });
  return table(["Key", "Environment", "Default", "Meaning"], rows);
}
