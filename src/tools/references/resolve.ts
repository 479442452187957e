import { isNegotiationId, isPathId } from "../../backend/route.ts";
import { Failure, TowowError } from "../../errors.ts";
import { jsonIn } from "../../json.ts";
import type { Tool, ToolContext } from "../define.ts";
import {
  MAX_REFERENCE_LENGTH,
  parseReference,
  REFERENCE_PATTERN,
  type Reference,
  referenceIn,
  valueAt,
} from "./parse.ts";

/** What replaced one reference in the arguments of a call. */
export interface Resolution {
  argument: string;
  ref: string;
  /**
   * The id that replaced the reference. Absent for a source, which the tool reads itself, and for texts, which others
   * may have written.
   */
  value?: string;
}

/** The reasons why a reference leads to nothing. */
const MISSING = [
  "no_reference",
  "not_found",
  "no_such_value",
  "not_an_id",
  "not_a_list_of_texts",
  "not_a_source",
] as const;

export interface Missing {
  argument: string;
  ref: string;
  reason: (typeof MISSING)[number];
}

/** Thrown if references lead to nothing, before the call has done anything. */
export class MissingInputs extends TowowError {
  readonly code = "tool.input.not_found.missing_inputs";
  constructor(missing: readonly Missing[]) {
    super(
      {
        inputs: missing.map(({ argument, ref, reason }) => `${argument} ← ${ref.slice(0, 200)} (${reason})`).join("; "),
      },
      { detail: JSON.stringify({ missing_inputs: missing }), detailFrom: "program" },
    );
  }
}

const NEGOTIATION = {
  usual: ["/negotiation_id"],
  fields: /\/(?:(?:parent_)?negotiation_id|(?:negotiation_ids|sub_session_ids)\/\d+|candidates\/\d+\/id)$/,
};
const SCENE = { usual: ["/scene_id", "/best/scene_id"], fields: /\/(?:scene_id|candidates\/\d+\/id)$/ };
/**
 * The arguments that are ids. `usual` says where a result holds the id if the reference has no pointer. `fields`
 * matches the fields that hold such ids, because the text in any other field might only look like an id.
 */
const IDS: Readonly<Record<string, { usual: readonly string[]; fields: RegExp }>> = {
  negotiation_id: NEGOTIATION,
  scene_id: SCENE,
  scene: SCENE,
};
/** Returns whether a pointer leads to the id of a negotiation, or to a list of them. */
export const leadsToIds = (pointer: string): boolean =>
  NEGOTIATION.fields.test(pointer) || NEGOTIATION.fields.test(`${pointer}/0`);

/**
 * The arguments of reading tools that take sources, which the tool looks up itself. `TEXTS` are the arguments that
 * take lists of texts.
 */
const SOURCES = new Set(["negotiation_ids", "sources"]);
const TEXTS = new Set(["needs"]);
/**
 * Builds the schema that says what a reference may hold and where it may be used, so that a client can check a call
 * before it makes the call (seed 000, the runtime contract). `tools` are those that the client could call.
 */
export const referenceSchema = (tools: readonly Tool[]) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A reference in the place of an argument",
  type: "object",
  properties: { ref: { type: "string", maxLength: MAX_REFERENCE_LENGTH, pattern: REFERENCE_PATTERN } },
  required: ["ref"],
  additionalProperties: false,
  "x-towow": {
    arguments: Object.fromEntries(
      tools.flatMap(({ name, input }) => {
        const taken = Object.keys(input.shape).flatMap((argument) => {
          const gives = argument in IDS ? "id" : SOURCES.has(argument) ? "source" : TEXTS.has(argument) ? "texts" : [];
          return typeof gives === "string" ? [[argument, gives]] : [];
        });
        return taken.length === 0 ? [] : [[name, Object.fromEntries(taken)]];
      }),
    ),
    /** The tools that return an earlier answer if `from_cache: true` is among the arguments. */
    from_cache: tools.filter(({ read_only }) => read_only).map(({ name }) => name),
    missing_inputs: { code: "tool.input.not_found.missing_inputs", reasons: MISSING },
    never_fills: "tool.policy.blocked.reference_unseen",
  },
});

/** The maximum length of a text that an error returns, in UTF-16 units. A longer text is cut. */
const MAX_TEXT = 20_000;

/**
 * Replaces the references in a call's arguments by what they name (agent layer §8). Only ids, and what a reading tool
 * works with, are ever filled in, so a reference never carries text into what is sent. A value that was filled in is
 * not resolved again.
 * @throws MissingInputs, `tool.policy.blocked.reference_unseen`
 */
