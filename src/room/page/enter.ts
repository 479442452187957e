import type { UiSpec } from "../ui-spec-schema.ts";
import { encoded } from "./encoded.ts";
import { AGENT_FORM, formIdOf, formOfFields } from "./sections.ts";

/** A line that Enter sends, or looks up, by what its button would do. Not a profile's name: it would go out for good. */
const LINES = { message: "say", sceneId: "next", givenId: "next?from=scene", sceneQuery: "" } as const;

type LineId = keyof typeof LINES;

const isLine = (id: string): id is LineId => Object.hasOwn(LINES, id);

/** What Enter in a field does, as a form sends it; "" sends only the words. Undefined where it does nothing. */
export function enterOf({ sections }: UiSpec, fieldId: string): string | undefined {
  if (!isLine(fieldId)) return undefined;
  const tool = LINES[fieldId];
  const actions = sections.flatMap((section) => ("actions" in section ? section.actions : []));
  const action = actions.find(({ toolName }) => toolName === tool);
  return action === undefined ? tool : encoded(action);
}

/** The same for a whole form, in which a browser asks for no field: only where one line stands in it. */
export function enterIn(spec: UiSpec, form: string | undefined): string | undefined {
  const lines = spec.sections.flatMap((section) => {
    if (section.kind === "agent") return (formOfFields(spec) ?? AGENT_FORM) === form ? (section.field ?? []) : [];
    return section.kind === "form" && formIdOf(section) === form ? section.fields : [];
  });
  const [line, another] = lines.filter(({ kind }) => kind === "line" || kind === "search");
  return line === undefined || another !== undefined ? undefined : enterOf(spec, line.id);
}
