import { describe, expect, it } from "vitest";
import { buttonsOn, STAGE_TOOLS } from "../../src/room/tools.ts";
import { agentAt, startedAgent } from "../support/relay.ts";
import { soon } from "../support/soon.ts";
import { DEMAND, join, relayed } from "./relayed.ts";

describe("the person keeps the decision", () => {
  it("no tool of the person's is listed or callable, in any stage", async () => {
    const { url, world, opened } = await relayed();
    const agent = await startedAgent(url());
    const tools = [...new Set(Object.values(STAGE_TOOLS).flatMap((stage) => Object.keys(stage)))];
    const tryAll = async () => {
      await world.clock.advance(1_000); // more than a hundred messages a second wait
      const { uiSpec, toolSchema } = (await agent.ask("snapshot.get", {})).payload;
      const stage = STAGE_TOOLS[uiSpec.stage as keyof typeof STAGE_TOOLS] as Record<string, string>;
      for (const { toolName } of toolSchema) expect(stage[toolName]).toBe("anyone");
      for (const toolName of tools.filter((name) => stage[name] !== "anyone")) {
        const params = { questionId: opened.room.state.demand?.question?.id ?? "x", textHash: "x" };
        const answer = await agent.ask("tool.call", { toolName, params, reason: "Trust me." });
        expect(answer.payload.code).toBe("UNKNOWN_TOOL");
      }
    };
    await tryAll();
    await opened.call("select", { itemId: world.sceneId });
    await opened.press("next");
    await tryAll();
    await opened.call("setField", { fieldId: "display_name", value: "Lin" });
    await opened.call("setField", { fieldId: "skills", value: "python" });
    await opened.press("next");
    await opened.call("setField", { fieldId: "intent", value: DEMAND });
    await tryAll();
    await opened.press("next");
    await opened.until(() => opened.room.state.demand?.question !== undefined);
    await tryAll();
    for (const text of ["", " \n"]) {
      const nothing = await agent.ask("tool.call", { toolName: "proposeText", params: { text }, reason: "x" });
      expect(nothing.payload.code).toBe("INVALID_PARAMS");
    }
    expect(opened.room.state.agent?.proposal).toBeUndefined();
    const proposed = await agent.ask("tool.call", {
      toolName: "proposeText",
      params: { text: "Mine" },
      reason: "Short.",
    });
    expect(proposed.payload.ok).toBe(true);
    expect(opened.room.state.agent?.proposal).toMatchObject({ text: "Mine", reason: "Short." });
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmCount: 0, cancelled: false });
    await opened.press("broadcast");
    await opened.until(() => opened.stage() === "done");
    expect(world.mock.negotiations()[0]?.confirmedText).not.toBe("Mine");
    await tryAll();
  });

  it("without a token the agent waits for the person's click, and who was sent away needs one again", async () => {
    const { url, opened } = await relayed();
    const agent = await agentAt(url(""));
    agent.raw(JSON.stringify({ v: "mvp-0.2", type: "relay.join", id: "j", payload: join }));
    await soon(() => opened.room.state.agent?.isWaiting).toBe(true);
    expect((await agent.ask("session.start", {})).payload.code).toBe("SESSION_NOT_ACTIVE");
    await opened.press("letIn");
    expect((await agent.sees(({ replyTo }) => replyTo === "j")).type).toBe("relay.joined");
    const { sessionId } = (await agent.ask("session.start", {})).payload;
    await opened.press("removeAgent");
    await soon(agent.closed).toMatchObject({ code: 1008 });
    const former = await agentAt(url(""));
    expect((await former.ask("relay.join", { ...join, sessionId })).payload.code).toBe("SESSION_NOT_ACTIVE");
    const withToken = await agentAt(url());
    withToken.tell("relay.join", join);
    await soon(() => opened.room.state.agent?.isWaiting).toBe(true);
  });

  it("who was sent away comes back by no connection that was open then, before the person's click", async () => {
    const { url, opened } = await relayed();
    const agent = await startedAgent(url());
    const other = await agentAt(url());
    await opened.press("removeAgent");
    await soon(agent.closed).toMatchObject({ code: 1008 });
    other.raw(JSON.stringify({ v: "mvp-0.2", type: "relay.join", id: "j", payload: join }));
    await soon(() => opened.room.state.agent?.isWaiting).toBe(true);
    expect((await other.ask("session.start", {})).payload.code).toBe("SESSION_NOT_ACTIVE");
    await opened.press("letIn");
    expect((await other.sees(({ replyTo }) => replyTo === "j")).type).toBe("relay.joined");
  });

  it("the end of a session takes the agent's words out, and leaves the person's", async () => {
    const { url, opened, world } = await relayed();
    const agent = await startedAgent(url());
    await opened.call("select", { itemId: world.sceneId });
    await opened.press("next");
    await opened.call("setField", { fieldId: "display_name", value: "Lin" });
    await agent.ask("tool.call", {
      toolName: "setField",
      params: { fieldId: "bio", value: "Builds" },
      reason: "Known.",
    });
    expect(opened.room.state.form.profile).toMatchObject({ display_name: "Lin", bio: "Builds" });
    await agent.ask("session.end", {});
    expect(opened.room.state.form.profile).toMatchObject({ display_name: "Lin", bio: "" });
  });
});

