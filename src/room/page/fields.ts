import type { FieldSpec, UiSpec } from "../ui-spec-schema.ts";

/** The fields that a screen has. */
export const fieldsIn = ({ sections }: UiSpec): FieldSpec[] =>
  sections.flatMap((section) => {
    if (section.kind === "form") return section.fields;
    if (section.kind === "agent") return section.field ?? [];
    return section.kind === "sheet" ? (section.editor?.field ?? []) : [];
  });
