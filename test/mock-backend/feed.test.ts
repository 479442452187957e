import { once } from "node:events";
import { createConnection } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { WIRE } from "../support/wire.ts";
import { World } from "./world.ts";

interface Frame {
  event_type: string;
  negotiation_id: string;
  timestamp: string;
  event_id: string;
  data: Record<string, unknown>;
}

const recorded = WIRE.events as {
  live: { event: Frame }[];
};
const WHOLE_RUN = recorded.live.map(({ event }) => event.event_type);

async function listening() {
  const world = new World();
  onTestFinished(() => world.mock.close());
  const { url } = await world.mock.listen();
  const scene = await world.peopledScene();
  const connect = async (id: string) => {
    const frames: Frame[] = [];
    const socket = new WebSocket(`${url.replace("http", "ws")}/v1/ws/negotiation/${id}`);
    socket.on("message", (data) => frames.push(JSON.parse(String(data))));
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return { socket, frames };
  };
  return { world, url, scene, connect };
}

const types = (frames: Frame[]) => frames.map((frame) => frame.event_type);

describe("the feed", () => {
  it("sends the events of a whole run as recorded, keys and types", async () => {
    const { world, scene, connect } = await listening();
    const id = await world.submit(scene);
    const { frames } = await connect(id);
    await world.reach(id, "formulated");
    await world.confirm(id);
    await world.reach(id, "completed");
    await world.clock.until(() => frames.length === WHOLE_RUN.length);
    expect(types(frames)).toEqual(WHOLE_RUN);
    for (const [i, { event }] of recorded.live.entries()) {
      expect(shape(frames[i])).toEqual(shape(event));
      expect(frames[i]?.event_id).toMatch(/^evt_[0-9a-f]{12}$/);
      expect(frames[i]?.timestamp).toMatch(/^2026-11-21T00:00:0\d\.\d{6}\+00:00$/);
    }
  });

  it("replays the history on connecting, with the same ids, and then stays open and silent", async () => {
    const { world, scene, connect } = await listening();
    const id = await world.negotiationAt("completed", scene);
    const { socket, frames } = await connect(id);
    await world.clock.until(() => frames.length === WHOLE_RUN.length);
    expect(frames).toEqual(world.view(id).events);
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  it("announces no cancel", async () => {
    const { world, scene, connect } = await listening();
    const id = await world.negotiationAt("formulated", scene);
    const { socket, frames } = await connect(id);
    await world.cancel(id);
    await world.clock.advance(10_000);
    expect(types(frames)).toEqual(["formulation.ready"]);
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  it("refuses an unknown id with 403 on the upgrade, and plain HTTP with 404", async () => {
    const { world, url, scene, connect } = await listening();
    await expect(connect("neg_000000000000")).rejects.toThrow("403");
    const id = await world.submit(scene);
    const plain = await fetch(`${url}/v1/ws/negotiation/${id}`);
    expect([plain.status, await plain.json()]).toEqual([404, { detail: "Not Found" }]);
  });

  it("lets a refused one go, also where the other side keeps its end open", async () => {
    const { world, url } = await listening();
    const asking = createConnection({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
    onTestFinished(() => void asking.destroy());
    asking.write("GET /v1/ws/negotiation/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    expect(String((await once(asking, "data"))[0])).toContain("403");
    await world.mock.close();
  });

  it("ignores text and breaks on a binary frame, while the negotiation goes on", async () => {
    const { world, scene, connect } = await listening();
    const id = await world.negotiationAt("formulated", scene);
    const { socket, frames } = await connect(id);
    socket.send("hello");
    await world.clock.advance(1_000);
    expect([socket.readyState, frames.length]).toEqual([WebSocket.OPEN, 1]);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.send(Buffer.from([1, 2, 3]));
    expect(await closed).toBe(1006);
    await world.confirm(id);
    await world.reach(id, "completed");
  });

  it("has the real one's trap: who leaves silences everybody else", async () => {
    const { world, scene, connect } = await listening();
    const id = await world.negotiationAt("formulated", scene);
    const [leaver, survivor] = [await connect(id), await connect(id)];
    const closed = new Promise((resolve) => leaver.socket.once("close", resolve));
    leaver.socket.close();
    await closed;
    await world.clock.advance(100);
    await world.confirm(id);
    await world.reach(id, "completed");
    await world.clock.advance(1_000);
    expect(types(survivor.frames)).toEqual(["formulation.ready"]);
    expect(survivor.socket.readyState).toBe(WebSocket.OPEN);
  });
});

/** Keys and JSON types; lists by their first element. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shape(item)]));
  return value === null ? null : typeof value;
}
