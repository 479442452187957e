import type { FieldSpec, UiSpec } from "../ui-spec-schema.ts";
import { current } from "./store.ts";

/** Returns the fields of a screen. */
export const fieldsIn = ({ sections }: UiSpec): FieldSpec[] =>
  sections.flatMap((section) => {
    if (section.kind === "form") return section.fields;
    if (section.kind === "agent") return section.field ?? [];
    return section.kind === "sheet" ? (section.editor?.field ?? []) : [];
  });

/** Returns by how many characters a text is too long for its field; 0 if it fits. */
export const excessOf = (field: FieldSpec | undefined, text = ""): number =>
  field === undefined ? 0 : Math.max(0, text.length - field.maxLength);

/** Returns whether a text on the page is too long for the room, so that going on from here would lose it. */
export function hasExcess(): boolean {
  const { spec, drafts } = current();
  return fieldsIn(spec).some((field) => excessOf(field, drafts[field.id]) > 0);
}
