import { describe, expect, it } from "vitest";
import { RELAY_ERRORS, TO_AGENT } from "../../src/relay/protocol.ts";
import { actionsOf, STAGE_TOOLS } from "../../src/room/tools.ts";
import { agentAt, startedAgent } from "../support/relay.ts";
import { DEMAND, join, relayed } from "./relayed.ts";

describe("the seed's example messages, in its order", () => {
  it("from relay.join to session.ended", async () => {
    const { world, opened, url, events } = await relayed();
    const agent = await agentAt(url());
    expect(await agent.ask("relay.join", join)).toMatchObject({ type: "relay.joined", payload: join });
    const started = await agent.ask("session.start", { studyId: "pilot-01", participantId: "P07" });
    const { sessionId } = started.payload;
    expect(sessionId).toMatch(/^s-\d{8}-\w+$/);
    const { payload } = await agent.ask("snapshot.get", {});
    expect(payload).toEqual({ sessionId, ...JSON.parse(JSON.stringify(opened.room.snapshot())) });
    const call = { toolName: "select", params: { itemId: world.sceneId }, reason: "It fits what they ask for." };
    const result = await agent.ask("tool.call", call);
    expect(result).toMatchObject({ type: "tool.result", payload: { ok: true, toolName: "select" } });
    expect(result.payload.uiSpec).toEqual(JSON.parse(JSON.stringify(opened.spec())));
    expect(opened.room.state.agent?.lastCall).toEqual({ toolName: "select", reason: call.reason });
    const next = await agent.ask("tool.call", { toolName: "next", params: {}, reason: "Go on." });
    expect(next.payload).toEqual({ ok: true, toolName: "next" });
    await agent.sees(({ type, payload: { uiSpec } }) => type === "state.updated" && uiSpec.stage === "profile");
    agent.tell("agent.message", { text: "I will fill in what I know." });
    await agent.sees(
      ({ type, payload: { messageHistory } }) => type === "state.updated" && messageHistory.length === 1,
    );
    await opened.call("postMessage", { text: "I prefer remote." });
    expect(await agent.sees(({ type }) => type === "user.message")).toMatchObject({
      payload: { text: "I prefer remote.", stage: "profile" },
    });
    const ended = await agent.ask("session.end", { reason: "study-complete" });
    expect(ended.payload).toEqual({ sessionId, logFile: `logs/study/${sessionId}.jsonl`, stateReset: true });
    for (const { type, payload: sent } of agent.frames)
      expect(TO_AGENT[type as keyof typeof TO_AGENT].safeParse(sent).success, type).toBe(true);
    const written = events();
    expect(written.map(({ eventIndex }) => eventIndex)).toEqual(written.map((_, index) => index));
    expect(new Set(written.map((event) => event.sessionId))).toEqual(new Set([sessionId]));
    expect(written[0]).toMatchObject({ direction: "internal", payload: { studyId: "pilot-01", participantId: "P07" } });
    expect(written).toContainEqual(expect.objectContaining({ direction: "in", type: "tool.call", payload: call }));
  });
});

it("the seed's example messages, letter by letter", async () => {
  const { url, world } = await relayed();
  const agent = await agentAt(url());
  const say = (type: string, id: string, payload: object) =>
    agent.raw(JSON.stringify({ v: "mvp-0.2", type, id, payload }));
  say("relay.join", "join-001", { role: "agent", sessionId: "default" });
  say("session.start", "req-001", { studyId: "pilot-01", participantId: "P07" });
  say("snapshot.get", "req-002", {});
  const reason = "Pick the first available movie option to continue the flow.";
  say("tool.call", "req-003", { toolName: "select", params: { itemId: "m1" }, reason }); // no cinema here
  say("tool.call", "req-003b", { toolName: "select", params: { itemId: world.sceneId }, reason });
  say("agent.message", "req-004", { text: "I will choose a date next to narrow available showtimes." });
  say("session.end", "req-999", { reason: "study-complete" });
  await agent.sees(({ type }) => type === "session.ended");
  const answers = agent.frames.filter(({ replyTo }) => replyTo !== undefined);
  expect(answers.map(({ type, replyTo }) => [type, replyTo])).toEqual([
    ["relay.joined", "join-001"],
    ["session.started", "req-001"],
    ["snapshot.state", "req-002"],
    ["error", "req-003"],
    ["tool.result", "req-003b"],
    ["session.ended", "req-999"],
  ]);
  expect(answers[3]?.payload.code).toBe("INVALID_PARAMS");
  for (const { v, type, payload } of agent.frames)
    expect([v, TO_AGENT[type as keyof typeof TO_AGENT].safeParse(payload).success]).toEqual(["mvp-0.2", true]);
});

