import { html } from "hono/html";
import { joinList } from "../../text/join.ts";
import type { ReportTexts } from "../../text/report.ts";

export type Html = ReturnType<typeof html>;

/** One negotiation's part of the page. */
export interface Part {
  /** Before every id in it. */
  id: string;
  /** Whether it is the only one; else its title is a part of each section's name. */
  isOnly: boolean;
  texts: ReportTexts;
  /** A moment as the person reads it. */
  timeOf: (atMs: number) => string;
}

/** A section with its heading; `name` makes its id. */
export const section = (part: Part, name: string, heading: string, body: unknown): Html => {
  const id = `${part.id}-${name}`;
  const label = part.isOnly ? `${id}-h` : `${part.id}-title ${id}-h`;
  return html`<section id="${id}" aria-labelledby="${label}"><h2 id="${id}-h">${heading}</h2>
${body}</section>`;
};

export const listed = (names: readonly string[], { lang }: ReportTexts): string => joinList(names, lang);
