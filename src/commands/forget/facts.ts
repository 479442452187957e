import { join } from "node:path";
import { isUserFolderName, usersFolder } from "../../app/endpoint/user-folders.ts";
import { isObject } from "../../home/file.ts";
import { type Entries, factsOf } from "../../negotiation/facts.ts";
import { reduce } from "../../negotiation/stage.ts";
import { FactFolders } from "../../negotiation/stores/home-facts.ts";
import { lastAttempt, REFUSE_REPEAT_MS } from "../../negotiation/submit.ts";
import { filesIn, isLink, namesIn, read } from "./folders.ts";

/** How long after its deadline a negotiation still counts as open. */
const SETTLED_AFTER_MS = 60_000;
const FACT = /^[a-z0-9][\w.~-]*\.json$/i;

/** What the folders of the history contain. */
export interface KeptFacts {
  negotiations: number;
  /** The paths to remove: files, and links in place of folders. */
  paths: string[];
  /** Folders that are removed once they are empty. */
  folders: string[];
  /** The person's negotiations that somebody may still have to decide on or withdraw. */
  open: string[];
  /** True while a submit is under way, or if its answer was lost a short time ago. */
  openSubmit: boolean;
}

/**
 * Collects the facts of the home, and those of the users of an endpoint that works with this home. `now` is in milliseconds
 * since the epoch.
 */
export function factsOfHome(home: string, now: number): KeptFacts {
  const users = usersFolder(home);
  const dirs = userFolders(home);
  const each = [factsIn(join(home, "history"), now), ...dirs.map((dir) => factsIn(dir, now))];
  const links = [users, ...namesIn(users).map((name) => join(users, name))].filter(isLink);
  return {
    negotiations: each.reduce((sum, { negotiations }) => sum + negotiations, 0),
    paths: [...each.flatMap(({ paths }) => paths), ...(isLink(users) ? [users] : links)],
    folders: [...each.flatMap(({ folders }) => folders), ...dirs, ...(isLink(users) ? [] : [users])],
    open: each.flatMap(({ open }) => open),
    openSubmit: each.some(({ openSubmit }) => openSubmit),
  };
}

/** Lists the folders of an endpoint's users. Links are left out. */
export function userFolders(home: string): string[] {
  const users = usersFolder(home);
  if (isLink(users)) return [];
  const dirs = namesIn(users).filter(isUserFolderName);
  return dirs.map((name) => join(users, name)).filter((dir) => !isLink(dir));
}

/**
 * Reads the folders of `history/` without changing anything. Links are not followed. `now` is in milliseconds since the epoch.
 */
function factsIn(history: string, now: number): KeptFacts {
  const kept: KeptFacts = { negotiations: 0, paths: [], folders: [], open: [], openSubmit: false };
  if (isLink(history)) return kept;
  for (const name of namesIn(history).filter((it) => (it.includes("~") && !it.endsWith(".json")) || it === "open")) {
    const folder = join(history, name);
    if (isLink(folder)) {
      kept.paths.push(folder);
      continue;
    }
    kept.folders.push(folder);
    const files = filesIn(folder).filter((file) => FACT.test(file.name));
    kept.paths.push(...files.map(({ path }) => path));
    const entries = entriesOf(files);
    if (FactFolders.isAttempts(name)) kept.openSubmit ||= isAttemptOpen(entries, now);
    else if (name !== "open" && files.length > 0) kept.negotiations += 1;
    kept.open.push(...openId(entries, files[0]?.path, now));
  }
  return kept;
}

function isAttemptOpen(entries: Entries, now: number): boolean {
  const last = lastAttempt(entries);
  const isAnswered = last?.answer !== undefined && !("lost" in last.answer);
  return last !== undefined && !isAnswered && now - last.at < REFUSE_REPEAT_MS;
}

function openId(entries: Entries, anyFile: string | undefined, now: number): string[] {
  const stage = reduce(factsOf(entries));
  const isOpen = ["formulating", "asking", "confirming", "cancelling"].includes(stage.name);
  if (!isOpen || (stage.deadlineAt ?? 0) + SETTLED_AFTER_MS <= now) return [];
  const file = anyFile === undefined ? undefined : read(anyFile);
  return isObject(file) && typeof file.id === "string" ? [file.id] : [];
}

const entriesOf = (files: readonly { name: string; path: string }[]): Entries =>
  new Map(
    files.map(({ name, path }) => {
      const value = read(path);
      return [name.slice(0, -".json".length), isObject(value) ? value.fact : undefined];
    }),
  );
