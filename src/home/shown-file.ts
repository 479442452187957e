import { join } from "node:path";
import { isObject } from "./file.ts";
import { createJsonFiles } from "./json-files.ts";

/** A person who reads what they are asked about answers within it. */
const KEPT_MS = 10 * 60_000;
/** More than a person is shown in that time. */
const MOST = 50;

export const shownPath = (home: string): string => join(home, "shown.json");

/**
 * What an AI was given to show to its person, as hashes in a file of its own for all programs of a home: a client may start
 * one for each call. Two that write at once may lose one, which is then shown again. Times in ms since the epoch.
 */
export function createShownFile(home: string, newId: () => string) {
  const path = shownPath(home);
  const files = createJsonFiles(home, newId);
  async function standing(now: number): Promise<[hash: string, at: number][]> {
    const value = await files.read(path).catch(() => undefined); // what cannot be read was not shown
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
