import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Reading } from "./resources/reading.ts";

/** The longest page of a full text, in UTF-16 units. A tool's result may hold as much of a plan. */
export const PAGE_LENGTH = 16_000;
/** The longest uncleaned page, in UTF-16 units. Cleaning makes a text at most two and a half times as long. */
const RAW_LENGTH = PAGE_LENGTH / 2.5;
/** How far before its end a page may be cut to end between sentences or words, in UTF-16 units. */
const LEEWAY = 300;

/**
 * Splits a text into pages of at most `length` UTF-16 units, each of which is cleaned by itself. A page ends before a
 * private key that it would cut in two. Otherwise the page ends after its last line break that does not part a label
 * from its value, or else after the last sentence, clause or word near its end, or else at its full length. The pages,
 * joined, are the text again. An empty text is one empty page.
 */
export function pagesOf(text: string, length = RAW_LENGTH): string[] {
  const pages: string[] = [];
  let from = 0;
  while (text.length - from > length) {
    const end = from + cutAt(text.slice(from, from + length), text.charAt(from + length));
    pages.push(text.slice(from, end));
    from = end;
  }
  return [...pages, text.slice(from)];
}

/**
 * Returns the requested page, the lines to put above it, and its place among the pages, with the address of the next
 * page. @throws ResourceNotFoundError if there is no such page
 */
export function pageAt({ uri, page, texts }: Reading, pages: readonly string[]) {
  const text = pages[page - 1];
  if (text === undefined) throw new ResourceNotFoundError(uri, texts.noSuchPage(pages.length));
  const [address = uri] = uri.split("?");
  const next = page < pages.length ? `${address}?page=${page + 1}` : undefined;
  return {
    text,
    above: [texts.page(page, pages.length), ...(next === undefined ? [] : [texts.next(next)])],
    place: { page, pages: pages.length, ...(next && { next }) },
  };
}

/**
 * Returns where a page that is followed by the character `next` ends. Only this page is searched, so that the cost
 * grows only with the length of the text.
 */
function cutAt(page: string, next: string): number {
  const key = page.lastIndexOf("-----BEGIN ");
  if (key > 0 && page.indexOf("-----END ", key) < 0) return key;
  return lineEnd(page) ?? lastSeam(page, next) ?? (isInsidePair(page) ? page.length - 1 : page.length);
}

/** Returns the place after the last line break that does not part a label from its value. */
function lineEnd(page: string): number | undefined {
  let at = page.lastIndexOf("\n");
  while (at > 0 && /[:：=]/.test(page.charAt(at - 1))) at = page.lastIndexOf("\n", at - 1);
  return at < 0 ? undefined : at + 1;
}

/** Returns the last place after a sentence or clause, or else between two words. */
function lastSeam(page: string, next: string): number | undefined {
  const first = Math.max(2, page.length - LEEWAY);
  for (const seam of [/^[^\d:：=][。；！？，]$/, /^[.;!?,}] $/, /^[^\d:：=] $/])
    for (let at = page.length; at >= first; at--)
      if (seam.test(page.slice(at - 2, at)) && !/[\d\s]/.test(at < page.length ? page.charAt(at) : next)) return at;
  return undefined;
}

const isInsidePair = (page: string): boolean => page.length > 1 && /[\uD800-\uDBFF]$/.test(page);
