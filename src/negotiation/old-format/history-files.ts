import { join } from "node:path";
import { createNames, isObject } from "../../home/file.ts";
import { createJsonFiles } from "../../home/json-files.ts";
import { originOf } from "../../home/origin.ts";
import type { HistoryStore, NegotiationRecord } from "./history.ts";
import { decisionSchema, recordSchema } from "./history-schema.ts";

export interface FileHistoryDeps {
  /** The folder, made on first write with mode 0700. */
  dir: string;
  /** Fresh random text for temporary names. */
  newId: () => string;
  hash: (text: string) => string;
  /** Whose a file without an origin is: the one whose identity the config mirrors. Undefined: nobody's. */
  mirroredOrigin?: () => string | undefined;
}

/** The history of one home: a part for each backend origin, since ids mean something at their own backend only. */
export interface FileHistory {
  /** `origin` as `URL.origin` writes it. */
  at(origin: string): HistoryStore;
  /** The records of all origins, newest first. */
  list(): Promise<NegotiationRecord[]>;
  /** Those that have not ended. */
  listOpen(): Promise<NegotiationRecord[]>;
}

/**
 * The history as one small file per fact, so that no process ever rewrites what another one wrote: a record is replaced
 * atomically, a decision is linked into place and therefore made once. A file that is neither counts as absent and is left
 * alone. Names hold the id and a hash of the origin. Older versions wrote the id alone: such a record stays where it is,
 * with its decision, for a program of that version may still be at work on it.
 * Every method throws HomeUnwritable for a folder that cannot be used, and those that look at one fact throw NewerVersion.
 */
export function createFileHistory({ dir, newId, hash, mirroredOrigin }: FileHistoryDeps): FileHistory {
  // A negotiation id comes from outside: as a file name only if it is harmless.
  const nameOf = (id: string) => (/^[A-Za-z0-9_-]{1,80}$/.test(id) ? id : `x-${hash(id).slice(0, 32)}`);
  const oldPath = (id: string) => join(dir, nameOf(id));
  const newPath = (id: string, origin: string) => `${oldPath(id)}@${hash(origin).slice(0, 16)}`;

  const files = createJsonFiles(dir, newId);
  const namesOf = createNames();

  /** The record in a file, if it is the one that the file is named for: else it would be taken for another one. */
  const recordIn = async (path: string): Promise<NegotiationRecord | undefined> => {
    const value = await files.read(path);
    const whose = isObject(value) && value.origin === undefined ? { ...value, origin: mirroredOrigin?.() } : value;
    const found = recordSchema.safeParse(whose).data;
    if (found === undefined) return undefined;
    const { negotiation_id: id, origin } = found;
    return path === `${newPath(id, origin)}.json` || path === `${oldPath(id)}.json` ? found : undefined;
  };

  /** Where the record and the decision of this id are, without their endings. */
  async function placeOf(id: string, origin: string): Promise<string> {
    const place = newPath(id, origin);
    if (await files.isThere(`${place}.json`)) return place;
    const old = oldPath(id);
    const found = await recordIn(`${old}.json`);
    if (found !== undefined) return isAt(found, origin) ? old : place;
    // A decision whose record is lost names no origin.
    return (await files.isThere(`${old}.decision`)) && mirroredOrigin?.() === origin ? old : place;
  }

  /** An end is final: with a history of years, what is open must not cost a read of all that ever was. */
  const over = new Set<string>();

  function namesHere(): readonly string[] {
    try {
      return namesOf(dir);
    } catch {
      return [];
    }
  }

  /** By what lies in the folder, the files that may be records. */
  const paths = new WeakMap<readonly string[], string[]>();

  function pathsHere(): string[] {
    const names = namesHere();
    const here =
      paths.get(names) ?? names.filter((n) => n.endsWith(".json") && !n.startsWith(".")).map((n) => join(dir, n));
    paths.set(names, here);
    return here;
  }

  async function list(wanted: (path: string) => boolean = () => true) {
    // One file that cannot be read must not hide all the others.
    const read = await Promise.all(
      pathsHere()
        .filter(wanted)
        .map(async (path) => ({ path, record: await recordIn(path).catch(() => undefined) })),
    );
    const found = read.flatMap(({ path, record }) => (record === undefined ? [] : [{ path, record }]));
    return found.sort((a, b) => b.record.submitted_at - a.record.submitted_at);
  }

  async function listOpen() {
    if (pathsHere().every((path) => over.has(path))) return [];
    const found = await list((path) => !over.has(path));
    for (const { path, record } of found) if (record.ended !== undefined) over.add(path);
    return found.map(({ record }) => record).filter(({ ended }) => ended === undefined);
  }

  const at = (origin: string): HistoryStore => {
    const path = async (id: string, ending: "json" | "decision") => `${await placeOf(id, origin)}.${ending}`;
    const decision = async (id: string) => decisionSchema.safeParse(await files.read(await path(id, "decision"))).data;
    return {
      async get(id) {
        const found = await recordIn(await path(id, "json"));
        return found !== undefined && isAt(found, origin) ? found : undefined;
      },
      decision,
      list: async () => (await list()).map(({ record }) => record).filter((record) => isAt(record, origin)),
      listOpen: async () => (await listOpen()).filter((record) => isAt(record, origin)),
      put: async (value) => files.replace(await path(value.negotiation_id, "json"), value),
      async decide(id, wanted) {
        if (await files.create(await path(id, "decision"), wanted)) return { won: true, decision: wanted };
        return { won: false, decision: (await decision(id)) ?? wanted };
      },
      release: async (id) => files.remove(await path(id, "decision")),
    };
  };
  return {
    at,
    list: async () => (await list()).map(({ record }) => record),
    listOpen,
  };
}

const isAt = (record: NegotiationRecord, origin: string): boolean => originOf(record.origin) === origin;
