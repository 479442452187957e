import { randomBytes } from "node:crypto";
import { type Era, hostOf, ticketOf } from "./chat.ts";
import type { CallOfPage } from "./chat-host.ts";
import { createWorld, type World } from "./world.ts";

export const INTENT =
  "I am looking for a product designer for a three-month pilot in a hospital. Call me at 13800138000.";

/** A call that ends with a question to its person: about the text of a demand, unless it says otherwise. */
export const DEMAND = (_: Pick<World, "sceneId">): CallOfPage => ({
  name: "towow_demand",
  arguments: { intent: INTENT },
});

/** A profile that its person is asked about before it is sent. */
export const PROFILE_ASKED = ({ sceneId: scene }: Pick<World, "sceneId">): CallOfPage => ({
  name: "towow_join",
  arguments: {
    scene,
    display_name: "Mei Lin",
    profile_data: {
      bio: "Designer of calm hospital software. Call me at 13800138000.",
      skills: ["interaction design", "user research", "figma"],
      capabilities: ["interviews with nurses"],
      experience: "Eight years of ward software.\nTwo hospitals in Shanghai.",
    },
  },
});

/** What waits for its person at a client that draws pages, which brings the page's calls to the server. */
export async function waitingInChat(era: Era = "legacy", config: Record<string, unknown> = {}, asks = DEMAND) {
  const world = await createWorld();
  const process = await world.process({ chat: { stateKey: randomBytes(32) }, config });
  const client = await hostOf(process, era);
  const call = ({ name, arguments: args = {}, _meta = {} }: CallOfPage) =>
    world.clock.run(client.callTool({ name, arguments: args, _meta }));
  const result = await call(asks(world));
  return { world, process, call, result, ticket: ticketOf(result) };
}
