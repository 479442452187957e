import type { Log } from "../log.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { CallEvidence } from "../session/evidence.ts";
import type { Session } from "../session/session.ts";
import { type CallResult, callTool } from "./call.ts";
import type { ToolContext } from "./define.ts";
import { knownName } from "./index.ts";

/** Of a tool's name: a client may call anything. */
const MAX_NAME_LENGTH = 80;

interface LoggedCallDeps {
  log: Log;
  session: Pick<Session, "id" | "rounds" | "cache">;
  /** Gets each call when it is over, one that the client has cancelled too. */
  ended?: (evidence: CallEvidence) => void;
}

/**
 * Calls a tool as {@link callTool} does, with a line in the log before it and one after it: who, which, how long and with
 * what end, and neither arguments nor contents (agent layer §9). @throws what a cancelled call throws
 */
export async function loggedCall(
  name: string,
  args: unknown,
  ctx: ToolContext,
  { log, session, ended }: LoggedCallDeps,
): Promise<{ called: CallResult; durationMs: number }> {
  const { provider, requestId: request_id } = ctx;
  const tool = knownName(name);
  const from = ctx.monotonic();
  const iteration = session.rounds.next(session.cache.key(tool, args, ctx.origin));
  const over = (status: CallEvidence["status"], result?: ToolResult): number => {
    const evidence: CallEvidence = {
      at: ctx.now(),
      tool: name.slice(0, MAX_NAME_LENGTH),
      status,
      duration_ms: ctx.monotonic() - from,
      error_code: result?.error?.code ?? null,
      request_id,
      warnings_count: result?.warnings.length ?? 0,
      iteration,
      provider,
      cache_hit: result?.meta.cache_hit === true,
    };
    const { at: _, ...done } = evidence;
    log.info("agent_tool_done", { session_id: session.id, ...done, tool });
    ended?.(evidence);
    return evidence.duration_ms;
  };
  log.info("agent_tool_call", { session_id: session.id, tool, iteration, provider, request_id, status: "running" });
  try {
    const called = await callTool(name, args, ctx, log);
    return { called, durationMs: over(statusOf(called), "result" in called ? called.result : undefined) };
  } catch (error) {
    over(ctx.signal.aborted ? "cancelled" : "error");
    throw error;
  }
}

function statusOf(called: CallResult): CallEvidence["status"] {
  if ("ask" in called) return "asked";
  if ("task" in called) return "task";
  return called.result.error === null ? "completed" : "error";
}
