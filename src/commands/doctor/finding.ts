import { lstatSync, statSync } from "node:fs";
import type { Io } from "../../app/io.ts";
import type { Sandbox } from "../../app/sandbox/sandbox.ts";
import type { CurrentUser } from "../../home/current-user.ts";
import { type FileState, isForeign } from "../../home/file.ts";
import type { resolveAll } from "../../home/settings.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import type { DoctorTexts } from "../../text/doctor.ts";

/** One thing that was looked at. */
export interface Finding {
  /** Stable name of what was looked at: `config`, `backend.endpoints`, … */
  readonly check: string;
  /** `unchecked`: nothing wrong was seen, and nothing shows that it is right. */
  readonly level: "ok" | "unchecked" | "warning" | "problem";
  /** One sentence, in the person's language. */
  readonly message: string;
  /** What fixes it: a command, or what stands in its place. */
  readonly fix?: string;
  /** Lines of the log, the newest last. */
  readonly failures?: readonly string[];
}

/** What every check looks at: read once, without changing anything. */
export interface DoctorContext {
  readonly io: Io;
  readonly home: string;
  readonly configPath: string;
  readonly file: FileState;
  readonly settings: ReturnType<typeof resolveAll>;
  readonly who: CurrentUser;
  /** `on_unconfirmed: leave` is not followed now, because text of others was read in this home. */
  readonly isLeaveSuspended: boolean;
  /** For the backend's own origin; never shown. */
  readonly bearer: string | undefined;
  readonly lang: "zh" | "en";
  readonly texts: DoctorTexts;
  readonly version: string;
  readonly sandbox: Pick<Sandbox, "running">;
}

/** The command that puts a path aside, beside it, under a name that nothing has yet. */
export function moveAside(path: string, ending: "old" | "broken"): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? `${path}.${ending}` : `${path}.${ending}-${n}`;
    if (!isThere(name)) return `mv ${shellWord(path)} ${shellWord(name)}`;
  }
}

/** Also a link that leads nowhere. What cannot be looked at is left to the command. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Whose a path is, and the command that gives it to who runs this. */
interface Owner {
  name: string;
  fix: string;
}

/** Of what belongs to another user, whose mode bits only they can change; undefined where it is one's own. */
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
