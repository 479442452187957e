import { SEEN_CLIENTS } from "../../src/ask/seen-clients.ts";
import { table } from "./markdown.ts";

/** What each client that was driven for real shows of a question. */
export function surfacesTable(): string {
  const head = ["client", "seen", "rows of text", "line breaks", "own text", "fields", "pages"];
  const rows = SEEN_CLIENTS.map(({ title, version, date, form, fieldOrder, pages, needsElicitationId }) => [
    `${title} ${version}`,
    date,
    `${form.messageRows} of ${form.messageColumns} columns`,
    form.keepsLineBreaks ? "kept" : "none: each line is cut to one row",
    `${form.fieldRows} of ${form.fieldColumns} columns`,
    fieldOrder === "by_name" ? "sorted by name" : "as given",
    pages === "declined_unseen" ? "declined unseen" : needsElicitationId ? "opened, with an `elicitationId`" : "opened",
  ]);
  return table(head, rows);
}
