import { expect, it } from "vitest";
import { agentAt, startedAgent } from "../support/relay.ts";
import { soon } from "../support/soon.ts";
import { join, relayed } from "./relayed.ts";

it("what was said in one session is not for the next, and what the person says then arrives", async () => {
  const { opened, url } = await relayed();
  const agent = await startedAgent(url());
  for (const text of ["One.", "Two.", "Three."]) agent.tell("agent.message", { text });
  await agent.sees(({ payload }) => payload.messageHistory?.length === 3);
  await opened.call("postMessage", { text: "For the first alone." });
  await agent.ask("session.end", {});
  await agent.ask("session.start", { participantId: "P08" });
  expect((await agent.ask("snapshot.get", {})).payload.messageHistory).toEqual([]);
  await opened.call("postMessage", { text: "For the second." });
  await agent.sees(({ type, payload }) => type === "user.message" && payload.text === "For the second.");
});

it("an agent that joins the room again with its token goes on with the session that was", async () => {
  const { relay, opened, url, events } = await relayed();
  const first = await startedAgent(url());
  first.tell("agent.message", { text: "I was here." });
  await first.sees(({ payload }) => payload.messageHistory?.length === 1);
  first.socket.terminate();
  await soon(() => relay.agent).toBeUndefined();
  const again = await agentAt(url());
  expect((await again.ask("relay.join", join)).type).toBe("relay.joined");
  await opened.call("postMessage", { text: "Welcome back." });
  const { payload } = await again.ask("snapshot.get", {});
  expect(payload.sessionId).toBe(first.sessionId);
  expect(payload.messageHistory).toHaveLength(2);
  expect(new Set(events().map(({ sessionId }) => sessionId))).toEqual(new Set([first.sessionId]));
});

it.each([
  ["without the token", "", undefined],
  ["under another name", "?token=token-of-the-room", "Somebody else"],
])("%s it is another agent, and the session is not its to work in", async (_, query, name) => {
  const { relay, opened, url } = await relayed();
  const first = await startedAgent(url());
  first.socket.terminate();
  await soon(() => relay.agent).toBeUndefined();
  const other = await agentAt(url(query));
  const joined = other.ask("relay.join", { ...join, ...(name && { name }) });
  await soon(() => opened.room.state.agent).toBeDefined();
  if (query === "") await opened.call("letIn", { agentId: opened.room.state.agent?.id ?? "" });
  expect((await joined).type).toBe("relay.joined");
  expect((await other.ask("snapshot.get", {})).payload.code).toBe("SESSION_NOT_ACTIVE");
});

it("the person's words arrive however many were said before", async () => {
  const { opened, url } = await relayed();
  const agent = await startedAgent(url());
  for (let i = 0; i < 202; i++) await opened.call("postMessage", { text: `Word ${i}.` });
  await agent.sees(({ type, payload }) => type === "user.message" && payload.text === "Word 201.");
  const arrived = agent.frames.filter(({ type }) => type === "user.message").map(({ payload }) => payload.text);
  expect(arrived).toEqual(Array.from({ length: 202 }, (_, i) => `Word ${i}.`));
});

it("the log of a session is about its own agent, not about who else knocks", async () => {
  const { url, events } = await relayed();
  const agent = await startedAgent(url());
  const stranger = await agentAt(url(""));
  await stranger.ask("relay.join", { ...join, name: "A stranger" });
  stranger.raw("no message at all");
  await stranger.sees(({ payload }) => payload.code === "INVALID_MESSAGE");
  await agent.ask("snapshot.get", {});
  expect(events().map(({ type }) => type)).toEqual([
    "session.begin",
    "session.start",
    "session.started",
    "snapshot.get",
    "snapshot.state",
  ]);
});

it("what the person says to an agent that is let in after another arrives when it starts its session", async () => {
  const { relay, opened, url } = await relayed();
  const first = await startedAgent(url());
  first.socket.terminate();
  await soon(() => relay.agent).toBeUndefined();
  const second = await agentAt(url());
  await second.ask("relay.join", join);
  await opened.call("postMessage", { text: "Welcome." });
  await second.ask("session.start", {});
  await opened.call("postMessage", { text: "Go on." });
  await second.sees(({ type, payload }) => type === "user.message" && payload.text === "Go on.");
  const arrived = second.frames.filter(({ type }) => type === "user.message").map(({ payload }) => payload.text);
  expect(arrived).toEqual(["Welcome.", "Go on."]);
});

it("an agent that joins its session again gets what the person says from then on, and nothing twice", async () => {
  const { opened, url } = await relayed();
  const first = await startedAgent(url());
  await opened.call("postMessage", { text: "Heard before." });
  await first.sees(({ type }) => type === "user.message");
  const again = await agentAt(url());
  await again.ask("relay.join", { ...join, sessionId: first.sessionId });
  await opened.call("postMessage", { text: "Welcome back." });
  await again.sees(({ type, payload }) => type === "user.message" && payload.text === "Welcome back.");
  const arrived = again.frames.filter(({ type }) => type === "user.message").map(({ payload }) => payload.text);
  expect(arrived).toEqual(["Welcome back."]);
});
