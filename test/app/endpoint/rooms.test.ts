import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nanoid } from "nanoid";
import { expect, it, onTestFinished, vi } from "vitest";
import { EndpointBrowsers } from "../../../src/app/endpoint/browsers.ts";
import { EndpointRooms } from "../../../src/app/endpoint/rooms.ts";
import { silentLog } from "../../../src/log.ts";
import { Gate } from "../../../src/mcp/http/gate.ts";
import { createMemoryStore } from "../../../src/store/memory.ts";
import { StoreUnreachable } from "../../../src/store/store.ts";
import { temporaryHome } from "../../support/home.ts";
import { peopleOf } from "../../support/pages.ts";
import { platformWith } from "../../support/platform.ts";
import { startedAgent } from "../../support/relay.ts";
import { soon } from "../../support/soon.ts";
import { createWorld } from "../../support/world.ts";

const MINUTE_MS = 60_000;
const KEY = "ada";

/** An endpoint's rooms on the test's clock, with one person who has signed in, and their agent in the room. */
async function visited() {
  const world = await createWorld();
  const { clock } = world;
  const { deps } = await world.process();
  const store = createMemoryStore(clock);
  let uses = 0;
  const user = {
    key: KEY,
    isAccepted: true,
    serverDeps: () => deps,
    use: () => {
      uses += 1;
      return () => {
        uses -= 1;
      };
    },
  };
  const warned: unknown[] = [];
  const log = { ...silentLog, warn: (event: string, fields?: object) => void warned.push([event, fields]) };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const parts = { store, platform: platformWith(clock, { log }), tokens: { judge: async () => ({ user: KEY }) } };
  const elsewhere = new EndpointBrowsers(parts);
  const browsers = new EndpointBrowsers(parts);
  const rooms = new EndpointRooms({
    users: { useOwn: async () => ({ user, release: user.use() }), known: () => user },
    browsers,
    people: peopleOf(browsers),
    publicUrl: new URL(origin),
    replica: "a",
    gate: new Gate({ atOnce: 64, loopUse: { take: () => 0 }, clock }),
    root: new URL("../../../", import.meta.url),
    home: await temporaryHome(),
    platform: parts.platform,
  });
  browsers.leadTo(rooms);
  server.on("upgrade", (request, socket, head) => rooms.sockets.upgrade(request, socket, head));
  onTestFinished(() => {
    rooms.close();
    server.close();
  });
  const ask = (path: string, cookie = "", body?: string) =>
    rooms.apps["/room"]!.fetch(
      new Request(`${origin}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          host: new URL(origin).host,
          origin,
          cookie,
          ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
        },
        ...(body !== undefined && { body }),
      }),
    );
  const signIn = async () => (await ask("/room/a", "", `token=${nanoid()}`)).headers.get("set-cookie")!.split(";")[0]!;
  const cookie = await signIn();
  await ask("/room/a", cookie);
  const address = /ws:\/\/[^<\s]+/.exec(await (await ask("/room/a/agent", cookie)).text())![0];
  const agent = await startedAgent(address);
  const closing = new Promise((resolve) => agent.socket.once("close", resolve));
  /** Time goes by, and the agent never falls silent. */
  const pass = async (ms: number) => {
    for (let gone = 0; gone < ms && agent.closed() === undefined; gone += 30_000) {
      await clock.advance(30_000);
      const answered = new Promise((resolve) => agent.socket.once("message", resolve));
      agent.tell("snapshot.get", {});
      await Promise.race([answered, closing]);
    }
  };
  const own = browsers.of(KEY);
  return { world, agent, ask, cookie, signIn, pass, browsers: own, elsewhere, store, warned, uses: () => uses };
}

it("an agent alone keeps no room: half an hour after its person's page it closes, and with it the agent's connection", async () => {
  const { agent, ask, cookie, pass, uses } = await visited();
  const page = (await ask("/room/a/events", cookie)).body!.getReader();
  await page.read();
  await pass(31 * MINUTE_MS);
  expect(agent.closed()).toBeUndefined(); // the page follows it
  await page.cancel();
  await pass(28 * MINUTE_MS);
  expect(agent.closed()).toBeUndefined();
  await pass(4 * MINUTE_MS);
  await soon(agent.closed).toEqual({ code: 1001, reason: "the room is closed" });
  expect(uses()).toBe(0); // and nobody's token stays in memory for it
});

it("a store that once does not answer ends no page's events: it knows the browser that it knew", async () => {
  const { agent, ask, cookie, pass, store, warned, uses } = await visited();
  const page = (await ask("/room/a/events", cookie)).body!.getReader();
  await page.read();
  const away = vi.spyOn(store, "get").mockRejectedValueOnce(new StoreUnreachable({ store: "redis://:secret@store" }));
  await agent.ask("tool.call", { toolName: "postMessage", params: { text: "Hello." }, reason: "To talk." });
  const { value } = await page.read();
  expect(new TextDecoder().decode(value as Uint8Array)).toMatch(/^event: state\n.*Hello\./);
  expect([away.mock.calls.length > 0, warned]).toEqual([true, []]);
  await page.cancel();
  await pass(31 * MINUTE_MS);
  await soon(agent.closed).toEqual({ code: 1001, reason: "the room is closed" });
  expect(uses()).toBe(0);
});

it("with the last browser that is revoked, here or at another replica, the room and what an agent has of it are gone", async () => {
  const here = await visited();
  await here.signIn();
  const [one, two] = await here.browsers.list();
  await here.browsers.forget(one!.name);
  expect(here.agent.closed()).toBeUndefined();
  await here.browsers.forget(two!.name);
  await soon(here.agent.closed).toMatchObject({ code: 1001 });
  expect(here.uses()).toBe(0);
  await expect(startedAgent(here.agent.socket.url)).rejects.toThrow("401");

  const there = await visited();
  await there.elsewhere.of(KEY).forget("all");
  await there.pass(MINUTE_MS);
  await soon(there.agent.closed).toMatchObject({ code: 1001 });
  expect(there.uses()).toBe(0);
});