it("what one call changes is told once, with its reason", async () => {
  const { url } = await relayed();
  const agent = await startedAgent(url());
  const before = agent.frames.length;
  await agent.ask("tool.call", { toolName: "setField", params: { fieldId: "sceneQuery", value: "x" }, reason: "Why." });
  const told = agent.frames.slice(before).filter(({ type }) => type === "state.updated");
  expect(told).toHaveLength(1);
  expect(JSON.stringify(told)).toContain("Why.");
});

it("connections to one room are bounded: one too many is refused, and one that closes makes place", async () => {
  const { url, relay } = await relayed();
  const agents = await Promise.all(Array.from({ length: 16 }, () => agentAt(url())));
  await expect(agentAt(url())).rejects.toThrow("503");
  agents[0]!.socket.close();
  await expect.poll(() => relay.connections).toBe(15);
  await agentAt(url());
});

describe("each error code", () => {
  const refused = async (ask: Promise<{ type: string; payload: { code: string } }>) => {
    const { type, payload } = await ask;
    expect(type).toBe("error");
    return payload.code;
  };

  it("INVALID_MESSAGE: no envelope, an unknown type, a payload that lacks something", async () => {
    const { url } = await relayed();
    const agent = await startedAgent(url());
    const bad = [
      "",
      "not json",
      "[]",
      "null",
      '{"v":"mvp-0.1","type":"snapshot.get","payload":{}}',
      '{"v":"mvp-0.2","type":"snapshot.get"}',
      '{"v":"mvp-0.2","type":"toString","payload":{}}',
      '{"v":"mvp-0.2","type":"tool.call","payload":{"toolName":"next","params":{}}}',
      '{"v":"mvp-0.2","type":"tool.call","payload":{"toolName":"next","params":[],"reason":"x"}}',
      '{"v":"mvp-0.2","type":"agent.message","payload":{"text":""}}',
    ];
    for (const text of bad) agent.raw(text);
    agent.socket.send(Buffer.from([1, 2, 3]));
    await agent.sees(() => agent.frames.filter(({ type }) => type === "error").length === bad.length + 1);
    for (const { payload } of agent.frames.filter(({ type }) => type === "error"))
      expect(payload.code).toBe("INVALID_MESSAGE");
  });

  it("SESSION_NOT_ACTIVE: before joining, before starting, after the end, for a second agent, in no room", async () => {
    const { url } = await relayed();
    const agent = await agentAt(url());
    expect(await refused(agent.ask("snapshot.get", {}))).toBe("SESSION_NOT_ACTIVE");
    expect(await refused(agent.ask("session.start", {}))).toBe("SESSION_NOT_ACTIVE");
    expect(await refused(agent.ask("relay.join", { ...join, sessionId: "another" }))).toBe("SESSION_NOT_ACTIVE");
    await agent.ask("relay.join", join);
    expect(await refused(agent.ask("snapshot.get", {}))).toBe("SESSION_NOT_ACTIVE");
    await agent.ask("session.start", {});
    const second = await agentAt(url());
    expect(await refused(second.ask("relay.join", join))).toBe("SESSION_NOT_ACTIVE");
    await agent.ask("session.end", {});
    expect(await refused(agent.ask("tool.call", { toolName: "next", params: {}, reason: "x" }))).toBe(
      "SESSION_NOT_ACTIVE",
    );
    expect(await refused(agent.ask("relay.join", { ...join, role: "host" }))).toBe("INVALID_MESSAGE");
  });

  it("NO_ACTIVE_SPEC: until the room's page has joined", async () => {
    const { url, opened } = await relayed({ page: false });
    const agent = await startedAgent(url());
    expect(await refused(agent.ask("snapshot.get", {}))).toBe("NO_ACTIVE_SPEC");
    opened.room.pageOpened();
    await agent.sees(({ type }) => type === "state.updated");
    expect((await agent.ask("snapshot.get", {})).type).toBe("snapshot.state");
  });

  it("UNKNOWN_TOOL, INVALID_PARAMS, TOOL_EXECUTION_FAILED", async () => {
    const { url, world } = await relayed();
    const agent = await startedAgent(url());
    const call = (toolName: string, params: object) =>
      refused(agent.ask("tool.call", { toolName, params, reason: "x" }));
    expect(await call("fly", {})).toBe("UNKNOWN_TOOL");
    expect(await call("proposeText", { text: "x" })).toBe("UNKNOWN_TOOL"); // another stage's
    expect(await call("select", { itemId: "nobody" })).toBe("INVALID_PARAMS");
    expect(await call("select", {})).toBe("INVALID_PARAMS");
    expect(await call("setField", { fieldId: "intent", value: "x" })).toBe("INVALID_PARAMS");
    for (let i = 0; i < 20; i++) world.mock.faults.add({ route: "scenes.list", kind: "status", status: 500 });
    expect(await world.clock.run(call("refresh", {}))).toBe("TOOL_EXECUTION_FAILED");
    expect(Object.keys(RELAY_ERRORS)).toHaveLength(6);
  });
});

