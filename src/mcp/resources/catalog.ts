import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Settings } from "../../home/settings.ts";
import { textsOf } from "../../text/index.ts";
import { promptTexts } from "../../text/prompts.ts";
import type { Tool } from "../../tools/define.ts";
import { TOOLS } from "../../tools/index.ts";
import { isListed, TOOLSETS, type ToolsetName } from "../../tools/policy.ts";
import { referenceSchema } from "../../tools/references/resolve.ts";
import { PROMPTS } from "../prompts.ts";
import { listing } from "../tool-entry.ts";
import type { Contents, Reading } from "./reading.ts";

/**
 * These resources describe the tools, schemas and prompts, for agents that look before they load every schema (agent
 * layer §7).
 */

const own = (value: unknown): Contents => ({ text: JSON.stringify(value, null, 1), holdsOthersText: false });
const one = <T>(found: T | undefined, { uri, texts }: Reading): T => {
  if (found === undefined) throw new ResourceNotFoundError(uri, texts.unknown);
  return found;
};
const toolUri = (name: string) => `towow://tools/${name}`;

/** Returns the first sentence of a tool's description, which says what the tool does. */
const first = ({ description }: Tool): string => /^.+?[.](?=\s|$)/s.exec(description)?.[0] ?? description;

const entry = (tool: Tool) => ({
  name: tool.name,
  does: first(tool),
  modes: tool.modes,
  ...(tool.toolsets && { toolsets: tool.toolsets }),
  read_only: tool.read_only,
  sensitive_sink: tool.sensitive_sink,
  uri: toolUri(tool.name),
});

export const readTools = async ({ settings, deps }: Reading): Promise<Contents> =>
  own({
    tools: TOOLS.map((tool) => ({ ...entry(tool), listed: isListed(tool, deps.mode(), settings) })),
  });

export async function readTool(reading: Reading): Promise<Contents> {
  const { ids, settings, deps } = reading;
  const tool = one(
    TOOLS.find(({ name }) => name === ids.name),
    reading,
  );
  const { tools: titles } = textsOf(settings.lang);
  const { idempotent, destructive, open_world, asks } = tool;
  return own({
    ...listing(tool, titles, settings),
    ...entry(tool),
    flags: { idempotent, destructive, open_world },
    asks: typeof asks === "string" ? asks : "before it is sent",
    listed: isListed(tool, deps.mode(), settings),
  });
}

export async function readToolset(reading: Reading): Promise<Contents> {
  const toolset = one(
    TOOLSETS.find((name) => name === reading.ids.toolset),
    reading,
  );
  const chosen: Pick<Settings, "toolset" | "allow_tools" | "exclude_tools"> = {
    toolset: toolset as ToolsetName,
    allow_tools: undefined,
    exclude_tools: undefined,
  };
  return own({ toolset, tools: TOOLS.filter((tool) => isListed(tool, "normal", chosen)).map(entry) });
}

/** Returns every schema by its name, such as `towow_status.input`, `towow_status.output` and `reference`. */
const schemas = (): Map<string, unknown> =>
  new Map<string, unknown>([
    ...TOOLS.flatMap(({ name, inputSchema, outputSchema }): [string, unknown][] => [
      [`${name}.input`, inputSchema],
      [`${name}.output`, outputSchema],
    ]),
    ["reference", referenceSchema(TOOLS)],
  ]);

export const readSchemas = async (): Promise<Contents> =>
  own({ schemas: [...schemas().keys()].map((name) => ({ name, uri: `towow://schemas/${name}` })) });

export const readSchema = async (reading: Reading): Promise<Contents> =>
  own(one(schemas().get(reading.ids.name ?? ""), reading));

export async function readPrompts({ settings }: Reading): Promise<Contents> {
  const texts = promptTexts(settings.lang);
  return own({
    prompts: PROMPTS.map(({ name, arguments: taken }) => ({
      name,
      title: texts.titles[name],
      description: texts.descriptions[name],
      arguments: taken,
      uri: `towow://prompts/${name}`,
    })),
  });
}

/** Reads a prompt's text without any arguments. */
export async function readPrompt(reading: Reading): Promise<Contents> {
  const { settings, deps, ids } = reading;
  const prompt = one(
    PROMPTS.find(({ name }) => name === ids.name),
    reading,
  );
  return { text: await deps.prompt(prompt.name, settings.lang), holdsOthersText: false };
}

/** The names that completion offers. */
export const catalogNames = {
  tools: (): string[] => TOOLS.map(({ name }) => name),
  schemas: (): string[] => [...schemas().keys()],
  prompts: (): string[] => PROMPTS.map(({ name }) => name),
  toolsets: (): string[] => [...TOOLSETS],
};
