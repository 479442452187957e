import * as z from "zod";
import { isNegotiationId } from "../../backend/route.ts";
import type { Merged } from "../../report/graph/merge.ts";
import type { Graph } from "../../report/graph/model.ts";
import type { ToolContext } from "../define.ts";
import { parseReference, type Reference, valueAt } from "./parse.ts";
import { leadsToIds, type Missing, MissingInputs } from "./resolve.ts";

/**
 * A source of a merge or a comparison. The source leads either to negotiations, which are read again, or to a graph,
 * which is used as it was given.
 */
export interface Source {
  name: string;
  ids: readonly string[];
  graph?: Graph | Merged;
}

const MAX_SOURCES = 20;

/** Declares the argument for several negotiations or earlier results. */
export const sourcesField = (description: string) =>
  z.array(z.string().min(1).max(2_000)).min(1).max(MAX_SOURCES).describe(description);

/**
 * Reads the sources.
 * @throws MissingInputs with every source that leads to nothing
 */
export async function readSources(argument: string, sources: readonly string[], ctx: ToolContext): Promise<Source[]> {
  const found: Source[] = [];
  const missing: Missing[] = [];
  for (const [index, name] of sources.entries()) {
    const source = await readSource(name, ctx);
    if ("reason" in source) missing.push({ argument: `${argument}/${index}`, ref: name, ...source });
    else found.push({ name, ...source });
  }
  if (missing.length > 0) throw new MissingInputs(missing);
  return found;
}

type Read = Omit<Source, "name"> | Pick<Missing, "reason">;

async function readSource(name: string, ctx: ToolContext): Promise<Read> {
  const reference = parseReference(name);
  if (reference === undefined) return isNegotiationId(name) ? { ids: [name] } : { reason: "no_reference" };
  if (reference.kind === "negotiation") return { ids: [reference.id] };
  return reference.kind === "result" ? readResult(reference, ctx) : { reason: "not_a_source" };
}

async function readResult({ key, pointer }: Extract<Reference, { kind: "result" }>, ctx: ToolContext): Promise<Read> {
  const kept = await ctx.session.kept.get(key);
  if (kept === undefined) return { reason: "not_found" };
  const value = valueAt(kept.data, pointer);
  const ids = (pointer === "" || leadsToIds(pointer) ? idsIn(value) : []).filter(isNegotiationId);
  const graph = graphIn(value);
  if (graph !== undefined) return { ids, graph };
  if (ids.length > 0) return { ids };
  return { reason: value === undefined ? "no_such_value" : "not_a_source" };
}

const named = z.object({ negotiation_id: z.string() });
const list = z.object({ negotiation_ids: z.array(z.string()) });

/** Returns the ids in a value, which is an id, a list of ids, or a result that names the negotiations that it is about. */
function idsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.filter((item) => typeof item === "string");
  const one = named.safeParse(value).data;
  return one ? [one.negotiation_id] : (list.safeParse(value).data?.negotiation_ids ?? []);
}

const node = z.object({
  id: z.string(),
  type: z.string(),
  label: z.string(),
  properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});
const edge = z.object({ type: z.string(), from: z.string(), to: z.string(), weight: z.number().optional() });
const graph = z.object({ nodes: z.array(node), edges: z.array(edge) });

/** Returns the value if it is a graph. A merged graph keeps the notes on what its sources differed about. */
function graphIn(value: unknown): Graph | Merged | undefined {
  return graph.safeParse(value).success ? (value as Graph | Merged) : undefined;
}
