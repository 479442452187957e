import { expect, it } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import {
  answer,
  asks,
  decided,
  demand,
  FOLLOWS,
  isOver,
  keyOf,
  type Request,
  type Task,
  until,
} from "../support/task-client.ts";
import { createWorld } from "../support/world.ts";
import { INTENT, only } from "./pause-support.ts";
import { asking, seconds } from "./task-support.ts";

const UNKNOWN = -32602;
const METHODS = ["tasks/get", "tasks/update", "tasks/cancel"];

/** Every method refuses this id, and nothing comes of it. */
async function refused(request: Request, task: Task, id: string): Promise<void> {
  const inputResponses = { [keyOf(task)]: decided("accept") };
  for (const method of METHODS) {
    const { error } = await request(method, { taskId: id, inputResponses });
    expect(error?.code, `${method} ${id}`).toBe(UNKNOWN);
    expect(JSON.stringify(error)).not.toMatch(/neg_|user_test|question-/);
  }
}

it("a task id of another person is unknown, and its question cannot be answered", async () => {
  const { world, task, taskId } = await asking();
  const stranger = (await world.process({ stranger: "user_other" })).taskClient();
  await refused(stranger, task, taskId);
  expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: false });
});

it("forged task ids are unknown", async () => {
  const { world, request, task, taskId } = await asking();
  const { negotiation_id } = only(world);
  const forged = [taskId.slice(0, -1), `${taskId}0`, taskId.toUpperCase(), "../facts", "", "__proto__", negotiation_id];
  for (const id of forged) await refused(request, task, id);
  expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: false });
});

it("an expired task is unknown, also to the program that followed it", async () => {
  const { world, request, task, taskId } = await asking();
  await request("tasks/cancel", { taskId });
  await until(request, taskId, isOver, seconds(world, 1));
  await world.clock.advance(task.ttlMs);
  const requests = world.mock.journal.length;
  for (const program of [request, (await world.process()).taskClient()]) await refused(program, task, taskId);
  expect(world.mock.journal).toHaveLength(requests);
});

it("an answer under the key of a question that was answered before decides nothing", async () => {
  const { world, request, taskId, task, next } = await asking();
  await world.clock.advance(3_000);
  await answer(request, task, { action: "cancel" });
  const again = await next(request, asks);
  expect(keyOf(again)).not.toBe(keyOf(task));
  for (const late of ["accept", "reject"]) await answer(request, task, decided(late));
  expect((await request("tasks/get", { taskId })).statusMessage).toContain("older question");
  expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: false });
});

it("the same answer twice decides once, at one program and at two", async () => {
  for (const others of [0, 1]) {
    const { world, request, task, next } = await asking();
    const second = others === 0 ? request : (await world.process()).taskClient();
    await Promise.all([answer(request, task, decided("accept")), answer(second, task, decided("accept"))]);
    await answer(second, task, decided("reject"));
    await next(second, isOver);
    expect(confirms(world.mock)).toHaveLength(1);
    expect(cancels(world.mock)).toHaveLength(0);
  }
});

it("a client that polls without a pause reads the backend no more often than one that waits", async () => {
  const { world, request, taskId } = await asking();
  const from = world.mock.journal.length;
  const startedAt = world.clock.now();
  const polls = 300;
  for (let n = 0; n < polls; n++) expect((await request("tasks/get", { taskId })).status).toBe("input_required");
  const seconds = (world.clock.now() - startedAt) / 1_000;
  expect(world.mock.journal.length - from).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
});

it("a client that declares tasks and never polls: the guard withdraws in time, and a later poll says so", async () => {
  const world = await createWorld({ confirmTimeoutMs: 300_000 });
  const request = (await world.process()).taskClient(FOLLOWS);
  const { taskId } = await demand(request, world.sceneId, INTENT);
  await world.clock.advance(300_000);
  expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  const over = await request("tasks/get", { taskId });
  expect(over.status).toBe("completed");
  expect(over.result.structuredContent.summary).toMatch(/withdrawn|cancelled/i);
  expect(over.result.structuredContent.data.plan_output).toBeNull();
});

it("the program is killed while a task waits: the next one holds the guard, and is asked for the same task", async () => {
  for (const isAnswered of [true, false]) {
    const { world, p, task, taskId } = await asking();
    world.dead.add(p.pid);
    const request = (await world.process()).taskClient();
    await world.clock.advance(10_000);
    const asked = await until(request, taskId, asks, seconds(world, 1));
    expect(keyOf(asked)).toBe(keyOf(task));
    expect(asked.createdAt).toBe(task.createdAt);
    if (isAnswered) await answer(request, asked, decided("accept"));
    else await world.clock.advance(300_000);
    expect((await until(request, taskId, isOver, seconds(world, 1))).status).toBe("completed");
    expect(only(world)).toMatchObject({ confirmCount: isAnswered ? 1 : 0, cancelled: !isAnswered });
  }
});
