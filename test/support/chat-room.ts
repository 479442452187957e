import { randomBytes } from "node:crypto";
import { type Era, hostOf, ticketOf } from "./chat.ts";
import type { CallOfPage } from "./chat-host.ts";
import { createWorld } from "./world.ts";

export const INTENT =
  "I am looking for a product designer for a three-month pilot in a hospital. Call me at 13800138000.";

/** A demand whose text waits at a client that draws pages, which brings the page's calls to the server. */
export async function waitingInChat(era: Era = "legacy", config: Record<string, unknown> = {}) {
  const world = await createWorld();
  const process = await world.process({ chat: { stateKey: randomBytes(32) }, config });
  const client = await hostOf(process, era);
  const call = ({ name, arguments: args = {}, _meta = {} }: CallOfPage) =>
    world.clock.run(client.callTool({ name, arguments: args, _meta }));
  const result = await call({ name: "towow_demand", arguments: { intent: INTENT } });
  return { world, process, call, result, ticket: ticketOf(result) };
}
