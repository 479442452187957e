import { asks, demand, FOLLOWS, type Request, type Task, until } from "../support/task-client.ts";
import { createWorld, type ProcessOptions, type World } from "../support/world.ts";
import { INTENT } from "./pause-support.ts";

export const seconds = (world: World, count: number) => () => world.clock.advance(count * 1_000);

/** A demand in the background that has asked its person. */
export async function asking(options: { capabilities?: object; process?: ProcessOptions; text?: string } = {}) {
  const world = await createWorld();
  if (options.text !== undefined) world.mock.engine.formulateWith(() => options.text ?? "");
  const p = await world.process(options.process);
  const request = p.taskClient(options.capabilities ?? FOLLOWS);
  const { taskId } = await demand(request, world.sceneId, INTENT);
  const task = await until(request, taskId, asks, seconds(world, 1));
  const next = (by: Request, holds: (seen: Task) => boolean) => until(by, taskId, holds, seconds(world, 1));
  return { world, p, request, taskId, task, next };
}
