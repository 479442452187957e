import {
  type ClientCapabilities,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { answerTask, cancelTask, type TaskQuestion, type TaskView, viewTask } from "../ask/background-task.ts";
import { toIso } from "../home/iso-time.ts";
import type { NegotiationKey } from "../negotiation/facts.ts";
import type { Session } from "../session/session.ts";
import type { TaskMemory } from "../session/task-memory.ts";
import type { ToolContext } from "../tools/define.ts";

/** Background tasks, as the extension of the 2026 era has them. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** What is written of a negotiation is kept for so long, in milliseconds; so is its task. */
const TTL_MS = 30 * 24 * 3_600_000;
/** While a person may be waiting for what comes next, and while agents are at work. */
const POLL_MS = 1_000;
const CALM_POLL_MS = 2_000;

export interface TasksDeps {
  session: Session;
  capabilities: (ctx: ServerContext) => ClientCapabilities | undefined;
  /** The context of a request about something at this origin; absent: at the backend in use. */
  contextOf: (ctx: ServerContext, origin?: string) => ToolContext;
  /** What `towow_status` answers, as a call gives it. */
  status: (id: string, context: ToolContext) => Promise<Record<string, unknown>>;
  /** The same as text alone. */
  statusText: (id: string, context: ToolContext) => Promise<string>;
}

/** Whether the client of this request follows background tasks. */
export const followsTasks = (capabilities: ClientCapabilities | undefined): boolean =>
  capabilities?.extensions?.[TASKS_EXTENSION] !== undefined;

/** The name of a negotiation's task: the same in every program of its user, and it tells nothing about either. */
const taskIdOf = ({ origin, id }: NegotiationKey, { negotiations }: ToolContext): string =>
  `task-${negotiations.hash(JSON.stringify(["task", origin, id])).slice(0, 32)}`;

const idParams = z.object({ taskId: z.string().max(200) });
const updateParams = idParams.extend({ inputResponses: z.record(z.string(), z.unknown()).optional() });

export interface Tasks {
  /** The result as text; empty while there is none, undefined where there is no such task. */
  resultOf: (taskId: string, ctx: ServerContext) => Promise<string | undefined>;
}

/** Serves tasks of negotiations that were submitted by this user. */
export function serveTasks(server: Server, deps: TasksDeps): Tasks {
  const { session } = deps;

  /** @throws the protocol's errors for a client that follows no tasks, and for a task that is not this user's */
  async function open(taskId: string, ctx: ServerContext): Promise<{ memory: TaskMemory; context: ToolContext }> {
    if (!followsTasks(deps.capabilities(ctx)))
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
      });
    const memory = await find(taskId, ctx);
    if (memory === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, deps.contextOf(ctx).texts.task.unknown);
    const context = deps.contextOf(ctx, memory.of.origin);
    context.concerns(memory.of.id);
    return { memory, context };
  }

  async function find(taskId: string, ctx: ServerContext): Promise<TaskMemory | undefined> {
    const kept = session.tasks.get(taskId);
    if (kept !== undefined) return kept;
    const context = deps.contextOf(ctx);
    const key = (await context.negotiations.known()).find((one) => taskIdOf(one, context) === taskId);
    if (key === undefined) return undefined;
    const at = deps.contextOf(ctx, key.origin);
    at.negotiations.recoverSoon();
    return (await at.negotiations.facts(key.id)).submitted && session.tasks.add(taskId, key);
  }

  server.setRequestHandler("tasks/get", { params: idParams }, async ({ taskId }, ctx) => {
    const { memory, context } = await open(taskId, ctx);
    return detailsOf(taskId, memory, context, deps);
  });

  server.setRequestHandler("tasks/update", { params: updateParams }, async ({ taskId, inputResponses }, ctx) => {
    const { memory, context } = await open(taskId, ctx);
    const responses = { ...inputResponses, ...ctx.mcpReq.inputResponses };
    await answerTask(memory.of.id, responses, context, memory);
    return {};
  });

  server.setRequestHandler("tasks/cancel", { params: idParams }, async ({ taskId }, ctx) => {
    const { memory, context } = await open(taskId, ctx);
    await cancelTask(memory.of.id, context);
    return {};
  });

  return {
    async resultOf(taskId, ctx) {
      const memory = await find(taskId, ctx);
      if (memory === undefined) return undefined;
      const context = deps.contextOf(ctx, memory.of.origin);
      const { status } = await viewTask(memory.of.id, context, memory);
      return status === "completed" ? deps.statusText(memory.of.id, context) : "";
    },
  };
}

/** The answer to a call that goes on in the background. It is written down already: a demand is, before it is sent. */
export async function taskCreated(id: string, context: ToolContext, session: Session) {
  const taskId = taskIdOf({ origin: context.origin, id }, context);
  const memory = session.tasks.add(taskId, { origin: context.origin, id });
  const head = await headOf(taskId, memory, context, { status: "working", message: context.texts.task.begun });
  return { resultType: "task", ...head };
}

async function detailsOf(taskId: string, memory: TaskMemory, context: ToolContext, deps: TasksDeps) {
  const { id } = memory.of;
  const view = await viewTask(id, context, memory);
  const head = await headOf(taskId, memory, context, view);
  if (view.status === "input_required") return { ...head, inputRequests: requestOf(view.asked) };
  if (view.status === "completed") return { ...head, result: await deps.status(id, context) };
  return head;
}

async function headOf(taskId: string, memory: TaskMemory, context: ToolContext, view: TaskView) {
  const { negotiations, now } = context;
  const statusMessage = "message" in view ? view.message : context.texts.task.over;
  const said = JSON.stringify([view.status, statusMessage]);
  if (memory.last?.view !== said) memory.last = { view: said, at: now() };
  const { submitted } = await negotiations.facts(memory.of.id);
  const isCalm = view.status === "working" && (await negotiations.stage(memory.of.id)).decision !== undefined;
  return {
    taskId,
    status: view.status,
    statusMessage,
    createdAt: toIso(submitted?.at ?? now()),
    lastUpdatedAt: toIso(memory.last.at),
    ttlMs: TTL_MS,
    pollIntervalMs: isCalm ? CALM_POLL_MS : POLL_MS,
  };
}

function requestOf({ key, question }: TaskQuestion) {
  const { message } = question;
  const request =
    "url" in question
      ? inputRequired.elicitUrl({ message, url: question.url })
      : inputRequired.elicit({ mode: "form", message, requestedSchema: question.schema as never });
  return { [key]: request };
}
