import { openRelay } from "../support/relay.ts";
import { openRoom } from "../support/room.ts";
import { createWorld } from "../support/world.ts";

export const DEMAND =
  "I need a product designer for a hospital pilot. Call me at 13800138000, token sk-live1234567890abcdef.";

export async function relayed({ page = true, isStudy = false } = {}) {
  const world = await createWorld();
  const process = await world.process({ config: { last_scene_id: undefined } });
  const opened = await openRoom(world, process);
  if (page) opened.room.pageOpened();
  return { world, opened, ...(await openRelay(world, opened, process, isStudy)) };
}

export const join = { role: "agent", sessionId: "default" };
