import { describe, expect, it } from "vitest";
import { HomeUnwritable } from "../../src/home/errors.ts";
import { cancels, confirms } from "../support/backend.ts";
import { decisionAbout } from "../support/facts.ts";
import { answer, asks, decided, FOLLOWS, isOver, keyOf, until, WITH_PAGES } from "../support/task-client.ts";
import type { World } from "../support/world.ts";
import { only } from "./pause-support.ts";
import { asking, seconds } from "./task-support.ts";

/** The backend cannot be reached, or answers so to these requests, until the returned function is called. */
function down(world: World, ...routes: ("get" | "confirm" | "action")[]): () => void {
  for (const route of routes) world.mock.faults.add({ route, kind: "drop_before", times: Number.POSITIVE_INFINITY });
  return () => world.mock.faults.clear();
}

describe("the backend cannot be reached when the person answers", () => {
  it("a yes: no error of the protocol; the same question comes under a new key, and says why", async () => {
    const { world, request, task, next } = await asking();
    const up = down(world, "get", "confirm");
    expect((await answer(request, task, decided("accept"))).error).toBeUndefined();
    up();
    const again = await next(request, asks);
    expect(keyOf(again)).not.toBe(keyOf(task));
    expect(again.statusMessage).toMatch(/^Your answer had no effect\. /);
    expect(JSON.stringify(again.inputRequests)).toContain('"title":"Please answer again"');
    expect(confirms(world.mock)).toHaveLength(0);
    await answer(request, again, decided("accept"));
    const over = await next(request, isOver);
    expect(over.result.structuredContent.data.plan_output).toBeTruthy();
    expect(only(world)).toMatchObject({ confirmCount: 1, cancelled: false });
  });

  it("a yes that the backend refuses: asked anew", async () => {
    const { world, request, task, next } = await asking();
    world.mock.faults.add({ route: "confirm", kind: "status", status: 400 });
    expect((await answer(request, task, decided("accept"))).error).toBeUndefined();
    const again = await next(request, (seen) => asks(seen) && keyOf(seen) !== keyOf(task));
    await answer(request, again, decided("accept"));
    expect((await next(request, isOver)).status).toBe("completed");
    expect(only(world).confirmCount).toBe(1);
  });

  it.each([
    ["a decline", { action: "decline" }],
    ["a withdrawal", decided("reject")],
  ])("%s is written down and tried until the backend has it", async (_, response) => {
    const { world, request, taskId, task, next } = await asking();
    await world.clock.advance(2_000);
    const up = down(world, "get", "action");
    expect((await answer(request, task, response)).error).toBeUndefined();
    const meanwhile = await request("tasks/get", { taskId });
    expect(meanwhile).toMatchObject({ status: "working" });
    expect(meanwhile.statusMessage).toContain("It is being withdrawn; the backend does not show it yet.");
    up();
    const over = await next(request, isOver);
    expect(over.result.structuredContent.summary).toMatch(/It was not broadcast\.|No agent was asked\./);
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: true });
  });

  it("a cancelled task says that nothing is withdrawn yet, and later that it is", async () => {
    const { world, request, taskId, next } = await asking();
    const up = down(world, "get", "action");
    expect((await request("tasks/cancel", { taskId })).error).toBeUndefined();
    const meanwhile = await request("tasks/get", { taskId });
    expect(meanwhile).toMatchObject({ status: "cancelled" });
    expect(meanwhile.statusMessage).toContain("Not withdrawn yet");
    up();
    await world.clock.advance(5_000);
    const over = await next(request, isOver);
    expect(over.statusMessage).toMatch(/^Your client withdrew this demand\./); // nobody answered the question
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: true });
  });

  it("the question that a person reads stays open meanwhile, under its key", async () => {
    const { world, request, taskId, task, next } = await asking();
    await world.clock.advance(3_000);
    const up = down(world, "get");
    expect(await request("tasks/get", { taskId })).toMatchObject({ status: "input_required" });
    up();
    expect(keyOf(await next(request, asks))).toBe(keyOf(task));
  });

  it("a program that has never seen the text takes the answer all the same", async () => {
    const { world, request, task, taskId, next } = await asking();
    await world.clock.advance(1_000);
    const other = (await world.process()).taskClient();
    const up = down(world, "get", "action");
    expect((await answer(other, task, { action: "decline" })).error).toBeUndefined();
    expect((await request("tasks/get", { taskId })).status).toBe("working");
    up();
    await next(request, isOver);
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: true });
  });

  it("an answer that cannot be written down is asked for anew", async () => {
    const { world, request, task, next } = await asking();
    const { create } = world.facts;
    world.facts.create = async () => {
      throw new HomeUnwritable({ path: "/home", code: "ENOSPC" });
    };
    expect((await answer(request, task, decided("accept"))).error).toBeUndefined();
    world.facts.create = create;
    const again = await next(request, asks);
    expect(keyOf(again)).not.toBe(keyOf(task));
    await answer(request, again, decided("accept"));
    expect((await next(request, isOver)).status).toBe("completed");
    expect(only(world).confirmCount).toBe(1);
  });
});

