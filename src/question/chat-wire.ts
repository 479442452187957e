/**
 * What a page in the chat and this program say to each other: the names and shapes of MCP Apps (2026-01-26) as both use
 * them. Without any import, because the page is bundled with it.
 */

/** By this extension a client says that it draws pages, with the types that it draws. */
export const PAGES_EXTENSION = "io.modelcontextprotocol/ui";
export const PAGE_TYPE = "text/html;profile=mcp-app";

/** Whether a client draws pages of this type, by the capabilities that it declares: some declare the extension without a type. */
export function drawsPages(capabilities: unknown): boolean {
  const { extensions } = (capabilities ?? {}) as {
    extensions?: Readonly<Record<string, { mimeTypes?: unknown } | null>>;
  };
  const types = extensions?.[PAGES_EXTENSION]?.mimeTypes;
  return Array.isArray(types) && types.includes(PAGE_TYPE);
}

/** The one page: it asks about a text, and follows what becomes of it. */
export const QUESTION_PAGE = "ui://towow/question";
/** The file of `dist/` that it is, with everything in it. */
export const QUESTION_FILE = "question.html";

/** The page's tool: its arguments are a {@link PageCall}, its answer stands in `_meta` alone. */
export const PAGE_TOOL = "towow_page";

/** In `_meta` of a result that waits, and of each call of the page's tool: a {@link PageTicket}. */
export const TICKET_META = "towow/page";
export interface PageTicket {
  ticket: string;
  /** As of `/page`: for a host that lets the page call nothing, where it cannot ask for it. */
  url?: string;
}

/** In `_meta` of what the page's tool answers: a {@link PageAnswer}. Without it (`isError`) the ticket opens nothing. */
export const ROOM_META = "towow/room";

/**
 * `/`: the room as it is first painted. `/act`: something is done, or with `do: ""` only looked at. `/page`: where the
 * person can decide instead, in a browser.
 */
export const PAGE_PATHS = ["/", "/act", "/page"] as const;
export interface PageCall {
  path: (typeof PAGE_PATHS)[number];
  form?: PageForm;
}

/**
 * What stands for the text's display: that the browser says nothing covers it, nor makes it transparent (`visible`:
 * IntersectionObserver with `trackVisibility`), or only that it has stood within the frame (`in_view`).
 */
export const DISPLAYS = ["visible", "in_view"] as const;
export type Display = (typeof DISPLAYS)[number];

/** As a page of HTTP sends its form to `/act`, and what only a page in the chat has to say. All of it is text. */
export interface PageForm {
  /** A button: its tool, and its parameters as a query. */
  do: string;
  /** What was typed into a field of the screen, as `f.<id>`. */
  [field: `f.${string}`]: string | undefined;
  /** The fields that the person has left, with commas between. */
  left?: string;
  /** As the last answer gave it: without a room here, one is made from it. */
  draft?: string;
  /** The `textHash` of the text that has been seen whole on the page since it was last given. */
  shown?: string;
  /** How the page knows what stands before its person. A yes and a cancel count with it alone, so it comes with every act. */
  display?: Display;
  /** Of the browser, as `Intl` names it. */
  timeZone?: string;
}

/** `status` and `body` are what HTTP would answer: of `/` a `Boot`, of `/act` a `Shown` and `late`, of `/page` a {@link PageWay}. */
export interface PageAnswer {
  status: number;
  /** JSON; of a status from 400 on there is none. */
  body: string;
  /** What was done to the text, for the next call; the page does not read it. */
  draft?: string;
}

/** Where the person can decide instead; no address where there is none to give. */
export interface PageWay {
  url?: string;
}
