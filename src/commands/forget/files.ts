import { lstatSync } from "node:fs";
import { join } from "node:path";
import { grantFolder } from "../../app/endpoint/grant-places.ts";
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
 * Lists what the home keeps, by what a person may want to forget. Paths are absolute. A link stands for itself: a
 * folder that is one is a single path here, and its target is no part of the home.
 */
export interface Kept {
  negotiations: number;
  history: string[];
  /** These are removed with it when they are empty. */
  folders: string[];
  /**
   * These are config files that were kept aside, which may hold tokens, and the key that opens this identity over
   * HTTP.
   */
  asides: string[];
  /** Killed programs left these temporary files, among them redirects to pages that nobody serves any more. */
  stray: string[];
  /** The person decides in these browsers. */
  browsers: string[];
  /** These of them were signed in with the key. */
  signedIn: string[];
  /** These say what programs may do that sign in at an endpoint of this home, with the key that seals it. */
  programs: string[];
  logs: string[];
  /** The sandbox keeps its data here. Undefined where it has not been used. */
  sandbox: string | undefined;
  /** The end of these own negotiations is not written yet. */
  open: string[];
  /** A submit is under way, or its answer was lost a short time ago. */
  openSubmit: boolean;
}

/** Looks without changing anything. `now` is in milliseconds. */
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

/** Returns the link in place of a folder, or the files in it. */
const erasable = (folder: string, files: readonly Found[]): string[] =>
  isLink(folder) ? [folder] : files.map(({ path }) => path);
