import { expect, it } from "vitest";
import { answer, asks, decided, demand, FOLLOWS, isOver, type Task, until } from "../support/task-client.ts";
import { createWorld, type World } from "../support/world.ts";
import { only } from "./pause-support.ts";

/** Some of the scene's agents resonate with it. */
const INTENT = "想找懂产品设计、医院信息系统和增长的合伙人";

const second = (world: World) => () => world.clock.advance(1_000);

/** A demand in the background that its person has accepted; all that is polled from then on. */
async function accepted(lang: "en" | "zh", stepMs: number) {
  const world = await createWorld({ stepMs });
  const request = (await world.process({ config: { lang } })).taskClient();
  const { taskId } = await demand(request, world.sceneId, INTENT);
  await answer(request, await until(request, taskId, asks, second(world)), decided("accept"));
  const seen: Task[] = [];
  const poll = (holds: (task: Task) => boolean) =>
    until(request, taskId, (task) => seen.push(task) > 0 && holds(task), second(world));
  return { world, poll, seen };
}

it("while agents are at work its status is a sentence with their number, in the person's language", async () => {
  for (const [lang, sentence] of [
    ["en", /^[1-9] of \d agents made an offer/],
    ["zh", /^[1-9]\/\d 个 Agent 已提交 Offer/],
  ] as const) {
    const { poll, seen } = await accepted(lang, 10_000);
    await poll(isOver);
    const said = new Set(seen.filter(({ status }) => status === "working").map(({ statusMessage }) => statusMessage));
    expect([...said].filter((one) => sentence.test(one)).length, [...said].join(" | ")).toBeGreaterThan(1);
  }
});

it("the client is told to poll as often as the watcher looks: soon while it moves, seldom while nothing does", async () => {
  const { poll, seen } = await accepted("en", 20_000);
  await poll(({ statusMessage }) => /made an offer/.test(statusMessage) && seen.length > 60);
  const intervals = seen.map(({ pollIntervalMs }) => pollIntervalMs);
  expect(Math.min(...intervals)).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...intervals)).toBe(3_000);
  for (const { lastUpdatedAt, createdAt } of seen) expect(lastUpdatedAt >= createdAt).toBe(true);
});

it("an error of the tool is its result, and the task has completed", async () => {
  const { world, poll } = await accepted("en", 10_000);
  await poll(({ statusMessage }) => /made an offer/.test(statusMessage));
  world.mock.faults.add({ route: "get", kind: "status", status: 404, times: Number.POSITIVE_INFINITY });
  const over = await poll(({ status }) => status !== "working");
  expect(over).toMatchObject({ status: "completed", result: { isError: true } });
  expect(over.result.structuredContent.error.code).toBe("tool.negotiation.not_found.unknown_negotiation");
  expect(only(world).confirmCount).toBe(1);
});

it("while the task asks its person, the status does not send the model to ask them a second time", async () => {
  const world = await createWorld();
  const request = (await world.process()).taskClient();
  const { taskId } = await demand(request, world.sceneId, INTENT);
  await until(request, taskId, asks, second(world));
  const args = { negotiation_id: only(world).negotiation_id };
  const answered = await world.clock.run(request("tools/call", { name: "towow_status", arguments: args }));
  expect(JSON.stringify(answered)).toContain("The person is asked in the background");
  expect(JSON.stringify(answered)).not.toContain("Call again: the person is asked again");
});

it.each([
  ["no form", "auto", "here", { extensions: FOLLOWS.extensions }],
  ["no form", "strict", "here", { extensions: FOLLOWS.extensions }],
  ["no form that counts", "strict", "here", FOLLOWS],
  ["no form that counts", "strict", "elsewhere", FOLLOWS],
] as const)("a client with %s (%s, browser %s): the next call gives what its task promises", async (...given) => {
  const [, confirmation_policy, browser, capabilities] = given;
  const world = await createWorld();
  const p = await world.process({ config: { confirmation_policy }, browser });
  const request = p.taskClient(capabilities);
  const { taskId } = await demand(request, world.sceneId, INTENT);
  const { negotiation_id } = only(world);
  await world.clock.advance(2_000);
  expect(await request("tasks/get", { taskId })).toMatchObject({ status: "working" });
  const call = async (args: object): Promise<Task["result"]> =>
    ((await request("tools/call", { name: "towow_demand", arguments: args })) as Task["result"]).structuredContent;
  const { data, summary } = await call({ negotiation_id });
  expect(data.formulated_text).toBe(only(world).demand_formulated);
  if (confirmation_policy === "strict") {
    expect(p.pages).toMatchObject([{ negotiationId: negotiation_id }]);
    if (browser === "here") expect(p.opened).toHaveLength(1);
    else expect(summary).toContain("/approve/result/");
    return;
  }
  await call({ ...data.resume_with.params, decision: "accept" });
  expect(only(world).confirmCount).toBe(1);
});
