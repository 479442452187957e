import {
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { answerTask, cancelTask, isCompleted, type TaskView, viewTask } from "../ask/background-task.ts";
import { TowowError } from "../errors.ts";
import { toIso } from "../home/iso-time.ts";
import type { NegotiationKey } from "../negotiation/facts.ts";
import { pollDelayMs } from "../negotiation/polling.ts";
import { messageOf } from "../result/tool-error.ts";
import type { Session } from "../session/session.ts";
import type { TaskMemory } from "../session/task-memory.ts";
import { rememberedSha256 } from "../sha256.ts";
import type { ToolContext } from "../tools/define.ts";
import { followsTasks, requestOf, TASKS_EXTENSION } from "./calling-client.ts";
import { invalidParams } from "./list-params.ts";
import { toProtocolError } from "./protocol-error.ts";

/** How long a task is known, in ms. The facts of a negotiation are kept for at least as long. */
const TTL_MS = 30 * 24 * 3_600_000;
/**
 * The poll interval for clients, in ms, while a person may be waiting. While nobody may be waiting, the interval
 * follows the poller's delay, and this value is the least.
 */
const POLL_MS = 1_000;

export interface TasksDeps {
  session: Session;
  capabilities: (ctx: ServerContext) => ClientCapabilities | undefined;
  /** Returns the context of a request at this origin, or by default at the backend in use. */
  contextOf: (ctx: ServerContext, origin?: string) => ToolContext;
  /** Returns the answer of `towow_status`, as a call gives it. */
  status: (memory: TaskMemory, context: ToolContext) => Promise<Record<string, unknown>>;
  /** Returns the answer of `towow_status` as text alone. */
  statusText: (memory: TaskMemory, context: ToolContext) => Promise<string>;
}

/**
 * Returns the name of a negotiation's task, which is the same in every program of the user. The name is a hash, so it
 * reveals neither the origin nor the id, and it is short, because clients show it. Another user can open nothing with
 * it, even by guessing it.
 */
const taskIdOf = ({ origin, id }: NegotiationKey): string =>
  `towow-${rememberedSha256(JSON.stringify(["task", origin, id])).slice(0, 12)}`;

const idParams = z.object({ taskId: z.string().max(200) });
const updateParams = idParams.extend({ inputResponses: z.record(z.string(), z.unknown()).optional() });

export interface Tasks {
  /** Returns the result as text, an empty text while there is no result yet, or undefined if there is no such task. */
  resultOf: (taskId: string, ctx: ServerContext) => Promise<string | undefined>;
}

/** Serves the tasks of negotiations that this user has submitted. */
export function serveTasks(server: Server, deps: TasksDeps): Tasks {
  const { session } = deps;

  /**
   * Finds a task. @throws the protocol's errors for a client that follows no tasks, and for a task that does not belong
   * to this user
   */
  async function open(taskId: string, ctx: ServerContext): Promise<{ memory: TaskMemory; context: ToolContext }> {
    if (!followsTasks(deps.capabilities(ctx)))
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
      });
    const memory = await find(taskId, ctx);
    if (memory === undefined) throw invalidParams(deps.contextOf(ctx).texts.task.unknown);
    const context = deps.contextOf(ctx, memory.of.origin);
    context.concerns(memory.of.id);
    return { memory, context };
  }

  async function find(taskId: string, ctx: ServerContext): Promise<TaskMemory | undefined> {
    const memory = session.tasks.get(taskId) ?? (await writtenDown(taskId, ctx));
    return memory && deps.contextOf(ctx).now() < memory.createdAt + TTL_MS ? memory : undefined;
  }

  async function writtenDown(taskId: string, ctx: ServerContext): Promise<TaskMemory | undefined> {
    const context = deps.contextOf(ctx);
    const key = (await context.negotiations.keys()).find((one) => taskIdOf(one) === taskId);
    if (key === undefined) return undefined;
    const at = deps.contextOf(ctx, key.origin);
    at.negotiations.recoverSoon();
    const { submitted } = await at.negotiations.facts(key.id);
    return submitted && session.tasks.add(taskId, key, submitted.at);
  }

  /** Runs `work` on one task. @throws a protocol error with the texts of a tool's error */
  async function withTask<T>(
    taskId: string,
    ctx: ServerContext,
    work: (memory: TaskMemory, context: ToolContext) => Promise<T>,
  ): Promise<T> {
    try {
      const { memory, context } = await open(taskId, ctx);
      return await work(memory, context);
    } catch (error) {
      throw error instanceof TowowError ? toProtocolError(error, deps.contextOf(ctx).texts) : error;
    }
  }

  server.setRequestHandler("tasks/get", { params: idParams }, ({ taskId }, ctx) =>
    withTask(taskId, ctx, (memory, context) => detailsOf(taskId, memory, context, deps)),
  );

  server.setRequestHandler("tasks/update", { params: updateParams }, ({ taskId, inputResponses }, ctx) =>
    withTask(taskId, ctx, async (memory, context) => {
      const responses = { ...inputResponses, ...ctx.mcpReq.inputResponses };
      await answerTask(memory.of.id, responses, context, memory);
      return {};
    }),
  );

  server.setRequestHandler("tasks/cancel", { params: idParams }, ({ taskId }, ctx) =>
    withTask(taskId, ctx, async (memory, context) => {
      await cancelTask(memory.of.id, context);
      return {};
    }),
  );

  return {
    async resultOf(taskId, ctx) {
      const memory = await find(taskId, ctx);
      if (memory === undefined) return undefined;
      const context = deps.contextOf(ctx, memory.of.origin);
      return (await isCompleted(memory.of.id, context)) ? deps.statusText(memory, context) : "";
    },
  };
}

