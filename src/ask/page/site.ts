import type { Clock } from "../../clock.ts";
import type { Texts } from "../../text/index.ts";
import type { ApprovalPages, PageAddresses, PageRequest } from "../questions.ts";
import type { OpenPage, OpenRoom, PageOwner, RoomOfPage } from "./open-page.ts";
import { type Came, Visits } from "./visitor.ts";

/** Serves the approval pages. */
export interface ApprovalSite {
  /** Returns what its visitors read: at an endpoint nobody has a terminal. */
  textsOf(lang: Texts["lang"]): Texts;
  /** Returns the addresses of the page about something: the page that nobody has opened yet, or a new one. */
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
 * There is one page for the network's text, one with its editor open, and one for each text that the person's AI would
 * send instead.
 */
const aboutOf = ({ negotiationId, candidate, toChange }: PageRequest) =>
  JSON.stringify([negotiationId, candidate, toChange]);

/** Makes the room when somebody comes. */
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

export interface SiteDeps {
  clock: Clock;
  /** Returns fresh unguessable text, since a page's address is its key. */
  newId: () => string;
}

/** A page is forgotten this long after it was asked for, whether decided or not. */
export const PAGE_LIFE_MS = 24 * 3_600_000;

/** One person has at most this many pages at once. */
const MAX_PAGES = 20;

/** All addresses of a page share a name below the path of all pages, and each has a secret of its own below that. */
type Paths = Readonly<Record<Came, string>>;

interface Entry {
  page: OpenPage;
  paths: Paths;
  about: string;
  /** Somebody has come by one of its addresses. */
  isVisited: boolean;
  stopExpiry: () => void;
}

/** Holds the open pages, by the paths of their addresses. */
export class PageBook {
  readonly #deps: SiteDeps;
  readonly #entries = new Set<Entry>();
  readonly visits: Visits<OpenPage>;

  constructor(deps: SiteDeps) {
    this.#deps = deps;
    this.visits = new Visits(deps);
  }

  /** Finds the page, and by which of its addresses somebody came. */
  find(path: string): { page: OpenPage; paths: Paths; came: Came } | undefined {
    for (const entry of this.#entries) {
      const { page, paths } = entry;
      const came = (["window", "client", "result"] as const).find((name) => paths[name] === path);
      if (came === undefined) continue;
      this.#entries.delete(entry); // Among the visited pages this one is now the last to go.
      this.#entries.add(entry);
      entry.isVisited = true;
      return { page, paths, came };
    }
    return undefined;
  }

  put(about: string, page: OpenPage): Paths {
    const { clock, newId } = this.#deps;
    // A page acts as its owner does: under `dry_run` it sends nothing, not even a no.
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
   * A page holds all that it shows, so one person's pages are limited. The page that has been unvisited for longest
   * goes.
   */
  #makeRoomFor(ownerId: string): void {
    const own = [...this.#entries].filter(({ page }) => page.owner.id === ownerId);
    const oldest = own.find(({ isVisited }) => !isVisited) ?? own[0];
    if (own.length >= MAX_PAGES && oldest !== undefined) this.#forget(oldest);
  }

  /** Stops everything that the pages do. */
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
