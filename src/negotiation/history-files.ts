import { link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HomeUnwritable } from "../config/errors.ts";
import type { Decision, HistoryStore, NegotiationRecord, SubmitAttempt } from "./history.ts";

export interface FileHistoryDeps {
  /** The folder, made on first write with mode 0700. */
  dir: string;
  /** Fresh random text for temporary names. */
  newId: () => string;
  hash: (text: string) => string;
}

/**
 * The history as one small file per fact, so that no process ever rewrites what another one wrote: records and
 * attempts are replaced atomically, a decision is linked into place and therefore made once. A file that does not
 * parse counts as absent and is left alone.
 */
export function createFileHistory({ dir, newId, hash }: FileHistoryDeps): HistoryStore {
  // A negotiation id comes from outside: as a file name only if it is harmless.
  const nameOf = (id: string) => (/^[A-Za-z0-9_-]{1,80}$/.test(id) ? id : `x-${hash(id).slice(0, 32)}`);
  const recordPath = (id: string) => join(dir, `${nameOf(id)}.json`);
  const decisionPath = (id: string) => join(dir, `${nameOf(id)}.decision`);
  const attemptPath = (key: string) => join(dir, `${hash(key).slice(0, 32)}.attempt`);

  const write = async (value: unknown): Promise<string> => {
    const temporary = join(dir, `.${newId()}.tmp`);
    try {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await writeFile(temporary, JSON.stringify(value), { mode: 0o600, flag: "wx", flush: true });
      return temporary;
    } catch (error) {
      // Full, read-only, not a folder: what is not on disk must not be sent.
      throw new HomeUnwritable(
        { path: dir, reason: (error as NodeJS.ErrnoException).code ?? "unknown" },
        { cause: error },
      );
    }
  };
  const replace = async (path: string, value: unknown) => rename(await write(value), path);
  const read = async <T>(path: string): Promise<T | undefined> => {
    try {
      return JSON.parse(await readFile(path, "utf8")) as T;
    } catch (error) {
      const absent = ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
      if (absent || error instanceof SyntaxError) return undefined;
      throw error;
    }
  };

  const get = (id: string) => read<NegotiationRecord>(recordPath(id));
  const decision = (id: string) => read<Decision>(decisionPath(id));

  async function list() {
    const names = await readdir(dir).catch(() => [] as string[]);
    const records = await Promise.all(
      names.filter((n) => n.endsWith(".json") && !n.startsWith(".")).map((n) => read<NegotiationRecord>(join(dir, n))),
    );
    return records.filter((r) => r !== undefined).sort((a, b) => b.submitted_at - a.submitted_at);
  }

  /** Linked into place: fails when it exists, so the file system picks one winner. */
  async function create(path: string, value: unknown): Promise<boolean> {
    const temporary = await write(value);
    try {
      await link(temporary, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return false;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  return {
    get,
    decision,
    list,
    listOpen: async () => (await list()).filter((record) => record.ended === undefined),
    put: (record) => replace(recordPath(record.negotiation_id), record),
    async decide(id, wanted) {
      if (await create(decisionPath(id), wanted)) return { won: true, decision: wanted };
      return { won: false, decision: (await decision(id)) ?? wanted };
    },
    release: (id) => rm(decisionPath(id), { force: true }),
    async beginAttempt(key, attempt) {
      if (await create(attemptPath(key), attempt)) return undefined;
      const standing = await read<SubmitAttempt>(attemptPath(key));
      if (standing === undefined) await replace(attemptPath(key), attempt); // cut short by a crash: it says nothing
      return standing;
    },
    putAttempt: (key, value) => replace(attemptPath(key), value),
    settleAttempt: (key) => rm(attemptPath(key), { force: true }),
    dropAttempt: (key) => rm(attemptPath(key), { force: true }),
  };
}