/**
 * Returns the answer to a call that goes on in the background. The demand was written down when it was submitted, so
 * the task survives a restart.
 */
export async function taskCreated(id: string, context: ToolContext, session: Session) {
  const key = { origin: context.origin, id };
  const taskId = taskIdOf(key);
  const { submitted } = await context.negotiations.facts(id);
  const memory = session.tasks.add(taskId, key, submitted?.at ?? context.now());
  const head = headOf(taskId, memory, context, { status: "working", message: context.texts.task.begun });
  return { resultType: "task", ...head };
}

async function detailsOf(taskId: string, memory: TaskMemory, context: ToolContext, deps: TasksDeps) {
  const { id } = memory.of;
  const view = await viewTask(id, context, memory).catch((error) => unreadable(error, context));
  const head = headOf(taskId, memory, context, view);
  if (view.status === "input_required") {
    const { key, question } = view.asked;
    const id = context.client.surface.needsElicitationId ? key : undefined;
    return { ...head, inputRequests: { [key]: requestOf(question, id) } };
  }
  if (view.status === "completed") return { ...head, result: await deps.status(memory, context) };
  return head;
}

/**
 * Reports that the facts cannot be read now. The task goes on, because a protocol error would end the task for the
 * client.
 */
function unreadable(error: unknown, { texts }: ToolContext): TaskView {
  if (!(error instanceof TowowError)) throw error;
  return { status: "working", message: messageOf(error, texts) };
}

function headOf(taskId: string, memory: TaskMemory, { texts, now }: ToolContext, view: TaskView) {
  const statusMessage = "message" in view ? view.message : texts.task.over;
  const said = JSON.stringify([view.status, statusMessage]);
  if (memory.last?.view !== said) memory.last = { view: said, at: now(), polls: 0 };
  const { at, polls } = memory.last;
  memory.last.polls += 1;
  return {
    taskId,
    status: view.status,
    statusMessage,
    createdAt: toIso(memory.createdAt),
    lastUpdatedAt: toIso(at),
    ttlMs: TTL_MS,
    pollIntervalMs:
      view.status === "working" && view.isAtWork ? Math.max(POLL_MS, pollDelayMs(polls, now() - at, 0.5)) : POLL_MS,
  };
}
