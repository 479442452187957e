import type { Edit } from "jsonc-parser";

/** The name under which every client knows this server. */
export const ENTRY = "towow";

/** One entry of a client's file, as the client writes it. */
export type Entry = Readonly<Record<string, unknown>>;

/**
 * A client's file, parsed. `put` and `drop` leave everything else unchanged. Edits do not overlap, and are sorted by
 * place.
 */
export interface Document {
  readonly entry: unknown;
  /** The value of the whole file. */
  readonly all: unknown;
  /** True if there is a list of servers, whatever is in it. */
  readonly hasList: boolean;
  put(entry: Entry): Edit[];
  drop(): Edit[];
  /** Removes the list of servers if nothing at all is in it. */
  dropEmptyList(): Edit[];
}

export interface DocumentPlace {
  /** The path, for errors. */
  readonly path: string;
  /** The top-level key that holds the servers. */
  readonly key: string;
}

/** Returns the line and the column of an offset, both counted from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
