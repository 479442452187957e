import { estimatedTokens, MAX_PART_TOKENS } from "../result/tokens.ts";
import type { Sanitized, SanitizedMeta } from "../safety/sanitize/options.ts";
import { joinSentences } from "../text/join.ts";
import { listTexts } from "../text/lists.ts";
import type { Warning } from "../text/warnings.ts";
import { inTurns, type Steps, turn } from "../turn.ts";
import { CursorInvalid, cursorBehind, keyOf, sortKey } from "./cursor.ts";
import type { ToolContext } from "./define.ts";

/**
 * The maximum length of all items in one result, in UTF-16 units (agent layer §6). The other items are on the next
 * page.
 */
const MAX_CHARACTERS = 40_000;

export interface PageOptions<T> {
  /** The tool and its filter, to which a cursor is bound. */
  list: string;
  cursor: string | undefined;
  /** The maximum number of items on one page. */
  most: number;
  idOf: (item: T) => string;
  /** Set if the items are in display order already. Otherwise they are sorted by id. */
  isOrdered?: true;
  /** Cleans one item before a model reads it. */
  clean: (item: T) => Steps<Sanitized<T>>;
}

export interface ListPage<T> {
  items: T[];
  /** The number of items in the whole list, as the backend has it now. */
  total: number;
  next_cursor: string | null;
  warnings: Warning[];
  meta: SanitizedMeta;
}

/**
 * Returns one page of a list, sorted by id unless the list is in order already. The next page begins after the last
 * id shown and not at a position, so that a sorted list that changes meanwhile repeats nothing, and misses only what
 * was added before that id. Other work can run between two items.
 * @throws CursorInvalid
 */
export async function listPage<T>(all: readonly T[], options: PageOptions<T>): Promise<ListPage<T>> {
  const { list, cursor, most, idOf, clean, isOrdered } = options;
  const after = keyOf(cursor, list);
  const byKey = new Map<string, T>();
  // Items with the same id count once.
  for (const item of all) if (!byKey.has(sortKey(idOf(item)))) byKey.set(sortKey(idOf(item)), item);
  const rest = isOrdered ? itemsAfter([...byKey], after) : sortedAfter([...byKey], after);
  const page: ListPage<T> = { items: [], total: byKey.size, next_cursor: null, warnings: [], meta: {} };
  const left = { characters: MAX_CHARACTERS, tokens: MAX_PART_TOKENS };
  let lastKey: string | undefined;
  for (const [key, item] of rest) {
    const { value, warnings, meta } = await inTurns(clean(item));
    const written = JSON.stringify([value], null, 1);
    left.characters -= written.length;
    left.tokens -= estimatedTokens(written);
    const isFull = page.items.length >= most || left.characters < 0 || left.tokens < 0;
    if (lastKey !== undefined && isFull) return { ...page, next_cursor: cursorBehind(lastKey, list) };
    page.items.push(value);
    page.warnings = [...new Set([...page.warnings, ...warnings])];
    page.meta = { ...page.meta, ...meta };
    lastKey = key;
    await turn();
  }
  return page;
}

type Keyed<T> = [key: string, item: T];

const sortedAfter = <T>(items: Keyed<T>[], after: string | undefined): Keyed<T>[] =>
  items.filter(([key]) => after === undefined || key > after).sort(([a], [b]) => (a < b ? -1 : 1));

/**
 * Returns the items after the last one shown.
 * @throws CursorInvalid if the last item shown is gone, because nobody can say what comes after it
 */
function itemsAfter<T>(items: Keyed<T>[], after: string | undefined): Keyed<T>[] {
  const at = items.findIndex(([key]) => key === after);
  if (after !== undefined && at < 0) throw new CursorInvalid();
  return items.slice(at + 1);
}

/** Adds to the summary a sentence about further pages, unless the page holds the whole list. */
export const pageSentence = <T>(summary: string, { items, total, next_cursor }: ListPage<T>, ctx: ToolContext) =>
  next_cursor === null && items.length === total
    ? summary
    : joinSentences([summary, listTexts(ctx.texts.lang).page(items.length, next_cursor !== null)]);
