/** A block of a plan's Markdown, as text: nothing in it is ever markup. */
export interface Block {
  kind: "heading" | "paragraph" | "bullet" | "number" | "lines";
  text: string;
  /** The number of a numbered item, as it was written. */
  mark?: string;
}

/** Rows of a table, quotes, and what ends or begins code: these keep their lines. */
const KEEPS_LINES = /^[|>]/;
const FENCE = /^(?:`{3}|~{3})/;

/**
 * A plan's Markdown as blocks. Pure; lists, headings and paragraphs, tables, quotes and code line by line, and everything
 * else as the words that it is.
 */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let isOpenParagraph = false;
  let isCode = false;
  let isOpenLines = false;
  for (const line of markdown.split("\n")) {
    const trimmed = line.trim();
    const isFence = FENCE.test(trimmed);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || KEEPS_LINES.test(trimmed)) {
      const open = blocks.at(-1);
      if (isOpenLines && open !== undefined) open.text += isFence ? "" : `\n${line}`;
      else blocks.push({ kind: "lines", text: isFence ? "" : line });
      isOpenLines = true;
      isOpenParagraph = false;
      continue;
    }
    isOpenLines = false;
    const heading = /^#{1,6}\s+(.*)$/.exec(trimmed)?.[1];
    const bullet = /^[-*+]\s+(.*)$/.exec(trimmed)?.[1];
    const [, mark, number] = /^(\d{1,3})[.)]\s+(.*)$/.exec(trimmed) ?? [];
    const last = blocks.at(-1);
    if (heading !== undefined) blocks.push({ kind: "heading", text: plain(heading) });
    else if (bullet !== undefined) blocks.push({ kind: "bullet", text: plain(bullet) });
    else if (number !== undefined && mark !== undefined) blocks.push({ kind: "number", text: plain(number), mark });
    else if (trimmed !== "" && isOpenParagraph && last !== undefined) last.text += ` ${plain(trimmed)}`;
    else if (trimmed !== "" && !/^([-*_])\1{2,}$/.test(trimmed))
      blocks.push({ kind: "paragraph", text: plain(trimmed) });
    isOpenParagraph = trimmed !== "" && blocks.at(-1)?.kind === "paragraph";
  }
  return blocks
    .map((block) => (block.kind === "lines" ? { ...block, text: block.text.replace(/^\n+|\s+$/g, "") } : block))
    .filter(({ text }) => text !== "");
}

/** Emphasis and code as the words that they are about. */
const plain = (text: string): string =>
  text
    .replace(/\*\*([^*\n]+)\*\*/g, "$1")
    .replace(/(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])/g, "$1")
    .replace(/`([^`\n]+)`/g, "$1")
    .trim();
