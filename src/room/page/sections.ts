import type { Section, UiSpec } from "../ui-spec-schema.ts";

/** The first section of a kind and, where it is given, an id. */
export const sectionOf = <K extends Section<never>["kind"] | string>(
  { sections }: UiSpec,
  kind: K,
  id?: string,
): Section<K & UiSpec["sections"][number]["kind"]> | undefined =>
  sections.find((section) => section.kind === kind && (id === undefined || section.id === id)) as
    | Section<K & UiSpec["sections"][number]["kind"]>
    | undefined;
