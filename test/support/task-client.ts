import { InMemoryTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { buildServer } from "../../src/mcp/server.ts";
import type { ServerDeps } from "../../src/mcp/server-deps.ts";
import { runningMock } from "./backend.ts";
import { temporaryHome } from "./home.ts";
import type { ManualClock } from "./manual-clock.ts";
import { rawServer } from "./raw-server.ts";
import { turn } from "./soon.ts";

const EXTENSION = "io.modelcontextprotocol/tasks";

/** What a client of the 2026 era says of itself with each request. */
export const declaring = (capabilities: object, client: object = { name: "task-client", version: "1" }) => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": client,
  "io.modelcontextprotocol/clientCapabilities": capabilities,
});

/** A client that shows forms and follows tasks, unless it says otherwise. */
export const FOLLOWS = { elicitation: { form: {} }, extensions: { [EXTENSION]: {} } };
export const WITH_PAGES = { elicitation: { form: {}, url: {} }, extensions: { [EXTENSION]: {} } };

export interface Task {
  taskId: string;
  status: "working" | "input_required" | "completed" | "cancelled" | "failed";
  statusMessage: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number;
  pollIntervalMs: number;
  inputRequests?: Record<
    string,
    { method: string; params: { message: string; mode: string; url?: string; elicitationId?: string } }
  >;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the data of its result
  result?: any;
  error?: { code: number; message: string; data?: unknown };
}

export type Request = (method: string, params?: object) => Promise<Task>;

/** A server on bare pipes with a client that follows tasks. */
export async function taskServer(
  env: Record<string, string>,
  capabilities: object = FOLLOWS,
  how: { spawned?: true } = {},
) {
  const server = rawServer(env, how);
  const request: Request = async (method, params = {}) =>
    (await server.request(method, { ...params, _meta: declaring(capabilities) })) as unknown as Task;
  return { server, request };
}

/** The same in this process, on its clock, which runs until the answer is there. */
export function inProcessTaskClient(
  deps: ServerDeps,
  clock: ManualClock,
  capabilities: object = FOLLOWS,
  client?: object,
): Request {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  serveStdio(() => buildServer(deps), { transport: theirs });
  const waiting = new Map<unknown, (task: Task) => void>();
  ours.onmessage = (message) => {
    const { id, result, error } = message as { id?: unknown; result?: Task; error?: object };
    waiting.get(id)?.((result ?? { error }) as Task);
  };
  let ids = 0;
  return (method, params = {}) => {
    const { promise, resolve } = Promise.withResolvers<Task>();
    const id = ++ids;
    waiting.set(id, resolve);
    void ours.send({ jsonrpc: "2.0", id, method, params: { ...params, _meta: declaring(capabilities, client) } });
    return clock.run(promise, { stepMs: 5 });
  };
}

/** A home with a mock backend, in which a person has joined a scene. */
export async function taskWorld(options: Parameters<typeof runningMock>[0] = {}) {
  const mock = await runningMock(options);
  const home = await temporaryHome();
  return { mock, home, env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: "en" } };
}

export const demand = (request: Request, sceneId: string, intent = "A designer for a hospital queue") =>
  request("tools/call", { name: "towow_demand", arguments: { intent, scene_id: sceneId } });

/** For what hangs, not for what is slow. */
const PATIENCE_MS = 60_000;

/** Polls as a client does, until something holds. */
export async function until(
  request: Request,
  taskId: string,
  holds: (task: Task) => boolean,
  pause = turn,
): Promise<Task> {
  for (const began = performance.now(); performance.now() - began < PATIENCE_MS; ) {
    const task = await request("tasks/get", { taskId });
    if (task.error !== undefined || holds(task)) return task;
    await pause();
  }
  throw new Error("it never came");
}

export const asks = ({ status }: Task): boolean => status === "input_required";
export const isOver = ({ status }: Task): boolean => status === "completed" || status === "cancelled";
/** The one key of the question that is open. */
export const keyOf = ({ inputRequests = {} }: Task): string => Object.keys(inputRequests)[0] ?? "";

/** The person's answer to the one question that is open. */
export const answer = (request: Request, task: Task, response: object) =>
  request("tasks/update", {
    taskId: task.taskId,
    inputResponses: { [keyOf(task)]: response },
  });

export const decided = (decision: string) => ({ action: "accept", content: { decision } });
