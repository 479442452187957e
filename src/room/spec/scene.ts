import { SANITIZE_DEFAULTS } from "../../safety/sanitize/options.ts";
import { shownName } from "../../use/scenes.ts";
import type { SectionSpec } from "../ui-spec-schema.ts";
import { button, type Drawing } from "./drawing.ts";

/** Scenes that are drawn at once; the search finds the others. */
const MAX_SHOWN = 60;
const MAX_QUERY_LENGTH = 200;

export function sceneSections(drawing: Drawing): SectionSpec[] {
  const { state, say } = drawing;
  const { scenes, form } = state;
  const note = {
    loading: say.scene.loading,
    failed: say.scene.failed,
    cannot_list: say.scene.cannotList,
    listed: undefined,
  };
  if (scenes.state === "cannot_list")
    return [
      {
        kind: "form",
        id: "scene",
        note: say.scene.cannotList,
        fields: [
          {
            id: "sceneId",
            kind: "line",
            label: say.scene.id,
            value: form.sceneId,
            placeholder: say.scene.idHint,
            maxLength: MAX_QUERY_LENGTH,
            required: true,
          },
        ],
        actions: [button(drawing, "next", say.scene.go, { tone: "primary", enabled: form.sceneId.trim() !== "" })],
      },
    ];
  const shown = matching(drawing);
  const empty = note[scenes.state] ?? (scenes.items.length === 0 ? say.scene.none : say.scene.noMatch);
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
      items: shown.slice(0, MAX_SHOWN).map((scene) => ({
        id: scene.id,
        title: scene.name || scene.id,
        ...(scene.description !== "" && { detail: scene.description }),
        mark: [say.scene.agents(scene.agents), ...(form.joined.includes(scene.id) ? [say.scene.joined] : [])].join(
          " · ",
        ),
        selected: form.sceneId === scene.id,
        actions: [],
      })),
      ...(shown.length === 0 && { empty }),
      actions: [
        ...(scenes.state === "failed" ? [button(drawing, "refresh", say.scene.again)] : []),
        button(drawing, "next", say.scene.go, {
          tone: "primary",
          // Nobody goes on with a scene the search has hidden.
          enabled: shown.slice(0, MAX_SHOWN).some(({ id }) => id === form.sceneId),
        }),
      ],
    },
  ];
}

function matching({ state: { scenes, form } }: Drawing) {
  const wanted = form.sceneQuery.trim().toLowerCase().split(/\s+/);
  return scenes.items.filter(({ id, name, description }) =>
    wanted.every((word) => `${id} ${name} ${description}`.toLowerCase().includes(word)),
  );
}

/** A scene as every question names it. */
export const askedScene = (id: string, { state, texts }: Pick<Drawing, "state" | "texts">): string => {
  const name = state.scenes.items.find((scene) => scene.id === id)?.name;
  return texts.page.scene(id, name === undefined ? undefined : shownName(name, SANITIZE_DEFAULTS));
};

/** The chosen scene as the person knows it. */
export function sceneNameOf({ state }: Pick<Drawing, "state">): string | undefined {
  if (state.demand !== undefined) return state.demand.sceneName;
  const { sceneId } = state.form;
  return state.scenes.items.find(({ id }) => id === sceneId)?.name || sceneId || undefined;
}