export async function resolveReferences(
  tool: Tool,
  args: unknown,
  ctx: ToolContext,
): Promise<{ args: unknown; resolved: Resolution[] }> {
  if (args === null || typeof args !== "object" || Array.isArray(args)) return { args, resolved: [] };
  const resolved: Resolution[] = [];
  const missing: Missing[] = [];
  const filled: [string, unknown][] = [];
  for (const [name, value] of Object.entries(args)) {
    if (!Object.hasOwn(tool.input.shape, name))
      filled.push([name, value]); // The error for the unknown argument names this reference.
    else filled.push([name, await fill(name, value)]);
  }
  if (missing.length > 0) throw new MissingInputs(missing);
  return { args: Object.fromEntries(filled), resolved };

  async function fill(name: string, value: unknown): Promise<unknown> {
    const ref = referenceIn(unquoted(name, value));
    if (ref !== undefined) return one(name, name, ref);
    if (!Array.isArray(value) || !(SOURCES.has(name) || TEXTS.has(name))) return value;
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) {
      const inner = referenceIn(item);
      const result = inner === undefined ? item : await one(name, `${name}/${index}`, inner);
      items.push(...(Array.isArray(result) ? result : [result]));
    }
    return items;
  }

  async function one(name: string, argument: string, ref: string): Promise<unknown> {
    const fail = (reason: Missing["reason"]) => {
      missing.push({ argument, ref, reason });
      return undefined;
    };
    const reference = parseReference(ref);
    if (reference === undefined) return fail("no_reference");
    if (SOURCES.has(name)) {
      resolved.push({ argument, ref });
      return argument === name ? [ref] : ref;
    }
    if (name in IDS) {
      const id = await idOf(name, reference, ctx);
      if (typeof id !== "string") return fail(id.reason);
      resolved.push({ argument, ref, value: id });
      return id;
    }
    if (TEXTS.has(name)) {
      const texts = await textsIn(reference, ctx);
      if ("reason" in texts) return fail(texts.reason);
      resolved.push({ argument, ref });
      return texts;
    }
    const value = await valueNamed(reference, ctx);
    if (value === undefined) return fail("not_found");
    throw unseen(name, value);
  }
}

/**
 * Parses a reference that stands in place of an id as JSON text, because some clients send every id as a string. Any
 * other text stays as it is.
 */
function unquoted(name: string, value: unknown): unknown {
  if (!(name in IDS) || typeof value !== "string" || !value.startsWith("{")) return value;
  return jsonIn(value) ?? value;
}

async function idOf(
  name: string,
  reference: Reference,
  ctx: ToolContext,
): Promise<string | { reason: Missing["reason"] }> {
  const isScene = name !== "negotiation_id";
  if (reference.kind === "scene") return isScene ? reference.id : { reason: "not_an_id" };
  if (reference.kind === "negotiation") return isScene ? { reason: "not_an_id" } : reference.id;
  const kept = await ctx.session.kept.get(reference.key);
  if (kept === undefined) return { reason: "not_found" };
  const { usual = [], fields = /^$/ } = IDS[name] ?? {};
  if (reference.pointer !== "" && !fields.test(reference.pointer)) return { reason: "not_an_id" };
  const pointers = reference.pointer === "" ? usual : [reference.pointer];
  const value = pointers.map((pointer) => valueAt(kept.data, pointer)).find((found) => found !== undefined);
  if (value === undefined || value === null) return { reason: "no_such_value" };
  const isId = isScene ? isPathId : isNegotiationId;
  return typeof value === "string" && isId(value) ? value : { reason: "not_an_id" };
}

/**
 * Returns a list of texts from an earlier result, whose texts were cleaned. A reference to a negotiation itself is
 * refused, because its texts are not cleaned.
 */
async function textsIn(reference: Reference, ctx: ToolContext): Promise<string[] | Pick<Missing, "reason">> {
  if (reference.kind !== "result") return { reason: "not_a_list_of_texts" };
  const value = await valueNamed(reference, ctx);
  if (value === undefined) return { reason: "not_found" };
  const areTexts = Array.isArray(value) && value.every((text) => typeof text === "string");
  return areTexts ? value : { reason: "not_a_list_of_texts" };
}

/** Returns the value that a reference names. What others wrote in a negotiation is not cleaned here. */
async function valueNamed(reference: Reference, ctx: ToolContext): Promise<unknown> {
  if (reference.kind === "scene") return reference.id;
  if (reference.kind === "result") return valueAt((await ctx.session.kept.get(reference.key))?.data, reference.pointer);
  const negotiation = await ctx.negotiations.get(reference.id);
  const { part, agentId } = reference;
  if (part === "plan") return negotiation.plan_output ?? undefined;
  if (part === "offers")
    return negotiation.participants.find(({ agent_id }) => agent_id === agentId)?.offer_content ?? undefined;
  return valueAt(negotiation, reference.pointer);
}

const unseen = (argument: string, value: unknown): Failure =>
  new Failure(
    "tool.policy.blocked.reference_unseen",
    { argument },
    {
      detail: (typeof value === "string" ? value : JSON.stringify(value)).slice(0, MAX_TEXT).toWellFormed(),
      detailFrom: "text",
    },
  );
