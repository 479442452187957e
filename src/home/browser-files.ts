import { lstat, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { isPrivate } from "./file.ts";
import { createJsonFiles } from "./json-files.ts";

/** The name of the folder in the home that holds browsers. Only the home's owner can read the folder. */
export const BROWSERS = "browsers";

const record = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  secret_hash: z.string().min(1),
  at: z.number(),
  code_hash: z.string().min(1).exactOptional(),
  key_hash: z.string().min(1).exactOptional(),
});

type Kept = z.output<typeof record> & { used_at: number };

/**
 * Keeps the browsers in which this home's person decides, a file for each (contract §6). The files hold hashes of secrets,
 * names and times. A file with other content, or a file that another user may have put there, counts as absent.
 * @throws HomeUnwritable from every method
 */
export function createBrowserFiles(home: string, newId: () => string) {
  const folder = join(home, BROWSERS);
  const files = createJsonFiles(folder, newId);
  const pathOf = (id: string) => join(folder, `${id}.json`);
  const get = async (id: string) => {
    const path = pathOf(id);
    const { data } = record.safeParse(await files.read(path));
    if (data?.id !== id) return undefined;
    const file = await lstat(path).catch(() => undefined);
    return file?.isFile() && isPrivate(file) ? { ...data, used_at: file.mtimeMs } : undefined;
  };
  /**
   * Sets the file's own time to the last use of the browser. Rewriting the file could bring back a browser that was
   * revoked.
   */
  const note = async (id: string, atMs: number) => {
    await utimes(pathOf(id), atMs / 1000, atMs / 1000).catch(() => {});
  };
  return {
    get,
    async list() {
      const names = await readdir(folder).catch(() => []);
      const ids = names.filter(isBrowserFile).map((name) => name.slice(0, -".json".length));
      return (await Promise.all(ids.map(get))).filter((found) => found !== undefined);
    },
    async put({ used_at, ...browser }: Kept) {
      await files.replace(pathOf(browser.id), browser);
      await note(browser.id, used_at);
    },
    touch: ({ id }: Kept, usedAt: number) => note(id, usedAt),
    remove: (id: string): Promise<void> => files.remove(pathOf(id)),
  };
}

export const isBrowserFile = (name: string): boolean => /^[\w-]{8,64}\.json$/.test(name);
