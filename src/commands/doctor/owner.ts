import { statSync } from "node:fs";
import { isForeign } from "../../home/file.ts";
import { shellWord } from "../../terminal/shell-word.ts";

/** Whose a path is, and the command that gives it to who runs this. */
export interface Owner {
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
