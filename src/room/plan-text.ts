/** A block of a plan's Markdown, as text: nothing in it is ever markup. */
export interface Block {
  kind: "heading" | "paragraph" | "bullet" | "number";
  text: string;
  /** The number of a numbered item, as it was written. */
  mark?: string;
}

/** What can be read off a plan's own words; whatever is not said in them is not there. */
export interface PlanText {
  blocks: Block[];
  /** Numbered items that begin with a week. */
  weeks: { week: string; text: string }[];
  /** Items under a heading that says that they are open. */
  open: string[];
}

const OPEN =
  /^(?:still open|open (?:questions|points|issues)|to be (?:decided|agreed)|待确认|待定|未决|待讨论|开放问题)/i;
const WEEK = /^(weeks?\s+\d+(?:\s*[–-]\s*\d+)?|第\s*\d+(?:\s*[–-]\s*\d+)?\s*周)\s*[:：,，]?\s*(.+)$/isu;

/** Reads a plan. Pure; lists, headings and paragraphs only, and everything else as the words that it is. */
export function readPlan(markdown: string): PlanText {
  const blocks = blocksOf(markdown);
  let heading = "";
  const open: string[] = [];
  const weeks: PlanText["weeks"] = [];
  for (const { kind, text } of blocks) {
    if (kind === "heading") heading = text;
    else if (kind !== "paragraph" && OPEN.test(heading)) open.push(text);
    const week = kind === "number" || kind === "bullet" ? WEEK.exec(text) : null;
    if (week?.[1] !== undefined && week[2] !== undefined) weeks.push({ week: week[1], text: week[2] });
  }
  return { blocks, weeks, open };
}

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let isOpenParagraph = false;
  for (const line of markdown.split("\n")) {
    const trimmed = line.trim();
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
  return blocks.filter(({ text }) => text !== "");
}

/** Emphasis and code as the words that they are about. */
const plain = (text: string): string =>
  text
    .replace(/\*\*([^*\n]+)\*\*/g, "$1")
    .replace(/(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])/g, "$1")
    .replace(/`([^`\n]+)`/g, "$1")
    .trim();
