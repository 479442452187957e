// A hundred rooms, an outside agent in each that does something twenty times a second: how long until `state.updated`
// tells of it, whether anything is lost, and what memory the rooms take.
// Run: node checks/machines.ts rooms [--rooms 100 --rate 20 --seconds 60]

import { fork } from "node:child_process";
import WebSocket from "ws";
import { type Found, options } from "../harness.ts";

interface Ready {
  url: string;
  residentMb: number;
}

export default async function manyRooms(args: string[]): Promise<Found> {
  const { rooms, rate, seconds } = options(args, { rooms: 100, rate: 20, seconds: 60 });
  const server = fork(new URL("./rooms/server.ts", import.meta.url), [String(rooms)]);
  const told = <T>() => new Promise<T>((resolve) => server.once("message", resolve as (message: unknown) => void));
  const { url, residentMb } = await told<Ready>();
  const delays: number[] = [];
  let sent = 0;
  let missing = 0;

  await Promise.all(Array.from({ length: rooms }, (_, room) => agent(room)));
  server.send("memory");
  const after = await told<Ready>();
  server.disconnect();

  delays.sort((a, b) => a - b);
  const at = (share: number) =>
    (delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0).toFixed(1);
  const grew = (after.residentMb - residentMb).toFixed(0);
  return {
    ok: missing === 0 && Number(at(0.99)) <= 100,
    line: `${rooms} rooms, ${sent} sent, ${missing} missing; the screen ${at(0.5)} ms late, p99 ${at(0.99)}, at most ${at(1)}; ${grew} MB more`,
  };

  /** Writes a new value into a field again and again, and looks when the screen shows it. */
  async function agent(room: number): Promise<void> {
    const socket = new WebSocket(`${url}?token=${room}`);
    const waiting = new Map<string, number>();
    let answered = Promise.withResolvers<void>();
    socket.on("message", (data) => {
      const { type, payload } = JSON.parse(String(data));
      if (type === "relay.joined" || type === "session.started") answered.resolve();
      if (type === "error") throw new Error(`${payload.code}: ${payload.message}`);
      if (type !== "state.updated") return;
      const [form] = payload.uiSpec.sections.filter((section: { kind: string }) => section.kind === "form");
      const value = form?.fields.find(({ id }: { id: string }) => id === "sceneQuery")?.value as string | undefined;
      for (const [shown, since] of waiting)
        if (value !== undefined && Number(shown) <= Number(value)) {
          waiting.delete(shown);
          delays.push(performance.now() - since);
        }
    });
    await new Promise((resolve) => socket.once("open", resolve));
    const send = (type: string, payload: object) =>
      socket.send(JSON.stringify({ v: "mvp-0.2", type, id: "1", payload }));
    for (const [type, payload] of [
      ["relay.join", { role: "agent", sessionId: "default" }],
      ["session.start", {}],
    ] as const) {
      answered = Promise.withResolvers();
      send(type, payload);
      await answered.promise;
    }
    await new Promise((resolve) => setTimeout(resolve, (room / rooms) * (1000 / rate)));
    for (let i = 1; i <= rate * seconds; i++) {
      waiting.set(String(i), performance.now());
      send("tool.call", { toolName: "setField", params: { fieldId: "sceneQuery", value: String(i) }, reason: "a try" });
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, 1000 / rate));
    }
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    missing += waiting.size;
    socket.close();
  }
}
