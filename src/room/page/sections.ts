import type { Section, UiSpec } from "../ui-spec-schema.ts";

/** The form of the decision sheet, which ends the page. */
export const SHEET_FORM = "decide";

/** The form of one section. */
export const formIdOf = ({ id }: { id: string }): string => `a-${id}`;

/**
 * The form of what is typed on this page. Without a script a button sends the fields of its own form alone, and the page
 * is then loaded anew: what is pressed beside the fields belongs to their form, so that no word is lost.
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

/** The person's words to their outside agent, where nothing else is typed. */
export const AGENT_FORM = "a-agent";
/** It stands beside the profile, whose form sends it. */
const RESUME = "resume";

/** Whether the end that is shown is a plan: every other end says what happened. */
export const isPlan = (spec: UiSpec): boolean => spec.stage === "done" && sectionOf(spec, "facts") === undefined;

/** The first section of a kind and, where it is given, an id. */
export const sectionOf = <K extends Section<never>["kind"] | string>(
  { sections }: UiSpec,
  kind: K,
  id?: string,
): Section<K & UiSpec["sections"][number]["kind"]> | undefined =>
  sections.find((section) => section.kind === kind && (id === undefined || section.id === id)) as
    | Section<K & UiSpec["sections"][number]["kind"]>
    | undefined;
