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

/** A call, or what a person does in its place. */
interface LoggedWork extends Pick<ToolContext, "origin" | "provider" | "requestId" | "signal"> {
  tool: string;
  args: unknown;
}

/**
 * Calls a tool as {@link callTool} does, with a line in the log before it and one after it: who, which, how long and with
 * what end, and neither arguments nor contents (agent layer §9). @throws what a cancelled call throws
 */
export async function loggedCall(
  name: string,
  args: unknown,
  ctx: ToolContext,
  deps: LoggedCallDeps,
): Promise<{ called: CallResult; durationMs: number }> {
  const timed = { ...deps, now: ctx.now, monotonic: ctx.monotonic };
  const from = ctx.monotonic();
  const called = await loggedWork(
    { ...ctx, tool: name, args },
    timed,
    () => callTool(name, args, ctx, deps.log),
    endOf,
  );
  return { called, durationMs: ctx.monotonic() - from };
}

/** Does `work` between the two lines of the log. @throws what it throws */
export async function loggedWork<T>(
  { tool: name, args, origin, provider, requestId: request_id, signal }: LoggedWork,
  { log, session, ended, now, monotonic }: LoggedCallDeps & Pick<ToolContext, "now" | "monotonic">,
  work: () => Promise<T>,
  endOf: (done: T) => Ended = () => ({ status: "completed" }),
): Promise<T> {
  const tool = knownName(name);
  const from = monotonic();
  const iteration = session.rounds.next(session.cache.key(tool, args, origin));
  const over = ({ status, result }: Ended): void => {
    const evidence: CallEvidence = {
      at: now(),
      tool: name.slice(0, MAX_NAME_LENGTH),
      status,
      duration_ms: monotonic() - from,
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
  };
  log.info("agent_tool_call", { session_id: session.id, tool, iteration, provider, request_id, status: "running" });
  try {
    const done = await work();
    over(endOf(done));
    return done;
  } catch (error) {
    over({ status: signal.aborted ? "cancelled" : "error" });
    throw error;
  }
}

/** How a call ended, and with which result. */
interface Ended {
  status: CallEvidence["status"];
  result?: ToolResult;
}

function endOf(called: CallResult): Ended {
  if ("ask" in called) return { status: "asked" };
  if ("task" in called) return { status: "task" };
  return { status: called.result.error === null ? "completed" : "error", result: called.result };
}
