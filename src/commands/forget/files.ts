import { lstatSync } from "node:fs";
import { join } from "node:path";
import { grantFolder } from "../../app/endpoint/grant-files.ts";
import { isRedirect, REDIRECTS } from "../../app/redirect-files.ts";
import { sandboxFolder } from "../../app/sandbox/running-file.ts";
import { isStudyLog } from "../../app/study-log-file.ts";
import { BROWSERS, isBrowserFile } from "../../home/browser-files.ts";
import { HOME_KEY_FILE } from "../../home/home-key.ts";
import { isTemporary, STRAY_AFTER_MS } from "../../home/json-files.ts";
import { isKeptSend, keptSendsFolder } from "../../home/kept-sends.ts";
import type { BrowserRecord } from "../../session/known-browsers.ts";
import { factsOfHome, userFolders } from "./facts.ts";
import { type Found, filesIn, isLink, read } from "./folders.ts";

/**
 * What the home keeps, sorted by what a person may want to forget. Paths are absolute. A folder that is a link is listed as one
 * path, because its target is no part of the home.
 */
export interface Kept {
  negotiations: number;
  history: string[];
  /** Folders of the history that are removed once they are empty. */
  folders: string[];
  /** Config files that were set aside, which may contain tokens, and the key that opens this identity over HTTP. */
  asides: string[];
  /** Temporary files that killed programs left, among them redirects to pages that nobody serves any more. */
  stray: string[];
  /** The files of the browsers in which the person decides. */
  browsers: string[];
  /** The files of those browsers that signed in with the home's key. */
  signedIn: string[];
  /** The permissions that people have given to programs at an endpoint of this home, and the key that seals them. */
  programs: string[];
  logs: string[];
  /** The folder of the sandbox. Undefined if it has not been used. */
  sandbox: string | undefined;
  /** The person's negotiations whose end is not written down yet. */
  open: string[];
  /** True while a submit is under way, or if its answer was lost a short time ago. */
  openSubmit: boolean;
}

/** Lists what the home keeps without changing anything. `now` is in milliseconds since the epoch. */
export function keptIn(home: string, now: number): Kept {
  const history = filesIn(join(home, "history"));
  const facts = factsOfHome(home, now);
  const folded = history.filter(({ name }) => /^[^.].*\.json$/.test(name));
  const temporary = [
    ...[...unlinked(history), ...filesIn(home), ...userFolders(home).flatMap(filesIn)].filter(({ name }) =>
      isTemporary(name),
    ),
    ...unlinked(filesIn(join(home, REDIRECTS))).filter(({ name }) => isRedirect(name)),
  ];
  const browsers = erasable(
    join(home, BROWSERS),
    filesIn(join(home, BROWSERS)).filter(({ name }) => isBrowserFile(name)),
  );
  return {
    negotiations: folded.length + facts.negotiations,
    history: [
      ...erasable(join(home, "history"), folded),
      ...facts.paths,
      ...erasable(
        keptSendsFolder(home),
        filesIn(keptSendsFolder(home)).filter(({ name }) => isKeptSend(name)),
      ),
    ],
    folders: facts.folders,
    asides: filesIn(home)
      .filter(({ name }) => name === HOME_KEY_FILE || /^config\.corrupt-.*\.json$/.test(name))
      .map(({ path }) => path),
    stray: temporary.filter(({ changedAt }) => now - changedAt > STRAY_AFTER_MS).map(({ path }) => path),
    browsers,
    signedIn: browsers.filter((path) => read<BrowserRecord>(path)?.key_hash !== undefined),
    programs: erasable(grantFolder(home), filesIn(grantFolder(home))),
    logs: [
      ...erasable(
        join(home, "logs"),
        filesIn(join(home, "logs")).filter(({ name }) => /^towow\.log(\.\d+)?$/.test(name)),
      ),
      ...(isLink(join(home, "logs"))
        ? []
        : erasable(
            join(home, "logs/study"),
            filesIn(join(home, "logs/study")).filter(({ name }) => isStudyLog(name)),
          )),
    ],
    sandbox: lstatSync(sandboxFolder(home), { throwIfNoEntry: false }) && sandboxFolder(home),
    open: facts.open,
    openSubmit: facts.openSubmit,
  };
}

const unlinked = (files: readonly Found[]): readonly Found[] => files.filter(({ behindLink }) => !behindLink);

/** Returns the paths to erase for a folder: the link in its place, or else the files in it. */
const erasable = (folder: string, files: readonly Found[]): string[] =>
  isLink(folder) ? [folder] : files.map(({ path }) => path);
