// The suite's tools that go on in the background. Two of them are real demands, whose tasks are the server's own; the
// others do what no demand does: fail at will, ask twice at once, ask before there is a task.
import { inputRequired, inputResponse, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import { ask, delay, type Fixture, type FixtureContext, needs, text } from "./fixture.ts";

const EXTENSION = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const SCENE = "AI 创业合伙人";
const TTL_MS = 3_600_000;
const ID = /^fixture-/;

type Ending = { result: object } | { error: { code: number; message: string } };
interface Task {
  id: string;
  createdAt: string;
  status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  asks: Record<string, ReturnType<typeof ask>>;
  ending?: Ending;
}

/** Of the whole process: each request of the 2026 era has a server of its own. */
const tasks = new Map<string, Task>();
let demands = 0;

function begin(ending: Ending, asks: Task["asks"] = {}) {
  const isAsking = Object.keys(asks).length > 0;
  const id = `fixture-${tasks.size + 1}`;
  const status = isAsking ? "input_required" : "working";
  const task: Task = { id, createdAt: new Date().toISOString(), status, asks, ending };
  tasks.set(id, task);
  if (!isAsking) void delay(1_000).then(() => end(task));
  return { resultType: "task", ...headOf(task) };
}

function end(task: Task): void {
  if (task.status === "cancelled") return;
  task.status = task.ending !== undefined && "error" in task.ending ? "failed" : "completed";
}

const headOf = ({ id, status, createdAt }: Task) => ({
  taskId: id,
  status,
  createdAt,
  lastUpdatedAt: createdAt,
  ttlMs: TTL_MS,
  pollIntervalMs: 200,
});

/** One demand to the mock backend. Nobody decides about it: the backend goes on by itself after its deadline. */
async function demand({ callTool }: FixtureContext, intent: string) {
  const { structuredContent } = await callTool("towow_join", { scene: SCENE, raw_content: "conformance" });
  const { data } = structuredContent as { data: { scene_id: string } };
  demands += 1;
  return callTool("towow_demand", { scene_id: data.scene_id, intent: `${intent} ${demands}` });
}

/** The person's answer to a form of the suite's means a yes in one of the server's. */
const inOwnWords = (responses: Record<string, unknown> = {}) =>
  Object.fromEntries(
    Object.entries(responses).map(([key, answer]) => [
      key,
      (answer as { action?: string }).action === "accept"
        ? { action: "accept", content: { decision: "accept" } }
        : answer,
    ]),
  );

export const TASK_TOOLS: Record<string, Fixture> = {
  greet: {
    description: "Says hello at once",
    inputSchema: { type: "object", properties: { name: { type: "string" } } },
    call: ({ args }) => text(`Hello, ${args.name}!`),
  },
  slow_compute: {
    description: "A demand about which nobody decides",
    inputSchema: { type: "object", properties: { seconds: { type: "number" }, label: { type: "string" } } },
    call: (context) => demand(context, `slow_compute ${context.args.label}`),
  },
  confirm_delete: {
    description: "A demand about which the person decides",
    inputSchema: { type: "object", properties: { filename: { type: "string" } } },
    call: (context) => demand(context, `confirm_delete ${context.args.filename}`),
  },
  failing_job: {
    description: "Fails in the background",
    call({ capabilities }) {
      needs(capabilities, EXTENSION);
      return begin({ result: { ...text("This job always fails."), isError: true } });
    },
  },
  protocol_error_job: {
    description: "Breaks in the background",
    call({ capabilities }) {
      needs(capabilities, EXTENSION);
      return begin({ error: { code: ProtocolErrorCode.InternalError, message: "This job always breaks." } });
    },
  },
  multi_input: {
    description: "Asks two questions at once",
    call({ capabilities }) {
      needs(capabilities, EXTENSION);
      return begin(
        { result: text("Both answered.") },
        { one: ask("The first?", "name"), two: ask("The second?", "name") },
      );
    },
  },
  test_tool_with_task: {
    description: "Asks, and then goes on in the background",
    call({ capabilities, ctx }) {
      needs(capabilities, EXTENSION);
      const answer = inputResponse(ctx.mcpReq.inputResponses, "user_name");
      if (answer.kind !== "elicit")
        return inputRequired({ inputRequests: { user_name: ask("What is your name?", "name") } });
      return begin({ result: text(`Done for ${answer.content?.name}.`) });
    },
  },
};

type Handler = (params: { taskId: string; inputResponses?: Record<string, unknown> }, ctx: ServerContext) => unknown;

/** Answers for the fixtures' own tasks; every other one, known or not, is the server's. */
export const taskHandlers = (own: Record<string, Handler>): Record<string, Handler> => ({
  "tasks/get"(params, ctx) {
    const task = tasks.get(params.taskId);
    if (!ID.test(params.taskId) || task === undefined) return own["tasks/get"]?.(params, ctx);
    const { status, asks, ending } = task;
    if (status === "input_required") return { ...headOf(task), inputRequests: asks };
    return { ...headOf(task), ...((status === "completed" || status === "failed") && ending) };
  },
  "tasks/update"(params, ctx) {
    const task = tasks.get(params.taskId);
    const given = { ...params.inputResponses, ...ctx.mcpReq.inputResponses };
    if (task === undefined) {
      const mcpReq = { ...ctx.mcpReq, inputResponses: {} };
      return own["tasks/update"]?.({ ...params, inputResponses: inOwnWords(given) }, { ...ctx, mcpReq });
    }
    for (const key of Object.keys(given)) delete task.asks[key];
    if (Object.keys(task.asks).length === 0) end(task);
    return {};
  },
  "tasks/cancel"(params, ctx) {
    const task = tasks.get(params.taskId);
    if (task === undefined) return own["tasks/cancel"]?.(params, ctx);
    if (task.status === "working" || task.status === "input_required") task.status = "cancelled";
    return {};
  },
});
