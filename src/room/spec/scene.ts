import { SANITIZE_DEFAULTS } from "../../safety/sanitize/options.ts";
import { shownName } from "../../use/scenes.ts";
import type { ActionSpec, SectionSpec } from "../ui-spec-schema.ts";
import { button, type Drawing } from "./drawing.ts";

/** The most scenes that are drawn at once. The search finds the others. */
const MAX_SHOWN = 60;
const MAX_QUERY_LENGTH = 200;

export function sceneSections(drawing: Drawing): SectionSpec[] {
  const { state, say } = drawing;
  const { scenes, form } = state;
  if (scenes.state === "cannot_list") return [idSection(drawing, "sceneId")];
  const note = { loading: say.scene.loading, failed: say.scene.failed, listed: undefined };
  const shown = matching(drawing).slice(0, MAX_SHOWN);
  const isSearched = scenes.state === "listed" && scenes.items.length > 0;
  const empty = note[scenes.state] ?? (isSearched ? say.scene.noMatch : say.scene.none);
  return [
    {
      kind: "form",
      id: "search",
      fields: [
        {
          id: "sceneQuery",
          kind: "search",
          label: say.scene.search,
          value: form.sceneQuery,
          placeholder: say.scene.searchHint,
          maxLength: MAX_QUERY_LENGTH,
        },
      ],
      actions: [],
    },
    {
      kind: "list",
      id: "scenes",
      heading: say.scene.list,
      items: shown.map(({ id, name, description, agents }) => ({
        id,
        title: name || id,
        ...(description !== "" && { detail: description }),
        ...(form.joined.includes(id) && { tag: say.scene.joined }),
        mark: say.scene.agents(agents),
        selected: form.sceneId === id,
        actions: [personsNext(drawing, { sceneId: id })],
      })),
      ...(shown.length === 0 && { empty }),
      actions: [
        ...(scenes.state === "failed" ? [button(drawing, "refresh", say.scene.again)] : []),
        ...(isSearched && shown.length === 0
          ? [button(drawing, "setField", say.scene.showAll, { params: { fieldId: "sceneQuery", value: "" } })]
          : []),
        // Only an outside agent uses this button, because the person presses the scene itself. The button is disabled
        // while the search hides the chosen scene.
        button(drawing, "next", say.scene.go, {
          tone: "primary",
          enabled: shown.some(({ id }) => id === form.sceneId),
        }),
      ],
    },
    idSection(drawing, "givenId"),
  ];
}

/** Makes a button that only the person can press, and that uses its own parameters whatever an outside agent has chosen. */
const personsNext = (drawing: Drawing, params: Record<string, string>, enabled = true): ActionSpec => ({
  ...button(drawing, "next", drawing.say.scene.go, { params, enabled }),
  by: "person",
});

/** Asks for a scene's id, either because the backend lists no scenes or because the scene is not in the list. */
function idSection(drawing: Drawing, id: "sceneId" | "givenId"): SectionSpec {
  const { say, state } = drawing;
  const value = state.form[id];
  const isAlone = id === "sceneId";
  const enabled = value.trim() !== "";
  return {
    kind: "form",
    id: "scene",
    ...(isAlone ? { note: say.scene.cannotList } : { more: say.scene.given }),
    fields: [
      {
        id,
        kind: "line",
        label: say.scene.id,
        value,
        placeholder: say.scene.idHint,
        maxLength: MAX_QUERY_LENGTH,
        ...(isAlone ? { required: true } : { folded: true }),
      },
    ],
    actions: [
      isAlone
        ? button(drawing, "next", say.scene.go, { tone: "primary", enabled })
        : personsNext(drawing, { from: "scene" }, enabled),
    ],
  };
}

/** Returns the scenes that the search finds, with those that the person has joined first. */
function matching({ state: { scenes, form } }: Drawing) {
  const wanted = form.sceneQuery.trim().toLowerCase().split(/\s+/);
  const found = scenes.items.filter(({ id, name, description }) =>
    wanted.every((word) => `${id} ${name} ${description}`.toLowerCase().includes(word)),
  );
  const isJoined = ({ id }: { id: string }) => Number(form.joined.includes(id));
  return found.sort((a, b) => isJoined(b) - isJoined(a));
}

/** Names a scene as every question to the person does. */
export const askedScene = (id: string, { state, texts }: Pick<Drawing, "state" | "texts">): string => {
  const name = state.scenes.items.find((scene) => scene.id === id)?.name;
  return texts.page.scene(id, name === undefined ? undefined : shownName(name, SANITIZE_DEFAULTS));
};

/** Returns the name of the demand's scene, or else the name or the id of the chosen scene. */
export function sceneNameOf({ state }: Pick<Drawing, "state">): string | undefined {
  if (state.demand !== undefined) return state.demand.sceneName;
  const { sceneId } = state.form;
  return state.scenes.items.find(({ id }) => id === sceneId)?.name || sceneId || undefined;
}
