import type { Edit } from "jsonc-parser";

/** The name under which every client knows this server. */
export const ENTRY = "towow";

/** One entry of a client's file, as the client writes it. */
export type Entry = Readonly<Record<string, unknown>>;

/** A client's file, parsed. Both changes leave everything else as it stands; edits do not overlap, first ones first. */
export interface Document {
  readonly entry: unknown;
  /** The whole file's value. */
  readonly all: unknown;
  /** There is a list of servers, with whatever in it. */
  readonly hasList: boolean;
  put(entry: Entry): Edit[];
  drop(): Edit[];
  /** Takes the list of servers out where nothing at all is in it. */
  dropEmptyList(): Edit[];
}

export interface DocumentPlace {
  /** For errors. */
  readonly path: string;
  /** The top-level key that holds the servers. */
  readonly key: string;
}

/** Line and column, both from 1, of an offset. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
