import type { UiSpec } from "../ui-spec-schema.ts";
import { encoded } from "./encoded.ts";
import { AGENT_FORM, formIdOf, formOfFields } from "./sections.ts";

/** The lines that Enter sends, with the tool that it uses. A profile's name is none, because Enter would send it for good. */
const LINES = { message: "say", sceneId: "next", givenId: "next?from=scene", sceneQuery: "" } as const;

type LineId = keyof typeof LINES;

const isLine = (id: string): id is LineId => Object.hasOwn(LINES, id);

/** Returns what Enter in a field does, as a form sends it. "" sends only the words; undefined does nothing. */
export function enterOf({ sections }: UiSpec, fieldId: string): string | undefined {
  if (!isLine(fieldId)) return undefined;
  const tool = LINES[fieldId];
  const actions = sections.flatMap((section) => ("actions" in section ? section.actions : []));
  const action = actions.find(({ toolName }) => toolName === tool);
  return action === undefined ? tool : encoded(action);
}

/** Returns what Enter does in a form as a whole, for a browser that names no field. It needs a form with just one line. */
export function enterIn(spec: UiSpec, form: string | undefined): string | undefined {
  const lines = spec.sections.flatMap((section) => {
    if (section.kind === "agent") return (formOfFields(spec) ?? AGENT_FORM) === form ? (section.field ?? []) : [];
    return section.kind === "form" && formIdOf(section) === form ? section.fields : [];
  });
  const [line, another] = lines.filter(({ kind }) => kind === "line" || kind === "search");
  return line === undefined || another !== undefined ? undefined : enterOf(spec, line.id);
}