describe("who answered", () => {
  it("a form declined sooner than a person reads: undecided, and asked again half a minute later", async () => {
    const { world, request, taskId, task, next } = await asking();
    await answer(request, task, { action: "decline" });
    const quiet = await request("tasks/get", { taskId });
    expect(quiet).toMatchObject({ status: "working" });
    expect(quiet.statusMessage).toContain("towow-mcp confirm");
    await world.clock.advance(25_000);
    expect((await request("tasks/get", { taskId })).status).toBe("working");
    const again = await next(request, asks);
    expect(keyOf(again)).not.toBe(keyOf(task));
    await world.clock.advance(1_000);
    await answer(request, again, { action: "decline" });
    expect((await next(request, isOver)).status).toBe("completed");
    expect(await decisionAbout(world, only(world).negotiation_id)).toMatchObject({ kind: "reject", by: "form" });
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: true });
  });

  it.each([
    ["a form where one shows the text", WITH_PAGES, "Short enough.", asks],
    ["the terminal where none does", WITH_PAGES, "Two lines,\nwhich no form shows.", undefined],
  ])("a page declined unseen: from then on %s, and nobody has said no", async (_, capabilities, text, holds) => {
    const { world, p, request, taskId, task } = await asking({ capabilities, text: "Two lines,\nat first." });
    expect(Object.values(task.inputRequests!)[0]!.params.mode).toBe("url");
    await answer(request, task, { action: "decline" });
    world.mock.engine.setFormulatedText(only(world).negotiation_id, text);
    await world.clock.advance(3_000);
    const now = await request("tasks/get", { taskId });
    expect(asks(now)).toBe(holds !== undefined);
    if (asks(now)) expect(Object.values(now.inputRequests!)[0]!.params).toMatchObject({ mode: "form", message: text });
    else expect(now.statusMessage).toContain("towow-mcp confirm");
    expect(p.pages).toHaveLength(1);
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: false });
  });

  it("'I'm done' without a decision: asked again at once, and the question says that nothing is decided", async () => {
    const shown = { capabilities: WITH_PAGES, text: "Two lines,\nat least." };
    const { world, request, taskId, task, next } = await asking(shown);
    let current = task;
    for (let round = 0; round < 2; round++) {
      await answer(request, current, { action: "accept" });
      const again = await request("tasks/get", { taskId });
      expect(again).toMatchObject({
        status: "input_required",
        statusMessage: expect.stringContaining("Not decided yet: nothing was sent."),
      });
      expect(Object.values(again.inputRequests!)[0]!.params.message).toMatch(/^Not decided yet: “Two lines/);
      expect(keyOf(again)).not.toBe(keyOf(current));
      current = again;
    }
    // What goes on answering like that is no person.
    await answer(request, current, { action: "accept" });
    await world.clock.advance(100_000);
    expect((await request("tasks/get", { taskId })).status).toBe("working");
    await next(request, asks);
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: false });
  });

  it("a page declined by a person is no decision: asked again later, and withdrawn before the deadline", async () => {
    const process = { config: { on_unconfirmed: "leave" } };
    const shown = { capabilities: WITH_PAGES, text: "Two lines,\nat least.", process };
    const { world, request, taskId, task, next } = await asking(shown);
    await world.clock.advance(5_000);
    await answer(request, task, { action: "decline" });
    const quiet = await request("tasks/get", { taskId });
    expect(quiet.status).toBe("working");
    expect(quiet.statusMessage).toContain("which decides nothing");
    expect(quiet.statusMessage).toContain("withdrawn, never broadcast");
    expect(keyOf(await next(request, asks))).not.toBe(keyOf(task));
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: false });
    expect((await next(request, isOver)).status).toBe("completed");
    expect(await decisionAbout(world, only(world).negotiation_id)).toMatchObject({ kind: "withdraw", by: "guard" });
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: true });
  });

  it("a client that declines by itself does so at another program as well", async () => {
    const { world, request, taskId, task } = await asking();
    const other = (await world.process()).taskClient();
    let current = task;
    for (let round = 0; round < 3; round++) {
      const [asker, answerer] = round % 2 === 0 ? [request, other] : [other, request];
      await answer(answerer, current, { action: "decline" });
      expect(cancels(world.mock)).toHaveLength(0);
      expect((await asker("tasks/get", { taskId })).status).toBe("working");
      current = await until(answerer, taskId, asks, seconds(world, 1));
    }
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: false });
  });
});

