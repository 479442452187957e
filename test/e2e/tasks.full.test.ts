import { expect, it, onTestFinished } from "vitest";
import { cancels, confirms, submits } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import {
  answer,
  asks,
  decided,
  declaring,
  demand,
  isOver,
  taskServer,
  taskWorld,
  until,
} from "../support/task-client.ts";
import { twoBackends } from "../support/two-backends.ts";

it("a demand goes on in the background, asks with the whole text, and ends with the plan", async () => {
  const { mock, env } = await taskWorld();
  const { request } = await taskServer(env);
  const discovered = (await request("server/discover")) as unknown as { capabilities: { extensions: object } };
  expect(discovered.capabilities.extensions).toEqual({
    "io.modelcontextprotocol/tasks": {},
    "io.modelcontextprotocol/ui": { elicitation: {} },
  });
  const begun = await demand(request, mock.sceneId);
  expect(begun).toMatchObject({ resultType: "task", status: "working", pollIntervalMs: 1000 });
  expect(begun.taskId).not.toContain("neg");
  const asked = await until(request, begun.taskId, asks);
  expect(Object.keys(asked.inputRequests!)).toHaveLength(1);
  const [question] = Object.values(asked.inputRequests!);
  expect(question).toMatchObject({ method: "elicitation/create" });
  expect(question!.params.message).toBe(mock.negotiations()[0]!.demand_formulated);
  expect(confirms(mock)).toHaveLength(0);
  expect((await answer(request, asked, decided("accept"))).error).toBeUndefined();
  const over = await until(request, begun.taskId, isOver);
  expect(over).toMatchObject({ status: "completed", createdAt: begun.createdAt });
  expect(over.result.structuredContent.data.plan_output).toBeTruthy();
  expect(over.statusMessage).toBeTruthy();
  expect(over.result.isError).toBe(false);
  expect(confirms(mock)).toHaveLength(1);
  expect(submits(mock)).toHaveLength(1);
  expect(await request("tasks/get", { taskId: begun.taskId })).toMatchObject({ status: "completed" });
  const read = await request("resources/read", { uri: `towow://tasks/${begun.taskId}/result` });
  const { contents } = read as unknown as { contents: [{ text: string }] };
  expect(contents[0].text).toContain(over.result.structuredContent.summary);
  expect((await request("resources/read", { uri: "towow://tasks/task-0/result" })).error?.code).toBe(-32602);
});

it("cancelled while it asks, the demand is withdrawn; after the broadcast it is only followed no more", async () => {
  const { mock, env } = await taskWorld({ stepMs: 400 });
  const { request } = await taskServer(env);
  const first = await demand(request, mock.sceneId, "One");
  await until(request, first.taskId, asks);
  await request("tasks/cancel", { taskId: first.taskId });
  expect((await until(request, first.taskId, isOver)).status).toBe("cancelled");
  expect(cancels(mock)).toHaveLength(1);
  const second = await demand(request, mock.sceneId, "Two");
  await answer(request, await until(request, second.taskId, asks), decided("accept"));
  await request("tasks/cancel", { taskId: second.taskId });
  const left = await until(request, second.taskId, isOver);
  expect(left.status).toBe("cancelled");
  expect(left.statusMessage).toContain("decision cancel");
  expect(cancels(mock)).toHaveLength(1);
});

it("a session of the 2025 era gets the text as its result, also where its client follows tasks in the other era", async () => {
  const { mock, env } = await taskWorld();
  const { server } = await taskServer(env);
  const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  const clientInfo = { name: "inspector-cli", version: "2.12.0" };
  await server.request("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
  const called = await server.request("tools/call", {
    name: "towow_demand",
    arguments: { intent: "A designer", scene_id: mock.sceneId },
  });
  expect(called.resultType).toBeUndefined();
  expect(called.structuredContent).toMatchObject({ data: { state: "formulated" } });
});

it("a task that is none, or another backend's guess, is refused; so is a client that follows no tasks", async () => {
  const { mock, env } = await taskWorld();
  const { request, server } = await taskServer(env);
  const { taskId } = await demand(request, mock.sceneId);
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    for (const id of ["task-0", "", `${taskId}0`, "../task", mock.negotiations()[0]!.negotiation_id])
      expect((await request(method, { taskId: id, inputResponses: {} })).error?.code, `${method} ${id}`).toBe(-32602);
    const undeclared = await server.request(method, { taskId, inputResponses: {}, _meta: declaring({}) });
    expect((undeclared.error as { code: number }).code).toBe(-32021);
  }
  const plain = await server.request("tools/call", {
    name: "towow_demand",
    arguments: { intent: "Another", scene_id: mock.sceneId },
    _meta: declaring({}),
  });
  expect(plain.resultType).toBe("complete");
  await request("tasks/cancel", { taskId });
});

it("a task of another backend says where it is, and goes on when that one is configured again", async () => {
  const world = await twoBackends();
  const { a, b, env } = world;
  const { taskId } = await demand((await taskServer(env)).request, a.sceneId);
  world.edit({ backend_url: b.url });
  const { request } = await taskServer(env);
  const elsewhere = await request("tasks/get", { taskId });
  expect(elsewhere).toMatchObject({ status: "working" });
  expect(elsewhere.statusMessage).toContain(new URL(a.url).host);
  world.edit({ backend_url: a.url });
  await answer(request, await until(request, taskId, asks), decided("accept"));
  const over = await until(request, taskId, isOver);
  expect(over.result.structuredContent.data.plan_output).toBeTruthy();
  expect(confirms(a)).toHaveLength(1);
  expect(b.journal).toEqual([]);
});

it("the sandbox has a name wherever a backend is named: in a task, beside a result, in the policy", async () => {
  const { a, env, edit } = await twoBackends({ backend_url: "sandbox" });
  onTestFinished(async () => void (await cli(["sandbox", "--stop"], { env })));
  const { request } = await taskServer(env);
  const listed = (await request("tools/call", { name: "towow_list_scenes", arguments: {} })) as unknown as {
    _meta: Record<string, unknown>;
    structuredContent: { data: { scenes: { scene_id: string }[] } };
  };
  expect(listed._meta["towow/provider"]).toBe("sandbox");
  const policy = await request("resources/read", { uri: "towow://policy" });
  expect(JSON.stringify(policy)).toContain('\\"backend\\": \\"sandbox\\"');
  const { taskId } = await demand(request, listed.structuredContent.data.scenes[0]!.scene_id);
  edit({ backend_url: a.url });
  const elsewhere = await (await taskServer(env)).request("tasks/get", { taskId });
  expect(elsewhere).toMatchObject({ status: "working", statusMessage: expect.stringContaining("at sandbox,") });
});
