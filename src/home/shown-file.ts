import { join } from "node:path";
import { isObject } from "./file.ts";
import { createJsonFiles } from "./json-files.ts";

/** How long a text counts as shown, in milliseconds. A person who reads the question answers within this time. */
const KEPT_MS = 10 * 60_000;
/** The most texts that the file holds. A person is shown fewer in that time. */
const MOST = 50;

export const shownPath = (home: string): string => join(home, "shown.json");

/**
 * Records by hash what an AI was given to show to its person. All programs of a home share the record, because a client
 * may start one for each call. If two write at once one entry may be lost, and that text is then shown again. Times are
 * in milliseconds since the epoch.
 */
export function createShownFile(home: string, newId: () => string) {
  const path = shownPath(home);
  const files = createJsonFiles(home, newId);
  async function standing(now: number): Promise<[hash: string, at: number][]> {
    const value = await files.read(path).catch(() => undefined); // What cannot be read counts as not shown.
    const entries = isObject(value) ? Object.entries(value) : [];
    return entries.filter((entry): entry is [string, number] => {
      const age = now - (entry[1] as number);
      return age >= 0 && age < KEPT_MS;
    });
  }
  return {
    async note(hash: string, now: number): Promise<void> {
      const others = (await standing(now)).filter(([other]) => other !== hash);
      await files.replace(path, Object.fromEntries([...others.slice(-MOST), [hash, now]]));
    },
    has: async (hash: string, now: number): Promise<boolean> => (await standing(now)).some(([shown]) => shown === hash),
  };
}
