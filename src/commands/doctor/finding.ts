import { lstatSync, statSync } from "node:fs";
import type { Io } from "../../app/io.ts";
import type { Sandbox } from "../../app/sandbox/sandbox.ts";
import type { CurrentUser } from "../../home/current-user.ts";
import { type FileState, isForeign } from "../../home/file.ts";
import type { resolveAll } from "../../home/settings.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import type { DoctorTexts } from "../../text/doctor.ts";

/** A finding is about one thing that was checked. */
export interface Finding {
  /** The check has a stable name: `config`, `backend.endpoints`, … */
  readonly check: string;
  /** `unchecked`: nothing wrong was seen, and nothing proves that it is right. */
  readonly level: "ok" | "unchecked" | "warning" | "problem";
  /** One sentence, in the person's language. */
  readonly message: string;
  /** This command, or other remedy, fixes it. */
  readonly fix?: string;
  /** Lines of the log, the newest last. */
  readonly failures?: readonly string[];
}

/** Every check looks at this, which is read once without changing anything. */
export interface DoctorContext {
  readonly io: Io;
  readonly home: string;
  readonly configPath: string;
  readonly file: FileState;
  readonly settings: ReturnType<typeof resolveAll>;
  readonly who: CurrentUser;
  /** `on_unconfirmed: leave` is not followed now, because text of others was read in this home. */
  readonly isLeaveSuspended: boolean;
  /** The bearer is for the backend's own origin and is never shown. */
  readonly bearer: string | undefined;
  readonly lang: "zh" | "en";
  readonly texts: DoctorTexts;
  readonly version: string;
  readonly sandbox: Pick<Sandbox, "running">;
}

/** Returns the command that moves a path aside, under a free name beside it. */
export function moveAside(path: string, ending: "old" | "broken"): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? `${path}.${ending}` : `${path}.${ending}-${n}`;
    if (!isThere(name)) return `mv ${shellWord(path)} ${shellWord(name)}`;
  }
}

/** A link that leads nowhere counts too. What cannot be examined is left to the command. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Names a path's owner, and the command that gives it to the current user. */
interface Owner {
  name: string;
  fix: string;
}

/** Returns the other user who owns a path, whose mode bits only they can change. Undefined where it is one's own. */
export function otherOwner(path: string): Owner | undefined {
  const uid = uidOf(path);
  const own = process.getuid?.();
  // Root's files can be trusted, and still be closed to everybody else.
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
