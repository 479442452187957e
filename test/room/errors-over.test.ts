import { expect, it } from "vitest";
import { openRoom } from "../support/room.ts";
import { toSheet, world } from "./world.ts";

const AWAY = { kind: "status", status: 503, times: 1_000 } as const;

it("scenes that could not be loaded come by themselves, and what was said of them goes", async () => {
  const { world: w, process } = await world();
  w.mock.faults.add({ route: "scenes.list", ...AWAY });
  const room = await openRoom(w, process);
  await room.until(() => room.spec().notes.length > 0);
  expect(room.room.state.scenes.state).toBe("failed");
  w.mock.faults.clear();
  await room.until(() => room.room.state.scenes.state === "listed");
  expect(room.spec().notes).toEqual([]);
});

it("a demand that could not be read: the error is gone with the next answer", async () => {
  const { room: first, world: w, process } = await toSheet();
  const id = first.room.state.demand?.id ?? "";
  first.room.close();
  w.mock.faults.add({ route: "get", ...AWAY });
  const room = await openRoom(w, process, id);
  await room.until(() => room.room.state.notice !== undefined);
  w.mock.faults.clear();
  await room.until(() => room.section("sheet") !== undefined);
  expect(room.spec().notes.filter(({ tone }) => tone === "error")).toEqual([]);
});
