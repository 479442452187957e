import type { Clock } from "../../clock.ts";
import type { OpenPage } from "./app.ts";

/** Where pages stand: an address for each, that only its person is given. */
export interface ApprovalSite {
  /** The address of the page about something: the one that nobody has opened yet, or a new one. */
  addressOf(about: string, lang: "zh" | "en", make: (token: string) => OpenPage): Promise<string>;
  forget(token: string): void;
}

export interface SiteDeps {
  clock: Clock;
  /** Fresh unguessable text: the page's address is its key. */
  newId: () => string;
}

/** A page is forgotten this long after it was asked for, decided or not. */
const LIFETIME_MS = 24 * 3_600_000;

/** The pages that are open, by the secret part of their address. */
export class PageBook {
  readonly #deps: SiteDeps;
  readonly #pages = new Map<string, OpenPage & { link: string; about: string; expiresAt: number }>();

  constructor(deps: SiteDeps) {
    this.#deps = deps;
  }

  /** By the token or the link of its address. */
  find(secret: string): OpenPage | undefined {
    const page = this.#pages.get(secret) ?? [...this.#pages.values()].find(({ link }) => link === secret);
    return page !== undefined && page.expiresAt > this.#deps.clock.monotonic() ? page : undefined;
  }

  put(about: string, lang: "zh" | "en", make: (token: string) => OpenPage): { token: string; link: string } {
    const { clock, newId } = this.#deps;
    for (const [token, { expiresAt }] of this.#pages) if (expiresAt <= clock.monotonic()) this.#pages.delete(token);
    const stage = [...this.#pages.values()].find(
      (page) => page.about === about && page.browser === undefined && page.texts.lang === lang,
    );
    if (stage !== undefined) return stage;
    const [token, link] = [newId() + newId(), newId() + newId()];
    const page = { ...make(token), link, about, expiresAt: clock.monotonic() + LIFETIME_MS };
    this.#pages.set(token, page);
    return page;
  }

  forget(token: string): void {
    this.#pages.delete(token);
  }
}
