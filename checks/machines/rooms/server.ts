import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock as clock } from "../../../src/clock.ts";
import { Relay } from "../../../src/relay/relay.ts";
import { RelaySocket } from "../../../src/relay/socket.ts";
import type { Person } from "../../../src/room/person.ts";
import { Room } from "../../../src/room/room.ts";
import { platformWith } from "../../../test/support/platform.ts";

const SCENES = Array.from({ length: 12 }, (_, n) => ({
  id: `scene_${n}`,
  name: `Scene ${n}`,
  description: "People who build small and useful things for hospitals, schools and shops.",
  agents: n,
}));
const person = {
  host: () => "127.0.0.1",
  lang: () => "en",
  lastScene: () => undefined,
  scenes: async () => SCENES,
  undecided: async () => undefined,
  async *history() {},
  sanitizing: () => ({ limits: { offerChars: 4_000, planChars: 40_000, nameChars: 80 }, redactPii: false }),
  tell: String,
} as unknown as Person;
let ids = 0;
const platform = platformWith(clock, { newId: () => `${++ids}` });

const relays = await Promise.all(
  Array.from({ length: Number(process.argv[2]) }, async () => {
    const room = new Room({ platform, person, timeOfDay: String, dayAndTime: String });
    await room.call("person", "refresh", {});
    room.pageOpened();
    return new Relay({ platform, room, taints: async () => {}, openLog: (id) => ({ name: id, append() {} }) });
  }),
);
const server = createServer();
const hosts = () => [`127.0.0.1:${(server.address() as AddressInfo).port}`];
const sockets = new RelaySocket({
  platform,
  isHost: (host) => hosts().includes(host),
  isOrigin: () => false,
  relayFor: (token) => ({ relay: relays[Number(token)]!, hasToken: true }),
});
server.on("upgrade", (request, socket, head) => sockets.upgrade(request, socket, head));
server.listen(0, "127.0.0.1", tell);
process.on("message", tell);
process.on("disconnect", () => process.exit());

function tell(): void {
  const residentMb = process.memoryUsage.rss() / 2 ** 20;
  process.send?.({ url: `ws://${hosts()[0]}/agent/ws`, residentMb });
}
