import { expect, it, vi } from "vitest";
import { toolSchema } from "../../src/room/tools.ts";
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

/** A room at the scenes of a backend that lists them. */
async function atScenes() {
  const opened = await world();
  const ids = opened.world.mock.scenes().map(({ scene_id }) => scene_id);
  return { ...opened, ids, sceneId: () => opened.room.room.state.form.sceneId };
}

it("a scene's own button goes on with it, whatever was chosen before; those joined stand first", async () => {
  const { room, ids, sceneId } = await atScenes();
  const [first = "", other = ""] = ids;
  await room.call("select", { itemId: first });
  await room.call("next", { sceneId: other });
  expect([room.stage(), sceneId()]).toEqual(["profile", other]);
  await room.press("prev");
  await expect(room.call("next", { sceneId: "scene_elsewhere" })).rejects.toMatchObject({ code: "INVALID_PARAMS" });
  room.room.update((state) => ({ ...state, form: { ...state.form, joined: [other] } }));
  const list = room.section("list");
  expect(list?.kind === "list" && list.items[0]).toMatchObject({ id: other, tag: "joined" });
});

it("a scene that does not stand in the list is gone on with by its id; an agent's choice is not taken for it", async () => {
  const { room, ids, sceneId } = await atScenes();
  await expect(room.call("next", { from: "scene" })).rejects.toMatchObject({ code: "INVALID_PARAMS" });
  await room.call("setField", { fieldId: "givenId", value: " scene_of_a_friend " });
  await room.call("select", { itemId: ids[0] ?? "" });
  await room.call("next", { from: "scene" });
  expect([room.stage(), sceneId()]).toEqual(["profile", "scene_of_a_friend"]);
});

it("the buttons of the scenes are the person's: an agent chooses, and goes on with its choice", async () => {
  const { room } = await atScenes();
  expect(toolSchema(room.spec()).map(({ toolName }) => toolName)).not.toContain("next");
  const { sections } = room.spec();
  const items = sections.flatMap((section) => (section.kind === "list" ? section.items : []));
  expect(items.length).toBeGreaterThan(1);
  expect(items.flatMap(({ actions }) => actions.map(({ by }) => by))).toEqual(items.map(() => "person"));
});

it("a search that finds nothing leads back to all of them", async () => {
  const { room, ids } = await atScenes();
  await room.call("setField", { fieldId: "sceneQuery", value: "zzz" });
  await room.press("setField");
  const list = room.section("list");
  expect(list?.kind === "list" && list.items.length).toBe(ids.length);
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
