import { expect, it } from "vitest";
import { agentAt, startedAgent } from "../support/relay.ts";
import { soon, turn } from "../support/soon.ts";
import { join, relayed } from "./relayed.ts";

/** What somebody without a token can make a room hold: places, time, and its one agent's seat. */

const SECONDS = 1_000;
const NO_TOKEN = "";

const STRANGERS = { hasToken: false };
const AGENTS = { hasToken: true };

/** Lets time go by in which every open connection answers its pings. */
async function passing(world: Awaited<ReturnType<typeof relayed>>["world"], ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 15 * SECONDS) {
    await world.clock.advance(Math.min(15 * SECONDS, ms - gone));
    for (let n = 0; n < 20; n++) await turn();
  }
}

it("those without a token have four places of their own, and leave an agent that has one its place", async () => {
  const { url, relay } = await relayed();
  const strangers = await Promise.all(Array.from({ length: 4 }, () => agentAt(url(NO_TOKEN))));
  await expect(agentAt(url(NO_TOKEN))).rejects.toThrow("503");
  const agents = await Promise.all(Array.from({ length: 16 }, () => agentAt(url())));
  expect((await agents[0]!.ask("relay.join", join)).type).toBe("relay.joined");
  strangers[0]!.socket.close();
  await soon(() => relay.connections(STRANGERS)).toBe(3);
  await agentAt(url(NO_TOKEN));
});

it("who has no token and does not ask to come in is gone after half a minute, whatever else it says", async () => {
  const { world, url, relay } = await relayed();
  const [silent, loud, agent] = [await agentAt(url(NO_TOKEN)), await agentAt(url(NO_TOKEN)), await agentAt(url())];
  await passing(world, 20 * SECONDS);
  expect((await loud.ask("session.start", {})).payload.code).toBe("SESSION_NOT_ACTIVE");
  expect([relay.connections(STRANGERS), relay.connections(AGENTS)]).toEqual([2, 1]);
  await passing(world, 11 * SECONDS);
  const late = { code: 1008, reason: "no relay.join came in time" };
  for (const stranger of [silent, loud]) await soon(() => stranger.closed()).toEqual(late);
  expect([relay.connections(STRANGERS), relay.connections(AGENTS)]).toEqual([0, 1]);
  expect((await agent.ask("relay.join", join)).type).toBe("relay.joined"); // its token has shown who it is
});

it("who waits at the door is let in within ten minutes or goes; the room says no more that somebody waits", async () => {
  const { world, opened, url } = await relayed();
  const knocking = await agentAt(url(NO_TOKEN));
  knocking.tell("relay.join", { ...join, name: "Stranger" });
  await soon(() => opened.room.state.agent).toMatchObject({ name: "Stranger", isWaiting: true });
  await passing(world, 9 * 60 * SECONDS);
  expect(knocking.closed()).toBeUndefined();
  await passing(world, 61 * SECONDS);
  await soon(() => knocking.closed()).toEqual({ code: 1008, reason: "nobody has let it in" });
  expect(opened.room.state.agent).toBeUndefined();
});

it("one that was let in stays, however long", async () => {
  const { world, opened, url } = await relayed();
  const knocking = await agentAt(url(NO_TOKEN));
  const joined = knocking.ask("relay.join", join);
  await soon(() => opened.room.state.agent?.isWaiting).toBe(true);
  await opened.press("letIn");
  expect((await joined).type).toBe("relay.joined");
  await passing(world, 11 * 60 * SECONDS);
  expect((await knocking.ask("session.start", {})).type).toBe("session.started");
});

it("who waits at the door makes way for the agent that has the token", async () => {
  const { opened, url } = await relayed();
  const knocking = await agentAt(url(NO_TOKEN));
  knocking.tell("relay.join", { ...join, name: "Stranger" });
  await soon(() => opened.room.state.agent).toMatchObject({ isWaiting: true });
  const agent = await startedAgent(url());
  await soon(() => knocking.closed()).toEqual({ code: 1008, reason: "another agent has come in" });
  expect(opened.room.state.agent).toMatchObject({ isWaiting: false });
  expect((await agent.ask("snapshot.get", {})).type).toBe("snapshot.state");
});
