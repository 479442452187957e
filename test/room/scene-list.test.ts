import { expect, it, vi } from "vitest";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { DRAWING } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";
import { world } from "./world.ts";

const chosen = roomStates("en").scene!;
const SCENES = Array.from({ length: 62 }, (_, n) => ({ id: `s${n}`, name: `Scene ${n}`, description: "", agents: n }));

/** The list of scenes as it is drawn: how many, what stands there instead, and whether one can go on. */
function listOf({ query = "", sceneId = "s0" } = {}) {
  const scenes = { state: "listed" as const, items: SCENES };
  const { sections } = uiSpec({ ...chosen, scenes, form: { ...chosen.form, sceneId, sceneQuery: query } }, DRAWING);
  const list = sections.find(({ kind }) => kind === "list");
  if (list?.kind !== "list") throw new Error("no list");
  const { items: shown, empty, actions } = list;
  return { shown: shown.length, empty, goesOn: actions.find(({ toolName }) => toolName === "next")?.enabled };
}

it("sixty are drawn, the search finds the others, and one goes on only with one that is drawn", () => {
  expect(listOf()).toEqual({ shown: 60, empty: undefined, goesOn: true });
  expect(listOf({ sceneId: "s59" }).goesOn).toBe(true);
  expect(listOf({ sceneId: "s60" }).goesOn).toBe(false);
  expect(listOf({ sceneId: "s60", query: "SCENE 60" })).toEqual({ shown: 1, empty: undefined, goesOn: true });
  expect(listOf({ query: "  scene   61 " }).shown).toBe(1);
});

it("the person's yes is noted before what they agreed to goes out, however long the note takes", async () => {
  const { room, world: w, process } = await world();
  const { permissions } = process.deps.session;
  const decide = permissions.decide.bind(permissions);
  vi.spyOn(permissions, "decide").mockImplementation(async (...given) => {
    await w.clock.sleep(2_000);
    return decide(...given);
  });
  await room.call("select", { itemId: w.sceneId });
  await room.press("next");
  await room.call("setField", { fieldId: "display_name", value: "Lin" });
  await room.call("setField", { fieldId: "skills", value: "python" });
  await room.press("next");
  expect(room.spec().notes).toEqual([]);
  expect(room.stage()).toBe("demand");
});
