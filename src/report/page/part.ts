import { html } from "hono/html";
import { joinList } from "../../text/join.ts";
import type { ReportTexts } from "../../text/report.ts";

export type Html = ReturnType<typeof html>;

/** What every section about one negotiation needs to draw itself. */
export interface Part {
  /** The prefix of the sections' HTML ids. */
  id: string;
  /**
   * True if the page is about one negotiation only. Otherwise the accessible name of each section includes the
   * negotiation's title.
   */
  isOnly: boolean;
  texts: ReportTexts;
  /** Formats a time, given in ms since the epoch, for the person. */
  timeOf: (atMs: number) => string;
}

/** Draws a section with its heading. `name` becomes part of the section's HTML id. */
export const section = (part: Part, name: string, heading: string, body: unknown): Html => {
  const id = `${part.id}-${name}`;
  const label = part.isOnly ? `${id}-h` : `${part.id}-title ${id}-h`;
  return html`<section id="${id}" aria-labelledby="${label}"><h2 id="${id}-h">${heading}</h2>
${body}</section>`;
};

export const listed = (names: readonly string[], { lang }: ReportTexts): string => joinList(names, lang);