describe("change it first, with forms alone", () => {
  const typedIn = (text: string) => ({ action: "accept", content: { confirmed_text: text } });

  it("the text that the person types goes out, at whatever program", async () => {
    const { world, request, task, taskId, next } = await asking();
    const other = (await world.process()).taskClient();
    await answer(other, task, decided("edit"));
    const typing = await next(request, asks);
    const { params } = Object.values(typing.inputRequests!)[0]!;
    expect(params).toMatchObject({ requestedSchema: { required: ["confirmed_text"] } });
    expect(keyOf(await next(other, asks))).toBe(keyOf(typing));
    await answer(other, typing, typedIn(" "));
    const again = await next(request, asks);
    expect(Object.values(again.inputRequests!)[0]!.params).toMatchObject(params); // the same field once more
    expect((await other("tasks/get", { taskId })).statusMessage).toContain("empty");
    await answer(request, again, typedIn("A designer in Vienna"));
    await next(other, isOver);
    expect(only(world)).toMatchObject({ confirmedText: "A designer in Vienna", confirmCount: 1 });
  });

  it("a longer one is shown whole first, where it was typed; elsewhere nothing else is asked meanwhile", async () => {
    const { world, request, task, taskId, next } = await asking();
    const other = (await world.process()).taskClient();
    const text = `A designer in Vienna${", or in Graz".repeat(6)}`;
    await answer(request, task, decided("edit"));
    await answer(request, await next(request, asks), typedIn(text));
    const seen = await next(request, asks);
    expect(Object.values(seen.inputRequests!)[0]!.params.message).toBe(text);
    expect((await other("tasks/get", { taskId })).status).toBe("working");
    await answer(other, seen, decided("accept")); // it does not hold the text
    expect(confirms(world.mock)).toHaveLength(0);
    await answer(request, await next(request, asks), decided("accept"));
    await next(request, isOver);
    expect(only(world).confirmedText).toBe(text);
  });

  it("one that no form shows whole is for the terminal, and the person is asked again", async () => {
    const { world, request, task, taskId, next } = await asking();
    await answer(request, task, decided("edit"));
    await answer(request, await next(request, asks), typedIn("A designer, please. ".repeat(40)));
    expect((await request("tasks/get", { taskId })).statusMessage).toContain("towow-mcp confirm");
    const again = await next(request, asks);
    expect(Object.values(again.inputRequests!)[0]!.params.message).toBe(only(world).demand_formulated);
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("declining to write is no rejection of the demand", async () => {
    const { world, request, task, next } = await asking();
    await answer(request, task, decided("edit"));
    const typing = await next(request, asks);
    await world.clock.advance(5_000);
    await answer(request, typing, { action: "decline" });
    const again = await next(request, asks);
    expect(Object.values(again.inputRequests!)[0]!.params.message).toBe(only(world).demand_formulated);
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: false });
  });
});

