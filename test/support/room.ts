import { onTestFinished } from "vitest";
import { createPerson } from "../../src/room/person-services.ts";
import { Room, type RoomSnapshot } from "../../src/room/room.ts";
import { buttonsOn } from "../../src/room/tools.ts";
import type { Process, World } from "./world.ts";

/** A room of the person of this process, with everything that it told its watchers. */
export async function openRoom(world: World, { deps }: Process, negotiationId?: string) {
  const { timeOfDay } = deps;
  const person = createPerson(deps);
  const room = new Room({ platform: deps, person, timeOfDay, dayAndTime: timeOfDay }, { negotiationId });
  const updates: RoomSnapshot[] = [];
  room.subscribe((snapshot) => updates.push(snapshot));
  onTestFinished(() => room.close());
  const call = (toolName: string, params: Record<string, string> = {}, by: "person" | "agent" = "person") =>
    world.clock.run(room.call(by, toolName, params, { reason: "a reason", hand: { browser: "own_window" } }));
  const spec = () => room.show().uiSpec;
  await call("refresh").catch(() => {});
  return {
    room,
    updates,
    spec,
    call,
    stage: () => spec().stage,
    section: <K extends string>(kind: K) => spec().sections.find((section) => section.kind === kind),
    /** Presses the first button for this tool that can be pressed. */
    press: (toolName: string, id?: string) => {
      const action = buttonsOn(spec()).find(
        (one) => one.toolName === toolName && one.enabled && (!id || one.id === id),
      );
      if (action === undefined) throw new Error(`no button for ${toolName}`);
      return call(toolName, action.params);
    },
    until: (done: () => boolean) => world.clock.until(done),
  };
}
