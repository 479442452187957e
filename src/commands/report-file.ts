import { constants } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { errnoOf, isForeign } from "../home/file.ts";

/** Where a report is to stand: where the person says, or under a name that this program makes. */
export interface ReportPlace {
  path: string;
  isNamed: boolean;
}

/**
 * Writes a report for its owner alone, and gives where it stands. In a shared folder others may have been there first:
 * nothing is written through a link, nor into another user's file. A named file of one's own is replaced; a name of this
 * program's that is taken is left as it is, and the next one used. Throws the errno: `ELOOP` and `EMLINK` for a link.
 */
export async function writeReport({ path, isNamed }: ReportPlace, text: string): Promise<string> {
  if (!isNamed) return writeBeside(path, text);
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const stat = await file.stat();
    if (isForeign(stat.uid)) throw Object.assign(new Error("another user's file"), { code: "EPERM" });
    if (stat.isFile()) {
      if (stat.nlink > 1) throw Object.assign(new Error("a file with another name"), { code: "EMLINK" });
      await file.chmod(0o600);
      await file.truncate();
    }
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  return path;
}

/** Whether a file was not written because it is a link. */
export const isLink = (reason: string): boolean => reason === "ELOOP" || reason === "EMLINK";

async function writeBeside(path: string, text: string): Promise<string> {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  for (let n = 1; ; n++) {
    const free = n === 1 ? path : `${stem}-${n}${extension}`;
    try {
      await writeFile(free, text, { mode: 0o600, flag: "wx" });
      return free;
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
}
