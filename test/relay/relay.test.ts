import { describe, expect, it } from "vitest";
import { RELAY_ERRORS, TO_AGENT } from "../../src/relay/protocol.ts";
import { agentAt, startedAgent } from "../support/relay.ts";
import { soon } from "../support/soon.ts";
import { join, relayed } from "./relayed.ts";

/** A relay whose first agent has gone, and has left its session behind. */
async function leftByAgent() {
  const world = await relayed();
  const first = await startedAgent(world.url());
  first.socket.terminate();
  await soon(() => world.relay.agent).toBeUndefined();
  return { ...world, first };
}

describe("the seed's example messages, in its order", () => {
  it("from relay.join to session.ended", async () => {
    const { world, opened, url, events } = await relayed();
    const agent = await agentAt(url());
    expect(await agent.ask("relay.join", join)).toMatchObject({ type: "relay.joined", payload: join });
    const started = await agent.ask("session.start", { studyId: "pilot-01", participantId: "P07" });
    const { sessionId } = started.payload;
    expect(sessionId).toMatch(/^s-\d{8}-\w+$/);
    const { payload } = await agent.ask("snapshot.get", {});
    expect(payload).toEqual({ sessionId, ...JSON.parse(JSON.stringify(opened.room.snapshot("agent"))) });
    const call = { toolName: "select", params: { itemId: world.sceneId }, reason: "It fits what they ask for." };
    const result = await agent.ask("tool.call", call);
    expect(result).toMatchObject({ type: "tool.result", payload: { ok: true, toolName: "select" } });
    const { warnings, taintedPaths, ...screen } = result.payload.uiSpec;
    expect(screen).toEqual(JSON.parse(JSON.stringify(opened.spec())));
    expect([warnings, taintedPaths]).toEqual([[], ["/sections/1/items"]]);
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
    agent.raw("no message at all, token=sk-live-0123456789abcdef0123");
    const ended = await agent.ask("session.end", { reason: "study-complete" });
    expect(opened.room.snapshot().messageHistory).toEqual([]);
    expect(ended.payload).toEqual({ sessionId, logFile: `logs/study/${sessionId}.jsonl`, stateReset: true });
    for (const { type, payload: sent } of agent.frames)
      expect(TO_AGENT[type as keyof typeof TO_AGENT].safeParse(sent).success, type).toBe(true);
    const written = events();
    expect(written.map(({ eventIndex }) => eventIndex)).toEqual(written.map((_, index) => index));
    expect(new Set(written.map((event) => event.sessionId))).toEqual(new Set([sessionId]));
    expect(written[0]).toMatchObject({ direction: "internal", payload: { studyId: "pilot-01", participantId: "P07" } });
    expect(written).toContainEqual(expect.objectContaining({ direction: "in", type: "tool.call", payload: call }));
    expect(written).toContainEqual(expect.objectContaining({ direction: "in", type: "unreadable" }));
    expect(JSON.stringify(written)).not.toContain("0123456789abcdef0123");
    expect(written.slice(-2).map(({ type }) => type)).toEqual(["session.ended", "session.over"]);
  });
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
  await soon(() => relay.connections({ hasToken: true })).toBe(15);
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
      '{"v":"mvp-0.2","type":"agent.message","payload":{"text":""}}',
      String.raw`{"v":"mvp-0.2","type":"agent.message","payload":{"text":"half \ud83c"}}`,
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
    for (const text of ["", " \n"]) expect(await call("postMessage", { text })).toBe("INVALID_PARAMS");
    expect(await refused(agent.ask("agent.message", { text: " " }))).toBe("INVALID_PARAMS");
    expect(await call("setField", { fieldId: "intent", value: "x" })).toBe("INVALID_PARAMS");
    for (let i = 0; i < 20; i++) world.mock.faults.add({ route: "scenes.list", kind: "status", status: 500 });
    expect(await world.clock.run(call("refresh", {}))).toBe("TOOL_EXECUTION_FAILED");
    expect(Object.keys(RELAY_ERRORS)).toHaveLength(6);
  });
});

describe("a connection that breaks", () => {
  it("the session goes on for the agent that names it, and its log has no gap", async () => {
    const { url, events } = await relayed();
    const first = await startedAgent(url());
    first.socket.terminate();
    const second = await agentAt(url(""));
    await soon(async () => (await second.ask("relay.join", { ...join, sessionId: first.sessionId })).type).toBe(
      "relay.joined",
    );
    expect((await second.ask("snapshot.get", {})).payload.sessionId).toBe(first.sessionId);
    await second.ask("session.end", {});
    expect(events().map(({ eventIndex }) => eventIndex)).toEqual(events().map((_, index) => index));
  });

  it("nobody has noticed it yet: the agent that names its session takes its place at once, and no other agent does", async () => {
    const { url, relay } = await relayed();
    const first = await startedAgent(url());
    first.socket.pause(); // it answers no ping, and its end does not arrive
    const other = await agentAt(url());
    expect((await other.ask("relay.join", join)).payload.code).toBe("SESSION_NOT_ACTIVE");
    const second = await agentAt(url(""));
    const joined = await second.ask("relay.join", { ...join, sessionId: first.sessionId });
    expect(joined).toMatchObject({ type: "relay.joined", payload: { sessionId: first.sessionId } });
    expect((await second.ask("snapshot.get", {})).payload.sessionId).toBe(first.sessionId);
    first.socket.resume();
    await soon(first.closed).toMatchObject({ code: 1008 });
    expect(relay.session?.id).toBe(first.sessionId);
    expect((await second.ask("tool.call", { toolName: "refresh", reason: "Look." })).payload.ok).toBe(true);
  });

  it("an agent that joined in between is not put out by one that was here before", async () => {
    const { url, first } = await leftByAgent();
    const next = await agentAt(url());
    expect((await next.ask("relay.join", { ...join, name: "Another" })).type).toBe("relay.joined");
    const back = await agentAt(url());
    expect((await back.ask("relay.join", { ...join, sessionId: first.sessionId })).payload.code).toBe(
      "SESSION_NOT_ACTIVE",
    );
    expect(next.closed()).toBeUndefined();
  });

  it("after ten minutes without its agent a session is over", async () => {
    const { url, world, relay } = await relayed();
    const agent = await startedAgent(url());
    agent.socket.terminate();
    await soon(() => relay.agent).toBeUndefined();
    await world.clock.advance(10 * 60_000 + 1);
    expect(relay.session).toBeUndefined();
  });
});