describe("the person keeps the decision", () => {
  it("no tool of the person's is listed or callable, in any stage", async () => {
    const { url, world, opened } = await relayed();
    const agent = await startedAgent(url());
    const tools = [...new Set(Object.values(STAGE_TOOLS).flatMap((stage) => Object.keys(stage)))];
    const tryAll = async () => {
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
    await expect.poll(() => opened.room.state.agent?.isWaiting).toBe(true);
    expect((await agent.ask("session.start", {})).payload.code).toBe("SESSION_NOT_ACTIVE");
    await opened.press("letIn");
    expect((await agent.sees(({ replyTo }) => replyTo === "j")).type).toBe("relay.joined");
    const { sessionId } = (await agent.ask("session.start", {})).payload;
    await opened.press("removeAgent");
    await expect.poll(agent.closed).toMatchObject({ code: 1008 });
    const former = await agentAt(url(""));
    expect((await former.ask("relay.join", { ...join, sessionId })).payload.code).toBe("SESSION_NOT_ACTIVE");
    const withToken = await agentAt(url());
    withToken.tell("relay.join", join);
    await expect.poll(() => opened.room.state.agent?.isWaiting).toBe(true);
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

describe("a connection that breaks", () => {
  it("the session goes on for the agent that names it, and its log has no gap", async () => {
    const { url, events } = await relayed();
    const first = await startedAgent(url());
    first.socket.terminate();
    const second = await agentAt(url(""));
    await expect
      .poll(async () => (await second.ask("relay.join", { ...join, sessionId: first.sessionId })).type)
      .toBe("relay.joined");
    expect((await second.ask("snapshot.get", {})).payload.sessionId).toBe(first.sessionId);
    await second.ask("session.end", {});
    expect(events().map(({ eventIndex }) => eventIndex)).toEqual(events().map((_, index) => index));
  });

  it("after ten minutes without its agent a session is over", async () => {
    const { url, world, relay } = await relayed();
    const agent = await startedAgent(url());
    agent.socket.terminate();
    await expect.poll(() => relay.agent).toBeUndefined();
    await world.clock.advance(10 * 60_000 + 1);
    expect(relay.session).toBeUndefined();
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
      const button = () => actionsOf(opened.spec()).find(({ toolName }) => toolName === "next")!;
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
