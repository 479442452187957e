import { isPathId } from "../backend/route.ts";
import type { ResumeWith, ToolError } from "../result/tool-error.ts";
import type { Tool } from "./define.ts";
import { estimatedCost } from "./estimate.ts";
import { isSceneId } from "./scenes.ts";

/** What a person decides on elsewhere: the way on is to see what they decided. */
const DECIDED_ELSEWHERE = /\.(?:confirmation_required|tainted|not_submitted_here|decide_on_page)$/;

/** Whether an error says that something must be allowed, or decided, first. */
export const isBlocked = (code: string): boolean => code.split(".")[2] === "blocked";

/** What only the person says: no call that a result names holds it. */
const PERSONS_WORD = new Set(["decision", "confirmed_text", "profile_hash", "action"]);

/**
 * Where a blocked call goes on, and what that would cost: the decision's negotiation, the mode that lists the tool, or
 * the same call once what stands in its way has gone (seed 000), as far as it can be made without what a person wrote.
 * `named`: a tool by its name.
 */
export function withResume(error: ToolError, tool: Tool, args: unknown, named: (name: string) => Tool): ToolError {
  if (!isBlocked(error.code)) return error;
  const given = (args ?? {}) as Record<string, unknown>;
  const resume = error.resume_with ?? resumeOf(error, tool, given);
  if (resume === undefined) return { ...error, cost: estimatedCost(tool, given) };
  return { ...error, resume_with: { ...resume, cost: estimatedCost(named(resume.tool), resume.params) } };
}

function resumeOf(
  { code, next_steps: next }: ToolError,
  tool: Tool,
  args: Record<string, unknown>,
): ResumeWith | undefined {
  const { negotiation_id } = args;
  const hasId = typeof negotiation_id === "string" && isPathId(negotiation_id);
  if (code.endsWith(".inactive_tool") && next.includes("towow_set_mode"))
    return { tool: "towow_set_mode", params: { mode: tool.modes[0] } };
  if (DECIDED_ELSEWHERE.test(code) && hasId)
    return { tool: "towow_status", params: { negotiation_id, wait: "change" } };
  const taken = Object.entries(args).filter(([name]) => Object.hasOwn(tool.input.shape, name));
  const plain = taken.filter(([name, value]) => !PERSONS_WORD.has(name) && isPlain(tool, name, value));
  const params = Object.fromEntries(plain);
  const needs = taken.map(([name]) => name).filter((name) => !(name in params));
  if (canBeMade(tool, params)) return { tool: tool.name, params, ...(needs.length > 0 && { needs }) };
  return hasId ? { tool: "towow_status", params: { negotiation_id } } : undefined;
}

/** Whether a call with these arguments lacks none: of one that begins a negotiation, the demand. */
const canBeMade = (tool: Tool, params: Record<string, unknown>): boolean =>
  tool.input.safeParse(params).success && !(tool.startsNegotiation === true && !("negotiation_id" in params));

/** Ids and choices. A text may be anybody's by now, and an error gives none back; the AI has the call itself. */
function isPlain({ inputSchema }: Tool, name: string, value: unknown): boolean {
  if (typeof value === "number" || typeof value === "boolean") return true;
  if (typeof value !== "string") return false;
  const { enum: choices } = (inputSchema.properties as Record<string, { enum?: unknown[] }>)[name] ?? {};
  return (
    choices?.includes(value) === true ||
    (name.endsWith("_id") && isPathId(value)) ||
    (name === "scene" && isSceneId(value))
  );
}
