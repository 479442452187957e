import type { Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import { isNegotiationId, isPathId } from "../backend/route.ts";
import { failureOf } from "../log.ts";
import { ENDINGS } from "../negotiation/records.ts";
import { plain } from "../report/matching.ts";
import { catalogNames } from "./resources/catalog.ts";
import { DOC_PAGES } from "./resources/docs.ts";
import type { ResourceDeps } from "./resources/reading.ts";
import { RESOURCES } from "./resources/table.ts";

/** The most values in one answer that the protocol allows. */
const MAX_VALUES = 100;
const MAX_TYPED = 200;
/** How many of the newest records are searched for scenes. The person most likely means a recent scene. */
const MAX_RECORDS = 100;

const params = z.looseObject({
  ref: z.looseObject({ type: z.string(), uri: z.string().optional(), name: z.string().optional() }),
  argument: z.looseObject({ name: z.string(), value: z.string() }),
  context: z.looseObject({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});

type Source = (given: Readonly<Record<string, string>>, deps: ResourceDeps) => string[] | Promise<string[]>;

/**
 * Returns the ids of the person's negotiations. Completion runs at every key press, so its sources read only memory and
 * disk, never the backend.
 */
const negotiations: Source = async (_, { account }) => {
  const here = account();
  const keys = (await here.negotiations.keys()).filter(({ origin }) => origin === here.origin);
  return keys.map(({ id }) => id).filter(isNegotiationId);
};

const scenes: Source = async (_, deps) => {
  const { last_scene_id: last } = deps.settings();
  const used = (await deps.account().negotiations.records({ count: MAX_RECORDS })).map(({ scene_id }) => scene_id);
  return [last, ...used].filter((id) => id !== undefined);
};

const agents: Source = ({ negotiation_id = "" }, { account }) => [...account().negotiations.agentsSeen(negotiation_id)];

const cacheKeys: Source = (_, { session }) => session.kept.keys();

const sources = new Map<string, Source>(
  Object.entries({
    negotiation_id: negotiations,
    scene_id: scenes,
    scene: scenes,
    agent_id: agents,
    cache_key: cacheKeys,
    toolset: catalogNames.toolsets,
    page_name: () => [...DOC_PAGES],
    ending: () => [...ENDINGS],
    state: () => ["formulating", "asking", "confirming", "cancelling", "moving", "over", "not_found"],
  }),
);

/** Returns the source of a template's variable. What `name` stands for depends on the address. */
function sourceOf(uri: string, name: string): Source | undefined {
  if (name !== "name") return sources.get(name);
  if (uri.startsWith("towow://tools/")) return catalogNames.tools;
  if (uri.startsWith("towow://schemas/")) return catalogNames.schemas;
  return uri.startsWith("towow://prompts/") ? catalogNames.prompts : undefined;
}

/** Completes the ids and names of templates, and the ids of prompts. */
export function serveCompletion(server: Server, deps: ResourceDeps): void {
  server.setRequestHandler("completion/complete", { params }, async ({ ref, argument, context }) => {
    const uri = ref.type === "ref/resource" ? (ref.uri ?? "") : "";
    const known = RESOURCES.some((one) => one.uri === uri || one.plain === uri);
    const source =
      ref.type === "ref/prompt" ? sources.get(argument.name) : known ? sourceOf(uri, argument.name) : undefined;
    const all = await valuesOf(source, context?.arguments ?? {}, deps);
    const typed = plain(argument.value.slice(0, MAX_TYPED));
    const fits = all.filter((value) => plain(value).includes(typed));
    const values = fits.sort((a, b) => Number(plain(b).startsWith(typed)) - Number(plain(a).startsWith(typed)));
    return {
      completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES },
    };
  });
}

/**
 * Returns the values of a source, without ids that cannot stand in an address. A failure gives no values, because the
 * call itself will report it.
 */
async function valuesOf(
  source: Source | undefined,
  given: Readonly<Record<string, string>>,
  deps: ResourceDeps,
): Promise<string[]> {
  try {
    return [...new Set(await (source?.(given, deps) ?? []))].filter(isPathId);
  } catch (error) {
    deps.log.debug("not_completed", { error: failureOf(error) });
    return [];
  }
}
