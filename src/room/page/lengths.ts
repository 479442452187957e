import type { FieldSpec, UiSpec } from "../ui-spec-schema.ts";
import { current } from "./store.ts";

/** The fields that a screen has. */
export const fieldsIn = ({ sections }: UiSpec): FieldSpec[] =>
  sections.flatMap((section) => {
    if (section.kind === "form") return section.fields;
    if (section.kind === "agent") return section.field ?? [];
    return section.kind === "sheet" ? (section.editor?.field ?? []) : [];
  });

/** By how many characters a text is too long for its field, where it is. */
export const excessOf = (field: FieldSpec | undefined, text = ""): number =>
  field === undefined ? 0 : Math.max(0, text.length - field.maxLength);

/** Whether something stands on the page that the room would not take: what goes on from here would lose it. */
export function hasExcess(): boolean {
  const { spec, drafts } = current();
  return fieldsIn(spec).some((field) => excessOf(field, drafts[field.id]) > 0);
}
