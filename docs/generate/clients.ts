import { SEEN_CLIENTS } from "../../src/ask/client-forms.ts";
import { BROWSERS, type Situation, type WayToDecide, waysAt } from "../../src/question/ways.ts";
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

const WAYS: Readonly<Record<WayToDecide, string>> = {
  client: "the client asks",
  chat: "your AI asks in the chat",
  page: "a page",
  tunnel: "a page, by a tunnel",
  terminal: "`towow-mcp confirm`",
};
const PLACES: Readonly<Record<string, Omit<Situation, "browser">>> = {
  "the client can show the text and ask": { shownBy: "client", lifetime: "session" },
  "the client has no form and no page": { shownBy: "chat", lifetime: "session" },
  "the same, and it starts the server for each call": { shownBy: "chat", lifetime: "call" },
  "it has forms, and none shows the whole text": { shownBy: "cut", lifetime: "session" },
  "only your own hand counts": { shownBy: "nobody", lifetime: "session" },
  "`towow-mcp call`": { shownBy: "nobody", lifetime: "command" },
};

/** How a person can read a text and decide on it, by client and by where their browser is. */
export function waysTable(): string {
  const head = ["where", "a browser here", "no browser (SSH, a container)", "an endpoint for many users"];
  const rows = Object.entries(PLACES).map(([name, place]) => [
    name,
    ...BROWSERS.map((browser) => {
      const ways = waysAt({ ...place, browser }).map((way) =>
        way === "terminal" && browser === "elsewhere" ? "your room" : WAYS[way],
      );
      return ways.length === 0 ? "–" : ways.join(", ");
    }),
  ]);
  return table(head, rows);
}
