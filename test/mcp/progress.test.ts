import { expect, it } from "vitest";
import { silentLog } from "../../src/log.ts";
import { createProgress } from "../../src/mcp/progress.ts";
import { ACCEPT, INTENT } from "../ask/pause-support.ts";
import { createWorld } from "../support/world.ts";

/** A call of a client that asked for progress; `arrive` lets its connection take what was sent. */
function callAt() {
  const sent: { progress: number; message: string }[] = [];
  let arrive = () => {};
  const notify = ({ params }: { params: (typeof sent)[number] }) => {
    sent.push(params);
    return new Promise<void>((resolve) => {
      arrive = resolve;
    });
  };
  const mcpReq = { _meta: { progressToken: 7 }, notify };
  return { ctx: { mcpReq } as never, sent, arrive: () => arrive() };
}

it("the answer waits until what was told is out, and leaves in a later turn", async () => {
  const { ctx, sent, arrive } = callAt();
  const progress = createProgress(ctx, 0, silentLog);
  progress.tell("one");
  let isOver = false;
  const ending = progress.end().finally(() => {
    isOver = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  arrive();
  for (let i = 0; i < 20; i++) await Promise.resolve();
  expect(isOver).toBe(false);
  expect(await ending).toBe(1);
  progress.tell("too late");
  expect(sent).toEqual([{ progressToken: 7, progress: 1, message: "one" }]);
});

it("counts on where an earlier round of the call ended", async () => {
  const { ctx, sent, arrive } = callAt();
  const progress = createProgress(ctx, 3, silentLog);
  progress.tell("again");
  arrive();
  expect(await progress.end()).toBe(4);
  expect(sent.map(({ progress }) => progress)).toEqual([4]);
});

it("its number counts across the rounds of a call that asks", async () => {
  const world = await createWorld();
  const p = await world.process({ answer: () => ACCEPT });
  const values: number[] = [];
  await p.call("towow_demand", { intent: INTENT }, { onProgress: (_, value) => values.push(value) });
  expect(values.length).toBeGreaterThan(1);
  expect(values).toEqual(values.map((_, index) => index + 1));
});

it("the change that ends a call is told by its answer, and by nothing beside it", async () => {
  const world = await createWorld();
  const p = await world.process({ answer: () => ACCEPT });
  const heard: string[] = [];
  await p.call("towow_demand", { intent: INTENT });
  const { result } = await p.call("towow_status", { wait: "done" }, { onProgress: (message) => heard.push(message) });
  expect(result.data.state).toBe("completed");
  expect(result.summary).toMatch(/plan is ready/i);
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.join("\n")).not.toMatch(/plan is ready/i);
});
