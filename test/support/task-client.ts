import { runningMock } from "./backend.ts";
import { temporaryHome } from "./home.ts";
import { rawServer } from "./raw-server.ts";

const EXTENSION = "io.modelcontextprotocol/tasks";

/** What a client of the 2026 era says of itself with each request. */
export const declaring = (capabilities: object) => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "task-client", version: "1" },
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
  inputRequests?: Record<string, { method: string; params: { message: string; mode: string; url?: string } }>;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the data of its result
  result?: any;
  error?: { code: number; message: string; data?: unknown };
}

export type Request = (method: string, params?: object) => Promise<Task>;

/** A server on bare pipes with a client that follows tasks. */
export async function taskServer(env: Record<string, string>, capabilities: object = FOLLOWS) {
  const server = rawServer(env);
  const request: Request = async (method, params = {}) =>
    (await server.request(method, { ...params, _meta: declaring(capabilities) })) as unknown as Task;
  return { server, request };
}

/** A home with a mock backend, in which a person has joined a scene. */
export async function taskWorld(options: Parameters<typeof runningMock>[0] = {}) {
  const mock = await runningMock(options);
  const home = await temporaryHome();
  return { mock, home, env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: "en" } };
}

export const demand = (request: Request, sceneId: string, intent = "A designer for a hospital queue") =>
  request("tools/call", { name: "towow_demand", arguments: { intent, scene_id: sceneId } });

/** Polls as a client does, until something holds. */
export async function until(request: Request, taskId: string, holds: (task: Task) => boolean): Promise<Task> {
  for (let n = 0; n < 400; n++) {
    const task = await request("tasks/get", { taskId });
    if (task.error !== undefined || holds(task)) return task;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it never came");
}

/** The person's answer to the one question that is open. */
export const answer = (request: Request, task: Task, response: object) =>
  request("tasks/update", {
    taskId: task.taskId,
    inputResponses: { [Object.keys(task.inputRequests ?? {})[0] ?? ""]: response },
  });

export const decided = (decision: string) => ({ action: "accept", content: { decision } });
