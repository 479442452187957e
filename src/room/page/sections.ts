import type { Section, UiSpec } from "../ui-spec-schema.ts";

/** The id of the decision sheet's form, to which the buttons of the sheet and of the bar belong. */
export const SHEET_FORM = "decide";

/** Returns the id of a section's form. */
export const formIdOf = ({ id }: { id: string }): string => `a-${id}`;

/**
 * Returns the id of the form for what is typed on this page. Without a script, a button sends only the fields of its
 * own form, and the page then loads again. Buttons beside the fields therefore belong to the fields' form, so that no
 * word is lost.
 */
export function formOfFields({ sections }: UiSpec): string | undefined {
  if (sections.some((section) => section.kind === "sheet" && section.editor !== undefined)) return SHEET_FORM;
  const form = sections.find(
    (section) => section.kind === "form" && section.id !== RESUME && section.fields.length > 0,
  );
  if (form?.kind === "form") return formIdOf(form);
  const hasMessage = sections.some((section) => section.kind === "agent" && section.field !== undefined);
  return hasMessage ? AGENT_FORM : undefined;
}

/** The id of the form for the message to an outside agent, if nothing else is typed on the page. */
export const AGENT_FORM = "a-agent";
/** The id of the résumé's section, which stands beside the profile and is sent by the profile's form. */
const RESUME = "resume";

/** Returns whether the negotiation ended with a plan. Every other end shows a section on what happened. */
export const isPlan = (spec: UiSpec): boolean => spec.stage === "done" && sectionOf(spec, "facts") === undefined;

/** Returns the first section of this kind, and with this id if one is given. */
export const sectionOf = <K extends Section<never>["kind"] | string>(
  { sections }: UiSpec,
  kind: K,
  id?: string,
): Section<K & UiSpec["sections"][number]["kind"]> | undefined =>
  sections.find((section) => section.kind === kind && (id === undefined || section.id === id)) as
    | Section<K & UiSpec["sections"][number]["kind"]>
    | undefined;
