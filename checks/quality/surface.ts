import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import type { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { bytesOf } from "./program.ts";

/** Everything that clients can list, each with its size and print, and everything that can be read, read. */
export interface Surface {
  capabilities: unknown;
  listed: Record<string, { bytes: number; print: string }>;
}

type AnyClient = Client | LegacyClient;

const entry = (value: unknown) => {
  const text = JSON.stringify(value);
  return { bytes: bytesOf(text), print: createHash("sha256").update(text).digest("hex").slice(0, 16) };
};

/** A person's own, which no two of them have alike. */
const OWN = /^towow:\/\/negotiations\/neg_/;

/** What clients cannot tell apart need not be compared: who sits before the client changes a hint of a tool. */
export async function surfaceOf(client: AnyClient): Promise<Surface> {
  const [{ tools }, { prompts }, { resources }, { resourceTemplates }] = await Promise.all([
    client.listTools(),
    client.listPrompts(),
    client.listResources(),
    client.listResourceTemplates(),
  ]);
  const rows: [string, unknown][] = [
    ...tools.map((tool): [string, unknown] => [`tool ${tool.name}`, tool]),
    ...prompts.map((prompt): [string, unknown] => [`prompt ${prompt.name}`, prompt]),
    ...resources.filter(({ uri }) => !OWN.test(uri)).map((one): [string, unknown] => [`resource ${one.uri}`, one]),
    ...resourceTemplates.map((one): [string, unknown] => [`template ${one.uriTemplate}`, one]),
  ];
  return {
    capabilities: client.getServerCapabilities(),
    listed: Object.fromEntries(rows.map(([name, value]) => [name, entry(value)])),
  };
}

/** What stands in the place of a template's variables. */
export type Ids = Readonly<Record<string, string>>;

/** A value for every variable of every template, about one negotiation at the backend of this origin. */
export const idsAbout = (
  origin: string,
  { negotiation_id = "", ...known }: Readonly<Record<"negotiation_id" | "scene_id" | "agent_id" | "cache_key", string>>,
): Ids => ({
  ...known,
  negotiation_id,
  toolset: "reports",
  page_name: "errors",
  task_id: `towow-${createHash("sha256")
    .update(JSON.stringify(["task", origin, negotiation_id]))
    .digest("hex")
    .slice(0, 12)}`,
  "tools.name": "towow_join",
  "schemas.name": "towow_join.input",
  "prompts.name": "onboarding",
});

/** The bytes of every resource, template and prompt, read. @throws what one of them answers */
export async function readAll(client: AnyClient, ids: Ids): Promise<Record<string, number>> {
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const { prompts } = await client.listPrompts();
  const sizes: Record<string, number> = {};
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri });
    return bytesOf((contents[0] as { text?: string } | undefined)?.text ?? "");
  };
  for (const { uri } of resources) sizes[`resource ${uri}`] = await read(uri);
  for (const { uriTemplate } of resourceTemplates)
    sizes[`template ${uriTemplate}`] = await read(filled(uriTemplate, ids));
  for (const { name } of prompts) sizes[`prompt ${name}`] = bytesOf(JSON.stringify(await client.getPrompt({ name })));
  return sizes;
}

/** An address of a template: its variables from the ids, its filters left out. */
export function filled(template: string, ids: Ids): string {
  const [path = ""] = template.split("{?");
  const kind = /^towow:\/\/(\w+)/.exec(path)?.[1] ?? "";
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[`${kind}.${name}`] ?? ids[name] ?? `missing-${name}`),
  );
}
