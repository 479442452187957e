import { expect, it } from "vitest";
import { agentAt, startedAgent } from "../support/relay.ts";
import { soon } from "../support/soon.ts";
import { DEMAND, join, relayed } from "./relayed.ts";

it("a study can be replayed: each screen once for each change, masked, and the events name it", async () => {
  const { world, url, events } = await relayed({ isStudy: true });
  const agent = await startedAgent(url());
  await agent.ask("snapshot.get", {});
  await agent.ask("snapshot.get", {});
  await agent.ask("tool.call", { toolName: "select", params: { itemId: world.sceneId }, reason: "It fits." });
  await agent.ask("tool.call", { toolName: "next", params: {}, reason: "Go on." });
  await agent.ask("tool.call", {
    toolName: "setField",
    params: { fieldId: "bio", value: DEMAND },
    reason: "You said so.",
  });
  const lines = events();
  const screens = lines.filter(({ type }) => type === "screen").map(({ payload }) => payload);
  expect(screens.map(({ screen }) => screen)).toEqual(screens.map((_, i) => i + 1));
  const texts = screens.map(({ uiSpec }) => JSON.stringify(uiSpec));
  texts.forEach((text, i) => void expect(text).not.toBe(texts[i + 1]));
  expect(texts.join()).not.toMatch(/13800138000|sk-live1234567890abcdef/);
  expect(texts.at(-1)).toContain("hospital pilot");
  const shown = lines.filter(({ type, payload }) => type !== "screen" && payload.uiSpec !== undefined);
  expect(shown.length).toBeGreaterThan(screens.length);
  for (const { payload, eventIndex } of shown) {
    const { screen, stage } = payload.uiSpec;
    expect(screens[screen - 1].uiSpec.stage, String(eventIndex)).toBe(stage);
  }
  expect(lines.map(({ eventIndex }) => eventIndex)).toEqual(lines.map((_, i) => i));
});

it("without one a screen is its stage alone", async () => {
  const { url, events } = await relayed();
  const agent = await startedAgent(url());
  await agent.ask("snapshot.get", {});
  const shown = events().filter(({ payload }) => payload.uiSpec !== undefined);
  expect(shown.length).toBeGreaterThan(0);
  for (const { payload } of shown) expect(payload.uiSpec).toEqual({ stage: "scene" });
  expect(events().map(({ type }) => type)).not.toContain("screen");
});

it("the end of a session is told, also where the person ends the visit or another one is started", async () => {
  const { opened, url } = await relayed();
  const agent = await startedAgent(url());
  const { payload } = await agent.ask("session.start", {});
  const first = await agent.sees(({ type }) => type === "session.ended");
  expect(first.payload).toEqual({
    sessionId: agent.sessionId,
    logFile: `logs/study/${agent.sessionId}.jsonl`,
    stateReset: false,
  });
  expect(first.replyTo).toBeUndefined();
  const order = agent.frames.map(({ type }) => type);
  expect(order.indexOf("session.ended")).toBeLessThan(order.lastIndexOf("session.started"));
  await opened.call("removeAgent", { agentId: opened.room.state.agent?.id ?? "" });
  await agent.sees(({ type, payload: ended }) => type === "session.ended" && ended.sessionId === payload.sessionId);
  await soon(() => agent.closed()).toMatchObject({ code: 1008 });
});

it("the end of a session is told where the room closes, before the connection is", async () => {
  const { relay, url, events } = await relayed();
  const agent = await startedAgent(url());
  relay.close();
  await soon(() => agent.closed()).toMatchObject({ code: 1001 });
  expect(agent.frames.at(-1)).toMatchObject({
    type: "session.ended",
    payload: { sessionId: agent.sessionId, stateReset: false },
  });
  expect(events().at(-1)).toMatchObject({ type: "session.over" });
});

it("what the person says while the connection is broken comes when the agent is back", async () => {
  const { relay, opened, url } = await relayed();
  const first = await startedAgent(url());
  first.socket.terminate();
  await soon(() => relay.agent).toBeUndefined();
  await opened.call("postMessage", { text: "Mornings only, please." });
  const again = await agentAt(url());
  expect((await again.ask("relay.join", { ...join, sessionId: first.sessionId })).type).toBe("relay.joined");
  await again.sees(({ type, payload }) => type === "user.message" && payload.text === "Mornings only, please.");
  await opened.call("postMessage", { text: "Thank you." });
  await again.sees(({ type, payload }) => type === "user.message" && payload.text === "Thank you.");
  expect(again.frames.filter(({ type }) => type === "user.message")).toHaveLength(2);
});

it.each(["is gone", "reads no more"])(
  "what the person says at the moment of a break comes when the agent is back: its connection %s",
  async (broken) => {
    const { opened, url } = await relayed();
    const first = await startedAgent(url());
    await opened.call("postMessage", { text: "Good morning." });
    await first.sees(({ type }) => type === "user.message");
    await first.ask("snapshot.get", {}); // the answer to the ping went before this
    if (broken === "is gone") first.socket.terminate();
    else first.socket.pause();
    await opened.call("postMessage", { text: "Mornings only, please." });
    const again = await agentAt(url());
    expect((await again.ask("relay.join", { ...join, sessionId: first.sessionId })).type).toBe("relay.joined");
    await again.ask("snapshot.get", {}); // what was said comes before
    const said = again.frames.filter(({ type }) => type === "user.message").map(({ payload }) => payload.text);
    expect(said).toEqual(["Mornings only, please."]);
  },
);

it.each([[["m1"]], ["m1"], [3], [null]])("params of the wrong type are INVALID_PARAMS: %j", async (params) => {
  const { url } = await relayed();
  const agent = await startedAgent(url());
  const answer = await agent.ask("tool.call", { toolName: "select", params, reason: "x" });
  expect(answer).toMatchObject({ type: "error", payload: { code: "INVALID_PARAMS" } });
});
