import type { UiSpec } from "../ui-spec-schema.ts";
import { encoded } from "./encoded.ts";
import { AGENT_FORM, formIdOf, formOfFields } from "./sections.ts";

/**
 * The one-line fields that Enter sends, with the tool that each uses. A profile's name is not among them, because Enter
 * would send the profile for good.
 */
const LINES = { message: "say", sceneId: "next", givenId: "next?from=scene", sceneQuery: "" } as const;

type LineId = keyof typeof LINES;

const isLine = (id: string): id is LineId => Object.hasOwn(LINES, id);

/**
 * Returns what Enter in a field sends, as the value of a button. An empty text sends only the typed words. Returns
 * undefined if Enter does nothing.
 */
export function enterOf({ sections }: UiSpec, fieldId: string): string | undefined {
  if (!isLine(fieldId)) return undefined;
  const tool = LINES[fieldId];
  const actions = sections.flatMap((section) => ("actions" in section ? section.actions : []));
  const action = actions.find(({ toolName }) => toolName === tool);
  return action === undefined ? tool : encoded(action);
}

/**
 * Returns what Enter does in a form, for a browser that names no field. It does something only if the form has exactly
 * one line.
 */
export function enterIn(spec: UiSpec, form: string | undefined): string | undefined {
  const lines = spec.sections.flatMap((section) => {
    if (section.kind === "agent") return (formOfFields(spec) ?? AGENT_FORM) === form ? (section.field ?? []) : [];
    return section.kind === "form" && formIdOf(section) === form ? section.fields : [];
  });
  const [line, another] = lines.filter(({ kind }) => kind === "line" || kind === "search");
  return line === undefined || another !== undefined ? undefined : enterOf(spec, line.id);
}
