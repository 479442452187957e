/** The longest page of a whole text, in UTF-16 units: what one tool result of a plan may have. */
export const PAGE_LENGTH = 16_000;

/**
 * A text in pages of at most `length` UTF-16 units, cut behind a line break where there is one. Put together they are
 * the text again. An empty text is one empty page.
 */
export function pagesOf(text: string, length = PAGE_LENGTH): string[] {
  const pages: string[] = [];
  let from = 0;
  while (text.length - from > length) {
    const end = cutAt(text, from, from + length);
    pages.push(text.slice(from, end));
    from = end;
  }
  return [...pages, text.slice(from)];
}

function cutAt(text: string, from: number, end: number): number {
  const line = text.lastIndexOf("\n", end - 1) + 1;
  if (line > from) return line;
  const isInsidePair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end - from > 1;
  return isInsidePair ? end - 1 : end;
}
