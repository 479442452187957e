/**
 * What a page in the chat and this program say to each other: the names and shapes of MCP Apps (2026-01-26) as both use
 * them. Without any import, because the page is bundled with it.
 */

/** By this extension a client says that it draws pages, with the types that it draws. */
export const PAGES_EXTENSION = "io.modelcontextprotocol/ui";
export const PAGE_TYPE = "text/html;profile=mcp-app";

/** Returns whether a client declares that it draws pages of this type. Some declare the extension without a type. */
export function drawsPages(capabilities: unknown): boolean {
  const { extensions } = (capabilities ?? {}) as {
    extensions?: Readonly<Record<string, { mimeTypes?: unknown } | null>>;
  };
  const types = extensions?.[PAGES_EXTENSION]?.mimeTypes;
  return Array.isArray(types) && types.includes(PAGE_TYPE);
}

/** This is the one page: it asks about a text, and follows what becomes of it. */
export const QUESTION_PAGE = "ui://towow/question";
/** It is this file of `dist/`, with everything in it. */
export const QUESTION_FILE = "question.html";

/** The page's tool takes a {@link PageCall}, and answers in `_meta` alone. */
export const PAGE_TOOL = "towow_page";

/** A result that waits, and each call of the page's tool, hold a {@link PageTicket} in `_meta` under this. */
export const TICKET_META = "towow/page";
export interface PageTicket {
  ticket: string;
  /** `/page` would answer this. A page that its host lets call nothing cannot ask for it. */
  url?: string;
}

/** The page's tool answers with a {@link PageAnswer} in `_meta` under this. What comes without it is the host's own word. */
export const ROOM_META = "towow/room";

/**
 * `/`: the room as it is first painted. `/act`: something is done, or with `do: ""` only looked at. `/page`: where the
 * person can decide instead, in a browser.
 */
export const PAGE_PATHS = ["/", "/act", "/page"] as const;
export interface PageCall {
  path: (typeof PAGE_PATHS)[number];
  form?: PageForm;
  /**
   * A page whose host has kept its ticket names its demand to `/page`. It is answered with a {@link PageWay} in the text of
   * the result, because such a host keeps every `_meta`.
   */
  demand?: string;
}

/**
 * What stands for the text's display: that the browser says nothing covers it, nor makes it transparent (`visible`:
 * IntersectionObserver with `trackVisibility`), or only that it has stood within the frame (`in_view`).
 */
export const DISPLAYS = ["visible", "in_view"] as const;
export type Display = (typeof DISPLAYS)[number];

/** A page sends this form to `/act` over HTTP too; the later fields only a page in the chat has to say. All of it is text. */
export interface PageForm {
  /** Names a button by its tool, with its parameters as a query. */
  do: string;
  /** Holds what was typed into the field of the screen with this id. */
  [field: `f.${string}`]: string | undefined;
  /** The fields that the person has left, with commas between. */
  left?: string;
  /** The last answer gave it. Where there is no room, one is made from it. */
  draft?: string;
  /** The `textHash` of the text that has been seen whole on the page since it was last given. */
  shown?: string;
  /** How the page knows what stands before its person. A yes and a cancel count with it alone, so it comes with every act. */
  display?: Display;
  /** In ms by the server's clock: by then the page has given this up, and what comes later changes nothing. A no has none. */
  until?: string;
  /** Names the browser's time zone, as `Intl` does. */
  timeZone?: string;
}

/** The ticket opens nothing. */
export const GONE = 410;

/** `status` and `body` are what HTTP would answer: of `/` a `Boot`, of `/act` a `Shown` and `late`, of `/page` a {@link PageWay}. */
export interface PageAnswer {
  status: number;
  /** JSON; of a status from 400 on there is none. */
  body: string;
  /** Holds what was done to the text. The page brings it along with its next call, and does not read it. */
  draft?: string;
}

/** The person can decide at this address instead, where there is one to give. */
export interface PageWay {
  url?: string;
}
