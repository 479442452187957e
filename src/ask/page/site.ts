import type { Platform } from "../../platform.ts";
import type { Texts } from "../../text/index.ts";
import type { ApprovalPages, PageAddresses, PageRequest } from "../questions.ts";
import type { OpenPage, OpenRoom, PageOwner, RoomOfPage } from "./open-page.ts";
import { type Came, Visits } from "./visitor.ts";

/** The site that serves the approval pages. */
export interface ApprovalSite {
  /**
   * Returns the texts that the site's visitors read. An endpoint has other texts, because nobody has a terminal there.
   */
  textsOf(lang: Texts["lang"]): Texts;
  /**
   * Returns the addresses of the page about something. A page that nobody has opened yet is used again, and otherwise
   * `page` is added.
   */
  addressesOf(about: string, page: OpenPage): Promise<PageAddresses>;
}

interface ApprovalPagesDeps {
  site: ApprovalSite;
  owner: PageOwner;
  openRoom: OpenRoom;
}

/** Creates one user's pages (agent layer §3). */
export function createApprovalPages({ site, owner, openRoom }: ApprovalPagesDeps): ApprovalPages {
  return {
    open: (request) =>
      site.addressesOf(`${owner.id}:${aboutOf(request)}`, {
        kind: "formulation",
        owner,
        texts: site.textsOf(request.lang),
        negotiationId: request.negotiationId,
        room: atFirstVisit(() => openRoom(request)),
      }),
    openPermission: (request) =>
      site.addressesOf(`${owner.id}:${request.id}`, {
        kind: "permission",
        owner,
        request,
        texts: site.textsOf(request.lang),
      }),
  };
}

/**
 * Returns what a page is about. There is one page for the network's text, one with its editor open, and one for each
 * text that the person's AI would send instead.
 */
const aboutOf = ({ negotiationId, candidate, toChange }: PageRequest) =>
  JSON.stringify([negotiationId, candidate, toChange]);

/** Opens the room when the first visitor comes. */
function atFirstVisit(open: () => Promise<RoomOfPage>): RoomOfPage {
  let room: Promise<RoomOfPage> | undefined;
  return {
    async serve(...visit) {
      // If a room could not be opened, the next visit tries again.
      room ??= open().catch((error) => {
        room = undefined;
        throw error;
      });
      return (await room).serve(...visit);
    },
    close: () =>
      void room?.then(
        (opened) => opened.close(),
        () => {},
      ),
  };
}

/** How long a page is kept after it was asked for, whether decided on or not, in milliseconds. */
export const PAGE_LIFE_MS = 24 * 3_600_000;

/** The most pages that one person has at once. */
const MAX_PAGES = 20;

/**
 * The paths of a page's addresses. They share a name below the path of all pages, and each has a secret of its own
 * below that.
 */
type Paths = Readonly<Record<Came, string>>;

interface Entry {
  page: OpenPage;
  paths: Paths;
  about: string;
  /** True if anybody has opened one of the page's addresses. */
  isVisited: boolean;
  stopExpiry: () => void;
}

/** Keeps the open pages, and finds each by the paths of its addresses. */
export class PageBook {
  readonly #platform: Platform;
  readonly #entries = new Set<Entry>();
  readonly visits: Visits<OpenPage>;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.visits = new Visits(platform);
  }

  /** Returns the page at a path, and the address by which the visitor came. */
  find(path: string): { page: OpenPage; paths: Paths; came: Came } | undefined {
    for (const entry of this.#entries) {
      const { page, paths } = entry;
      const came = (["window", "client", "result"] as const).find((name) => paths[name] === path);
      if (came === undefined) continue;
      this.#entries.delete(entry); // Of the visited pages, this one is now the last to go.
      this.#entries.add(entry);
      entry.isVisited = true;
      return { page, paths, came };
    }
    return undefined;
  }

  put(about: string, page: OpenPage): Paths {
    const { clock, newId } = this.#platform;
    // A page acts with its owner's settings, so only a page of the same owner is used again. Under `dry_run`, for
    // example, a page sends nothing, not even a no.
    const isSame = ({ page: other, about: its }: Entry) =>
      its === about &&
      other.owner === page.owner &&
      other.texts.lang === page.texts.lang &&
      !this.visits.isOpened(other);
    const open = [...this.#entries].find(isSame);
    if (open !== undefined) return open.paths;
    const name = newId();
    const path = () => `${name}/${newId()}`;
    const paths = { window: path(), client: path(), result: path() };
    const stopExpiry = clock.after(PAGE_LIFE_MS, () => this.#forget(entry));
    const entry: Entry = { page, paths, about, isVisited: false, stopExpiry };
    this.#makeRoomFor(page.owner.id);
    this.#entries.add(entry);
    return paths;
  }

  /**
   * Forgets a page if a person has too many, because each page holds all that it shows. The oldest page that nobody has
   * visited goes first. If all were visited, the page whose last visit is longest ago goes.
   */
  #makeRoomFor(ownerId: string): void {
    const own = [...this.#entries].filter(({ page }) => page.owner.id === ownerId);
    const oldest = own.find(({ isVisited }) => !isVisited) ?? own[0];
    if (own.length >= MAX_PAGES && oldest !== undefined) this.#forget(oldest);
  }

  /** Ends all pages and everything that they do. */
  close(): void {
    for (const entry of this.#entries) this.#forget(entry);
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry);
    entry.stopExpiry();
    this.visits.close(entry.page);
    if (entry.page.kind === "formulation") entry.page.room.close();
  }
}
