/**
 * Defines what a page in the chat and this program say to each other: the names and shapes of MCP Apps (2026-01-26)
 * that both use. This file has no imports, because it is bundled into the page.
 */

/** The extension by which a client declares that it draws pages, and which types of them. */
export const PAGES_EXTENSION = "io.modelcontextprotocol/ui";
export const PAGE_TYPE = "text/html;profile=mcp-app";

/**
 * Returns whether a client declares that it draws pages of this type. A client that declares the extension without a
 * type does not count.
 */
export function drawsPages(capabilities: unknown): boolean {
  const { extensions } = (capabilities ?? {}) as {
    extensions?: Readonly<Record<string, { mimeTypes?: unknown } | null>>;
  };
  const types = extensions?.[PAGES_EXTENSION]?.mimeTypes;
  return Array.isArray(types) && types.includes(PAGE_TYPE);
}

/** Returns whether a client declares that it draws such a page instead of a form. */
export function drawsForms(capabilities: unknown): boolean {
  const { extensions } = (capabilities ?? {}) as { extensions?: Readonly<Record<string, { elicitation?: unknown }>> };
  return drawsPages(capabilities) && typeof (extensions?.[PAGES_EXTENSION]?.elicitation ?? undefined) === "object";
}

/** The address of the one page, which asks about a text and then follows the negotiation. */
export const QUESTION_PAGE = "ui://towow/question";
/** The page's file in `dist/`, which holds everything that the page needs. */
export const QUESTION_FILE = "question.html";

/** The tool that the page calls, with a {@link PageCall}. The tool answers in `_meta` alone. */
export const PAGE_TOOL = "towow_page";

/**
 * The key in `_meta` for a {@link PageTicket}: the ticket stands in a result that waits, in a question that the page is
 * drawn for, and in each call of the page's tool.
 */
export const TICKET_META = "towow/page";
export interface PageTicket {
  ticket: string;
  /**
   * The address that `/page` would answer with. A page whose host allows no calls cannot ask `/page`, so the address
   * comes with the ticket.
   */
  url?: string;
}

/**
 * The key in `_meta` for a {@link PageAnswer} of the page's tool. An answer without this key was made by the host
 * itself.
 */
export const ROOM_META = "towow/room";

/**
 * The paths that the page asks for. `/`: the room as it is first painted. `/act`: do something, or with `do: ""` only
 * look. `/page`: where the person can decide in a browser instead.
 */
export const PAGE_PATHS = ["/", "/act", "/page"] as const;
export interface PageCall {
  path: (typeof PAGE_PATHS)[number];
  form?: PageForm;
  /**
   * The demand that a page names to `/page` if its host has withheld the ticket. The answer is a {@link PageWay} in the
   * text of the result, because such a host withholds every `_meta`.
   */
  demand?: string;
}

/**
 * How the page knows that the text is displayed. `visible`: the browser says that nothing covers it or makes it
 * transparent (IntersectionObserver with `trackVisibility`). `in_view`: the text has only stood within the frame.
 */
export const DISPLAYS = ["visible", "in_view"] as const;
export type Display = (typeof DISPLAYS)[number];

/** The form that a page sends to `/act`, also over HTTP. Only a page in the chat sends the later fields. All of it is text. */
export interface PageForm {
  /** The button, named by its tool, with its parameters as a query. */
  do: string;
  /** What was typed into the field with this id. */
  [field: `f.${string}`]: string | undefined;
  /** The ids of the fields that the person has left, separated by commas. */
  left?: string;
  /** The draft of the last answer, which restores the changes to the text if the room no longer exists. */
  draft?: string;
  /** The `textHash` of the text that has been seen whole on the page since the text was last sent to it. */
  shown?: string;
  /**
   * How the page knows that its person sees the text. A yes and a cancel count only with this field, so every act
   * carries it.
   */
  display?: Display;
  /**
   * When the page gives this form up, in ms by the server's clock. After that time the form changes nothing. A no has
   * no such time.
   */
  until?: string;
  /** The browser's time zone, as `Intl` names it. */
  timeZone?: string;
}

/** The status for a ticket that opens nothing. */
export const GONE = 410;

/** What HTTP would answer: a `Boot` for `/`, a `Shown` with `late` for `/act`, and a {@link PageWay} for `/page`. */
export interface PageAnswer {
  status: number;
  /** The answer as JSON, or an empty text if the status is 400 or above. */
  body: string;
  /** What was done to the text. The page sends it along with its next call and does not read it. */
  draft?: string;
}

/** The address at which the person can decide instead, if there is one to give. */
export interface PageWay {
  url?: string;
}
