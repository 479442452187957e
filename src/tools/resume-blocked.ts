import { isPathId } from "../backend/route.ts";
import type { ResumeWith, ToolError } from "../result/tool-error.ts";
import type { Tool } from "./define.ts";
import { estimatedCost } from "./estimate.ts";

/** What a person decides on elsewhere: the way on is to see what they decided. */
const DECIDED_ELSEWHERE = /\.(?:confirmation_required|tainted|not_submitted_here|decide_on_page)$/;

/** Whether an error says that something must be allowed, or decided, first. */
export const isBlocked = (code: string): boolean => code.split(".")[2] === "blocked";

/**
 * Where a blocked call goes on, and what that would cost: the decision's negotiation, the mode that lists the tool, or
 * the same call once what stands in its way has gone (seed 000). `named`: a tool by its name.
 */
export function withResume(error: ToolError, tool: Tool, args: unknown, named: (name: string) => Tool): ToolError {
  if (!isBlocked(error.code)) return error;
  const resume = error.resume_with ?? resumeOf(error, tool, (args ?? {}) as Record<string, unknown>);
  return { ...error, resume_with: { ...resume, cost: estimatedCost(named(resume.tool), resume.params) } };
}

function resumeOf({ code, next_steps: next }: ToolError, tool: Tool, args: Record<string, unknown>): ResumeWith {
  const { negotiation_id } = args;
  if (code.endsWith(".inactive_tool") && next.includes("towow_set_mode"))
    return { tool: "towow_set_mode", params: { mode: tool.modes[0] } };
  if (DECIDED_ELSEWHERE.test(code) && typeof negotiation_id === "string")
    return { tool: "towow_status", params: { negotiation_id, wait: "change" } };
  const taken = Object.entries(args).filter(([name]) => Object.hasOwn(tool.input.shape, name));
  const params = Object.fromEntries(taken.filter(([name, value]) => isPlain(tool, name, value)));
  const omitted = taken.map(([name]) => name).filter((name) => !(name in params));
  return { tool: tool.name, params, ...(omitted.length > 0 && { omitted }) };
}

/** Ids and choices. A text may be anybody's by now, and an error gives none back; the AI has the call itself. */
function isPlain({ inputSchema }: Tool, name: string, value: unknown): boolean {
  if (typeof value === "number" || typeof value === "boolean") return true;
  if (typeof value !== "string") return false;
  const { enum: choices } = (inputSchema.properties as Record<string, { enum?: unknown[] }>)[name] ?? {};
  return choices?.includes(value) === true || (name.endsWith("_id") && isPathId(value));
}
