import * as z from "zod";
import { fence } from "../safety/fence.ts";
import { isOrder } from "../safety/sanitize/instructions.ts";
import { joinSentences } from "../text/join.ts";
import type { ToolError } from "./tool-error.ts";

export type Status = "ok" | "degraded" | "empty" | "error";

/** The one envelope of every tool, success or failure (agent layer §2). */
export interface ToolResult<Data = unknown> {
  status: Status;
  summary: string;
  data: Data | null;
  warnings: string[];
  error: ToolError | null;
  meta: {
    cache_hit?: true;
    tainted?: true;
    /** JSON pointers into `data`, or `/error/detail`. */
    tainted_paths?: string[];
    /** Personal data or secrets were masked in it. */
    redaction_applied?: true;
    truncated?: true;
    /** JSON pointers into `data` of what was cut ("": of all of it), each with the URI of the resource that holds the whole. */
    truncated_paths?: Record<string, string>;
    /** Under which later calls, and `towow://cache/{cache_key}`, have this result back. */
    cache_key?: string;
    /** What stood in the place of references. */
    workflow_resolution?: readonly unknown[];
    would_send?: { method: string; url: string; body?: unknown };
  };
}

/** A call that makes sense next. */
export const callField = () => z.object({ tool: z.string(), params: z.record(z.string(), z.unknown()) });

/**
 * The call that goes on from a result. As it stands it can be made, and neither sends nor decides: where the person's word
 * is wanted it asks again. `needs` names what the person is asked for, and `pass_back` the arguments that the AI adds.
 */
export const resumeField = () =>
  callField().extend({ needs: z.custom<string[]>().optional(), pass_back: z.custom<string[]>().optional() });

const errorSchema = z.object({
  code: z.string(),
  message: z.string(),
  detail: z.string().optional(),
  recovery_suggestion: z.string(),
  next_steps: z.array(z.string()),
  can_retry: z.boolean(),
  retry_after_seconds: z.number().optional(),
  resume_with: callField().optional(), // with `needs` and `pass_back`: declared once for each tool it would cost every client a kilobyte
});

/** The output schema of a tool: the envelope around its own data. */
export const envelopeOf = <T extends z.ZodType>(data: T) =>
  z.object({
    status: z.enum(["ok", "degraded", "empty", "error"]),
    summary: z.string(),
    data: data.nullable(),
    warnings: z.array(z.string()),
    error: errorSchema.nullable(),
    // As a handler's result is checked; `cache_key` and `workflow_resolution` are added behind that.
    // A flag is there where it is true.
    meta: z.object({
      cache_hit: z.boolean().optional(),
      tainted: z.boolean().optional(),
      tainted_paths: z.array(z.string()).optional(),
      redaction_applied: z.boolean().optional(),
      truncated: z.boolean().optional(),
      truncated_paths: z.record(z.string(), z.string()).optional(),
      would_send: z.unknown().optional(),
    }),
  });

/** `isForeign`: whether others have worded its detail, which is fenced then. */
export function failed(error: ToolError, isForeign = true): ToolResult<never> {
  const foreign = isForeign ? error.detail : undefined;
  return {
    status: "error",
    summary: joinSentences([error.message, error.recovery_suggestion]),
    data: null,
    warnings: isOrder(foreign ?? "") ? ["suspicious_instructions"] : [],
    error,
    meta: foreign ? { tainted: true, tainted_paths: ["/error/detail"] } : {},
  };
}

/**
 * The text channel. Some clients show the model nothing else, and on an error Claude Code shows only this: it must
 * say everything that is needed to go on. Foreign text stands last, fenced by a boundary that is new each time.
 */
export function textOf(result: ToolResult, boundary: () => string): string {
  const { error } = result;
  if (error === null) {
    const warnings = result.warnings.length > 0 ? `\nwarnings: ${result.warnings.join(", ")}` : "";
    const wholes = Object.entries(result.meta.truncated_paths ?? {}).map(
      ([path, uri]) => `\n${path === "" ? "whole:" : `cut: ${path} →`} ${uri}`,
    );
    const { cache_key } = result.meta;
    const isRedacted = result.meta.redaction_applied === true || result.warnings.includes("pii_redacted");
    const masks = isRedacted ? "\nredacted: personal data is hidden in this result only" : "";
    const key = cache_key === undefined ? "" : `\ncache_key: ${cache_key}`;
    return `${result.summary}${warnings}${wholes.join("")}${masks}${key}\n${dataText(result, boundary)}`;
  }
  return [
    `${error.code}: ${error.message}`,
    error.recovery_suggestion,
    ...(error.detail && !result.meta.tainted ? [`detail: ${error.detail}`] : []),
    ...(error.next_steps.length > 0 ? [`next_steps: ${error.next_steps.join(", ")}`] : []),
    `can_retry: ${error.can_retry}${error.retry_after_seconds === undefined ? "" : ` after ${error.retry_after_seconds} s`}`,
    ...(error.resume_with ? [`resume_with: ${JSON.stringify(error.resume_with)}`] : []),
    ...(error.cost ? [`cost: ${JSON.stringify(error.cost)}`] : []),
    ...(result.warnings.length > 0 ? [`warnings: ${result.warnings.join(", ")}`] : []),
    ...(error.detail && result.meta.tainted ? [`detail:\n${fence(error.detail, boundary)}`] : []),
  ].join("\n");
}

/** By data: an answer from the cache is given again and again. */
const written = new WeakMap<object, string>();
const writtenApart = new WeakMap<object, Apart & { paths: readonly string[] }>();

/** The data of a result, which nobody changes any more, as JSON. */
export function jsonOf(data: unknown): string {
  if (typeof data !== "object" || data === null) return JSON.stringify(data);
  const text = written.get(data) ?? JSON.stringify(data);
  written.set(data, text);
  return text;
}

function dataText({ data, meta }: ToolResult, boundary: () => string): string {
  const { would_send, tainted_paths = [] } = meta;
  if (would_send !== undefined) return JSON.stringify(would_send);
  if (data === null || tainted_paths.length === 0) return jsonOf(data);
  const { own, foreign } = foreignApart(data as object, tainted_paths);
  return `${own}\n${fence(foreign, boundary)}`;
}

interface Apart {
  own: string;
  foreign: string;
}

/** The data as JSON, what others wrote apart from the rest. */
function foreignApart(data: object, paths: readonly string[]): Apart {
  const known = writtenApart.get(data);
  if (known?.paths === paths) return known;
  const foreignKeys = new Set(paths.map((path) => path.slice(1)));
  const parts = Object.entries(data);
  const own = Object.fromEntries(parts.filter(([key]) => !foreignKeys.has(key)));
  // A plan is read as text: as one JSON string it would be a line longer than some clients keep.
  const { plan_output: plan, ...rest } = Object.fromEntries(parts.filter(([key]) => foreignKeys.has(key))) as Record<
    string,
    unknown
  >;
  const asText = typeof plan === "string" ? `\nplan_output:\n${plan}` : "";
  const made = { own: JSON.stringify(own), foreign: `${JSON.stringify(rest, null, 1)}${asText}`, paths };
  writtenApart.set(data, made);
  return made;
}
