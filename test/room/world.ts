import { openRoom } from "../support/room.ts";
import { createWorld } from "../support/world.ts";

export const DEMAND =
  "I am looking for a product designer for a three-month pilot in a hospital. Call me at 13800138000.";

/** A room that nobody has used yet. */
export async function world(config: Record<string, unknown> = {}) {
  const world = await createWorld();
  const process = await world.process({ config: { last_scene_id: undefined, ...config } });
  return { world, process, room: await openRoom(world, process) };
}

/** A room that shows what the network made of a demand. */
export async function toSheet(config?: Record<string, unknown>) {
  const opened = await world(config);
  const { room, world: w } = opened;
  await room.call("select", { itemId: w.sceneId });
  await room.press("next");
  await room.call("setField", { fieldId: "display_name", value: "Lin" });
  await room.call("setField", { fieldId: "skills", value: "python\nforecasting" });
  await room.press("next");
  await room.call("setField", { fieldId: "intent", value: DEMAND });
  await room.press("next");
  await room.until(() => room.section("sheet") !== undefined && room.room.state.demand?.question !== undefined);
  return opened;
}
