import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { secureFolder } from "../home/file.ts";
import { STRAY_AFTER_MS } from "../home/json-files.ts";
import type { Platform } from "../platform.ts";
import type { Texts } from "../text/index.ts";

/** The name of the folder in the home that holds redirects. Only its owner can read it. */
export const REDIRECTS = "open";

export const isRedirect = (name: string): boolean => name.endsWith(".html");

/** How long a browser may take to start and read the file, in ms. */
const LIFETIME_MS = 60_000;

export interface RedirectDeps {
  home: string;
  texts: () => Texts;
}

/**
 * Writes files that redirect a browser to an address. The address is a key, and every user of the machine can read a
 * program's arguments but not this user's files. So the opener only gets the file's path.
 */
export class Redirects {
  readonly #platform: Platform;
  readonly #deps: RedirectDeps;
  readonly #written = new Set<string>();

  constructor(platform: Platform, deps: RedirectDeps) {
    this.#platform = platform;
    this.#deps = deps;
  }

  /**
   * Writes a file that redirects to the address, and returns the file's path. The file is removed after a minute.
   * Throws the system's error.
   */
  write(url: string): string {
    const { clock, newId } = this.#platform;
    const { home, texts } = this.#deps;
    const folder = join(home, REDIRECTS);
    secureFolder(home);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    secureFolder(folder);
    sweep(folder, clock.now());
    const path = join(folder, `${newId()}.html`);
    writeFileSync(path, page(url, texts()), { mode: 0o600, flag: "wx" });
    this.#written.add(path);
    clock.after(LIFETIME_MS, () => this.remove(path));
    return path;
  }

  remove(path: string): void {
    this.#written.delete(path);
    rmSync(path, { force: true });
  }

  /** Removes all remaining files, because their addresses end with this program. */
  clear(): void {
    for (const path of this.#written) this.remove(path);
  }
}

/** Removes the files that killed programs left. */
function sweep(folder: string, now: number): void {
  for (const name of readdirSync(folder).filter(isRedirect)) {
    const path = join(folder, name);
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - changedAt > LIFETIME_MS + STRAY_AFTER_MS) rmSync(path, { force: true });
  }
}

/**
 * Returns a page that redirects at once, without a script and without a referrer. The link is for a browser that does
 * not redirect.
 */
function page(url: string, { lang, page: { decision, openPage } }: Texts): string {
  const address = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="${lang}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>${decision}</title>
<p><a href="${address}" rel="noreferrer">${openPage}</a></p>
</html>
`;
}
