import { lstatSync } from "node:fs";
import { shellWord } from "../../terminal/shell-word.ts";

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
