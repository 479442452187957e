import { lstatSync, statSync } from "node:fs";
import type { Io } from "../../app/io.ts";
import type { Sandbox } from "../../app/sandbox/sandbox.ts";
import type { CurrentUser } from "../../home/current-user.ts";
import { type FileState, isForeign } from "../../home/file.ts";
import type { resolveAll } from "../../home/settings.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import type { DoctorTexts } from "../../text/doctor.ts";

/** What the doctor found about one thing that it checked. */
export interface Finding {
  /** The stable name of the check: `config`, `backend.endpoints`, … */
  readonly check: string;
  /** `unchecked` means that nothing wrong was seen, but nothing proves that all is right. */
  readonly level: "ok" | "unchecked" | "warning" | "problem";
  /** One sentence, in the person's language. */
  readonly message: string;
  /** The command, or other remedy, that fixes what was found. */
  readonly fix?: string;
  /** Lines of the log, with the newest last. */
  readonly failures?: readonly string[];
}

/** What every check works with, which is read once and changed by no check. */
export interface DoctorContext {
  readonly io: Io;
  readonly home: string;
  readonly configPath: string;
  readonly file: FileState;
  readonly settings: ReturnType<typeof resolveAll>;
  readonly who: CurrentUser;
  /** True if `on_unconfirmed: leave` is not followed now, because others' text was read in this home. */
  readonly isLeaveSuspended: boolean;
  /** The token for the backend's own origin, which is never shown. */
  readonly bearer: string | undefined;
  readonly lang: "zh" | "en";
  readonly texts: DoctorTexts;
  readonly version: string;
  readonly sandbox: Pick<Sandbox, "running">;
}

/** Returns the command that moves a path aside, to a free name beside it. */
export function moveAside(path: string, ending: "old" | "broken"): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? `${path}.${ending}` : `${path}.${ending}-${n}`;
    if (!isThere(name)) return `mv ${shellWord(path)} ${shellWord(name)}`;
  }
}

/**
 * Returns whether a name is taken. A link that leads nowhere counts too. A path that cannot be examined counts as free, because
 * the printed command will show the problem.
 */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** A path's owner, and the command that gives the path to the current user. */
interface Owner {
  name: string;
  fix: string;
}

/**
 * Returns the other user who owns a path, because only that user can change its mode bits. Returns undefined if this user owns
 * the path or is root.
 */
export function otherOwner(path: string): Owner | undefined {
  const uid = uidOf(path);
  const own = process.getuid?.();
  // Root's files can be trusted, but they may be closed to everybody else.
  if (uid === undefined || own === undefined || own === 0 || uid === own || !(isForeign(uid) || uid === 0))
    return undefined;
  return { name: uid === 0 ? "root" : String(uid), fix: `sudo chown -R "$(id -u):$(id -g)" ${shellWord(path)}` };
}

function uidOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    return undefined;
  }
}