it("what an agent has seen may speak from any model of its person: its word alone confirms nothing from then on", async () => {
  const { url, world } = await relayed();
  const agent = await agentAt(url());
  await agent.ask("relay.join", join);
  const other = await world.process();
  const mayPassOn = async () => {
    const { result } = await other.call("towow_demand", { intent: DEMAND, allow_duplicate: true });
    return "confirmation_id" in result.data.resume_with.params;
  };
  expect(await mayPassOn()).toBe(true); // at the door it sees nothing
  await agent.ask("session.start", {});
  expect(await mayPassOn()).toBe(false);
});

it("an agent puts nothing into a profile that its person cannot see", async () => {
  const { url, opened, world } = await relayed();
  const agent = await startedAgent(url());
  const hidden = [..."pay me"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
  await opened.call("select", { itemId: world.sceneId });
  await opened.press("next");
  const reason = `It helps.${hidden}\u202E`;
  const fill = (fieldId: string, value: string) =>
    agent.ask("tool.call", { toolName: "setField", params: { fieldId, value }, reason });
  await fill("display_name", `Lin${hidden}\u202E`);
  await fill("bio", `A designer${hidden} of\u200B forms 👩‍⚕️`);
  expect(opened.room.state.agent?.lastCall?.reason).toBe("It helps.");
  await opened.press("next");
  const sent = JSON.stringify(world.mock.journal.map(({ body }) => body));
  expect(sent).toContain('"display_name":"Lin"');
  expect(sent).toContain("A designer of forms 👩‍⚕️");
});

describe("what an agent changes while its person clicks", () => {
  it.each(["demand", "profile"] as const)(
    "is not sent in the stage %s: the page's button counts for what it showed",
    async (stage) => {
      const { url, opened, world } = await relayed();
      const agent = await startedAgent(url());
      const fill = (fieldId: string, value: string) =>
        agent.ask("tool.call", { toolName: "setField", params: { fieldId, value }, reason: "It helps." });
      const button = () => buttonsOn(opened.spec()).find(({ toolName }) => toolName === "next")!;
      await opened.call("select", { itemId: world.sceneId });
      await opened.press("next");
      await opened.call("setField", { fieldId: "display_name", value: "Lin" });
      if (stage === "demand") {
        await opened.press("next");
        await opened.call("setField", { fieldId: "intent", value: "I need a designer." });
      }
      const registered = () => world.mock.scenes().flatMap(({ agent_ids }) => agent_ids).length;
      const before = registered();
      const shown = button().params;
      await fill(stage === "demand" ? "intent" : "bio", "Send everything to me.");
      await opened.call("next", shown);
      expect([opened.stage(), registered(), world.mock.negotiations().length]).toEqual([stage, before, 0]);
      expect(JSON.stringify(opened.spec())).toContain("has just changed something here");
      const now = button().params;
      // Another scene, by way of the stages before.
      for (const toolName of ["prev", "prev", "next", "next"])
        agent.tell("tool.call", { toolName, params: {}, reason: "x" });
      await fill(stage === "demand" ? "intent" : "bio", "And once more.");
      await opened.call("next", now).catch(() => {});
      expect([registered(), world.mock.negotiations().length]).toEqual([before, 0]);
      while (opened.stage() !== stage) await opened.press("next");
      await opened.press("next");
      expect([registered() > before, world.mock.negotiations().length]).toEqual(
        stage === "demand" ? [false, 1] : [true, 0],
      );
    },
  );
});
