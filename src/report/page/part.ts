import { html } from "hono/html";
import { joinList } from "../../text/join.ts";
import type { ReportTexts } from "../../text/report.ts";

export type Html = ReturnType<typeof html>;

/** The part of the page about one negotiation. */
export interface Part {
  /** The prefix of every id in this part. */
  id: string;
  /** True if this is the only part. Otherwise each section's name includes the part's title. */
  isOnly: boolean;
  texts: ReportTexts;
  /** Formats a moment for the person, in ms since the epoch. */
  timeOf: (atMs: number) => string;
}

/** Makes a section with its heading. `name` makes its id. */
export const section = (part: Part, name: string, heading: string, body: unknown): Html => {
  const id = `${part.id}-${name}`;
  const label = part.isOnly ? `${id}-h` : `${part.id}-title ${id}-h`;
  return html`<section id="${id}" aria-labelledby="${label}"><h2 id="${id}-h">${heading}</h2>
${body}</section>`;
};

export const listed = (names: readonly string[], { lang }: ReportTexts): string => joinList(names, lang);
