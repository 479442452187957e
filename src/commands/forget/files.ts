import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isTemporary, STRAY_AFTER_MS } from "../../config/temporaries.ts";
import type { NegotiationRecord, SubmitAttempt } from "../../negotiation/history.ts";

/** Past its deadline by this much, nothing is open any more. */
const SETTLED_AFTER_MS = 60_000;
/** As long as an identical submit is refused (contract §4). */
const ATTEMPT_OPEN_MS = 600_000;

/** What the home keeps, by what a person may want to forget. Paths, absolute. */
export interface Kept {
  negotiations: number;
  history: string[];
  /** Config files that were kept aside, which may hold tokens. */
  asides: string[];
  /** Temporary files that killed programs left, in the home and the history. */
  stray: string[];
  logs: string[];
  /** Ids of own negotiations whose end is not written yet. */
  open: string[];
  /** Whether a submit is under way, or its answer was lost a short time ago. */
  openSubmit: boolean;
}

/** Looks; changes nothing. `now` in milliseconds. */
export function keptIn(home: string, now: number): Kept {
  const history = filesIn(join(home, "history"));
  const records = history.filter(({ name }) => /^[^.].*\.json$/.test(name));
  const attempts = history.filter(({ name }) => name.endsWith(".attempt"));
  const temporary = [...history, ...filesIn(home)].filter(({ name }) => isTemporary(name));
  return {
    negotiations: records.length,
    history: history.filter(({ name }) => /^[^.].*\.(json|decision|attempt)$/.test(name)).map(({ path }) => path),
    asides: filesIn(home)
      .filter(({ name }) => /^config\.corrupt-.*\.json$/.test(name))
      .map(({ path }) => path),
    stray: temporary.filter(({ changedAt }) => now - changedAt > STRAY_AFTER_MS).map(({ path }) => path),
    logs: filesIn(join(home, "logs"))
      .filter(({ name }) => /^towow\.log(\.\d+)?$/.test(name))
      .map(({ path }) => path),
    open: records.flatMap(({ path }) => openId(read<NegotiationRecord>(path), now)),
    openSubmit: attempts.some(({ path }) => now - (read<SubmitAttempt>(path)?.at ?? 0) < ATTEMPT_OPEN_MS),
  };
}

function openId(record: NegotiationRecord | undefined, now: number): string[] {
  const { ended, deadline_at, negotiation_id } = record ?? {};
  const isOpen = ended === undefined && deadline_at !== undefined && deadline_at + SETTLED_AFTER_MS > now;
  return isOpen && negotiation_id !== undefined ? [negotiation_id] : [];
}

/** The plain files of a folder; links are left alone. */
function filesIn(folder: string): { name: string; path: string; changedAt: number }[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat?.isFile() ? [{ name, path, changedAt: stat.mtimeMs }] : [];
    });
  } catch {
    return [];
  }
}

function read<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch {
    return undefined;
  }
}
