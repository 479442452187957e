import * as z from "zod";
import { fence } from "../safety/fence.ts";
import { isOrder } from "../safety/sanitize/instructions.ts";
import { joinSentences } from "../text/join.ts";
import type { ToolError } from "./tool-error.ts";

export type Status = "ok" | "degraded" | "empty" | "error";

/** The envelope of every tool's result, success or failure (agent layer §2). */
export interface ToolResult<Data = unknown> {
  status: Status;
  summary: string;
  data: Data | null;
  warnings: string[];
  error: ToolError | null;
  meta: {
    cache_hit?: true;
    tainted?: true;
    /** JSON pointers into `data`, or `/error/detail`, to what others wrote. */
    tainted_paths?: string[];
    /** Set if personal data or secrets in the result were masked. */
    redaction_applied?: true;
    truncated?: true;
    /** JSON pointers to the cut parts of `data` ("" for all of it), each with the URI of the resource that holds it in full. */
    truncated_paths?: Record<string, string>;
    /** The key by which later calls and `towow://cache/{cache_key}` find this result. */
    cache_key?: string;
    /** What replaced the references in the arguments. */
    workflow_resolution?: readonly unknown[];
    would_send?: { method: string; url: string; body?: unknown };
  };
}

/** Declares a suggested next call. */
export const callField = () => z.object({ tool: z.string(), params: z.record(z.string(), z.unknown()) });

/**
 * Declares the call with which to go on after a result. The call can be made as it is, and neither sends nor decides
 * anything, because it asks again if the person's word is needed. `needs` names what to ask the person for, and
 * `pass_back` the arguments that the AI adds.
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
  resume_with: callField().optional(), // Declaring `needs` and `pass_back` would cost each client a kilobyte.
});

/** Builds the output schema of a tool, which is the envelope around the tool's own data. */
export const envelopeOf = <T extends z.ZodType>(data: T) =>
  z.object({
    status: z.enum(["ok", "degraded", "empty", "error"]),
    summary: z.string(),
    data: data.nullable(),
    warnings: z.array(z.string()),
    error: errorSchema.nullable(),
    // The results of handlers are checked against this schema. `cache_key` and `workflow_resolution` are added after
    // the check. The flags are either true or absent.
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

/** Builds the result of a failure. `isForeign` says whether others wrote the error's detail, which is then fenced. */
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
 * Returns the text of a result. Some clients show the model only this text, and Claude Code does so on an error, so
 * the text must say everything that is needed to go on. What others wrote comes last, fenced by a new random
 * boundary.
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

/** Caches the JSON of each data object, because a cached answer is given again and again. */
const written = new WeakMap<object, string>();
const writtenApart = new WeakMap<object, Apart & { paths: readonly string[] }>();

/** Returns the data of a result as JSON. The data must not change afterwards, because the JSON is cached. */
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

/** Returns the data as JSON in two parts, the second of which is what others wrote. */
function foreignApart(data: object, paths: readonly string[]): Apart {
  const known = writtenApart.get(data);
  if (known?.paths === paths) return known;
  const foreignKeys = new Set(paths.map((path) => path.slice(1)));
  const parts = Object.entries(data);
  const own = Object.fromEntries(parts.filter(([key]) => !foreignKeys.has(key)));
  // A plan is given as text, because as one JSON string it would be a line longer than some clients keep.
  const { plan_output: plan, ...rest } = Object.fromEntries(parts.filter(([key]) => foreignKeys.has(key))) as Record<
    string,
    unknown
  >;
  const asText = typeof plan === "string" ? `\nplan_output:\n${plan}` : "";
  const made = { own: JSON.stringify(own), foreign: `${JSON.stringify(rest, null, 1)}${asText}`, paths };
  writtenApart.set(data, made);
  return made;
}