it("another text: the answer to the older question decides nothing, a yes or a no", async () => {
  for (const response of [decided("accept"), decided("reject"), { action: "decline" }]) {
    const { world, request, taskId, task, next } = await asking();
    await world.clock.advance(3_000);
    world.mock.engine.setFormulatedText(only(world).negotiation_id, "Quite another text.");
    const now = await next(request, (seen) => asks(seen) && keyOf(seen) !== keyOf(task));
    await answer(request, task, response);
    expect((await request("tasks/get", { taskId })).statusMessage).toContain("older question");
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: false });
    await answer(request, now, decided("accept"));
    await next(request, isOver);
    expect(only(world).confirmedText).toBe("Quite another text.");
  }
});

describe("on a surface that this client has", () => {
  it.each([
    ["a yes", decided("accept")],
    ["a no", decided("reject")],
    ["a decline", { action: "decline" }],
  ])("%s in a form from a client that declared none does nothing, and the task says so", async (_, response) => {
    const { world, p, request, taskId, task } = await asking();
    await world.clock.advance(2_000);
    const formless = p.taskClient({ extensions: FOLLOWS.extensions });
    expect((await answer(formless, task, response)).error).toBeUndefined();
    expect((await request("tasks/get", { taskId })).statusMessage).toContain("a form or page this client");
    expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: false });
    await answer(request, task, decided("accept"));
    expect(only(world).confirmCount).toBe(1);
  });

  it("a form that was open when the policy became strict says no, and no more", async () => {
    for (const kind of ["accept", "reject"]) {
      const { world, p, request, taskId, task } = await asking();
      p.settings.confirmation_policy = "strict";
      await p.deps.live.save({});
      await answer(request, task, decided(kind));
      const { statusMessage } = await request("tasks/get", { taskId });
      if (kind === "accept") expect(statusMessage).toContain("No form counts");
      expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: kind === "reject" });
    }
  });
});

describe("an answer that comes too late", () => {
  it("a text that changed under the form is asked about again, and the form says so", async () => {
    const { world, request, task, next } = await asking();
    world.mock.engine.patch(only(world).negotiation_id, { demand_formulated: "Another text" });
    await answer(request, task, decided("accept"));
    const again = await next(request, (seen) => asks(seen) && keyOf(seen) !== keyOf(task));
    expect(again.statusMessage).toContain("The text changed since you were shown it.");
    expect(JSON.stringify(again.inputRequests)).toContain('"title":"The text has changed"');
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it.each([
    ["a withdrawal", decided("reject"), "accept"],
    ["a decline", { action: "decline" }, "accept"],
    ["a yes", decided("accept"), "reject"],
  ])("%s after the decision has no effect, and the task says so to its end", async (_, second, first) => {
    const { world, request, taskId, task, next } = await asking();
    await world.clock.advance(2_000);
    await answer(request, task, decided(first));
    await answer(request, task, second);
    const meanwhile = await request("tasks/get", { taskId });
    const words = first === "accept" ? "confirmed" : "withdrawn";
    const late = new RegExp(`^A later answer had no effect\\. .+ is already decided: ${words}, in the client's form`);
    if (meanwhile.status === "working") {
      expect(meanwhile.statusMessage).toMatch(late);
      expect(meanwhile.statusMessage.includes("To withdraw it, call towow_demand")).toBe(first === "accept");
    }
    const over = await next(request, isOver);
    expect(over.result.structuredContent.summary).toMatch(late);
    expect(over.result.structuredContent.summary).not.toContain("To withdraw it"); // it is over
    expect(only(world).confirmCount).toBe(first === "accept" ? 1 : 0);
  });

  it("the same answer again is no news", async () => {
    const { world, request, task, next } = await asking();
    await answer(request, task, decided("accept"));
    await answer(request, task, decided("accept"));
    const over = await next(request, isOver);
    expect(over.result.structuredContent.summary).not.toContain("no effect");
    expect(only(world).confirmCount).toBe(1);
  });
});
