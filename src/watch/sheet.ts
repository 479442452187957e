import { showInvisible } from "../safety/invisible.ts";
import { COLOURS, type Style } from "../terminal/paint.ts";
import { paragraph } from "../terminal/paragraph.ts";
import { type StyledPart, styledLines } from "../terminal/styled-parts.ts";
import { joinSentences } from "../text/join.ts";
import { roomTexts } from "../text/room.ts";
import { sheetTexts } from "../text/sheet.ts";
import { inOneLine, isWord, type Segment } from "../view/authorship.ts";
import { changedText, headingOf, listedParts, networksText, type TextView } from "../view/text.ts";
import type { Format } from "./format.ts";

/** The text that a person decides on, with what was submitted. */
export interface Sheet extends TextView {
  submitted: string;
  /** True if the person's own version is shown instead of the network's. */
  isEdited: boolean;
}

/** Builds the sheet from both texts. `edited` is the person's own version, if they wrote one. Pure. */
export function sheetOf(submitted: string, formulated: string, edited?: string): Sheet {
  const network = networksText(submitted, formulated);
  const isEdited = edited !== undefined;
  return { ...(isEdited ? changedText(network, edited) : network), submitted, isEdited };
}

const GUTTER = "│ ";
const ADDED_GUTTER = "+ ";
const CHANGED_GUTTER = "~ ";

type Layout = Pick<Format, "width" | "paint" | "all">;

/**
 * Draws the sheet, which shows what was submitted and then the whole text exactly as it would go out. The network's words are
 * marked by colour, sign and a numbered list, and personal data is underlined and named. `goesOut`: see `mayGoOut`.
 */
export function sheetLines(sheet: Sheet, layout: Layout, goesOut: boolean): string[] {
  const { paint, width, all } = layout;
  const say = roomTexts(all.lang).decision;
  const heading = say[headingOf(sheet, { version: sheet.isEdited ? "yours" : undefined, goesOut })];
  const title = `${heading} · ${noteOf(sheet, say)}`;
  return [
    paint("bold", say.submitted),
    ...styledLines([{ text: shown(sheet.submitted) }], { width, paint, gutter: () => GUTTER, gutterWidth: 2 }),
    "",
    ...paragraph(title, { width, paint, style: "bold" }),
    ...textLines(sheet, layout),
    ...(sheet.leftOut.length === 0
      ? []
      : ["", ...paragraph(leftOutText(sheet, all), { width, paint, style: COLOURS.warn })]),
    ...listLines(sheet, layout),
  ];
}

/** Draws only the exact text, with its marks. */
export function textLines({ parts }: Pick<Sheet, "parts">, { paint, width }: Layout): string[] {
  const gutter = (line: readonly StyledPart[]) => {
    const marks = line.map(({ mark }) => mark);
    if (marks.includes("edit")) return paint(COLOURS.act, CHANGED_GUTTER);
    return marks.includes("network") ? paint(COLOURS.networkSign, ADDED_GUTTER) : GUTTER;
  };
  return styledLines(parts.map(styledPartOf), { width, paint, gutter, gutterWidth: GUTTER.length });
}

function styledPartOf({ by, text, addition, personal }: Segment): StyledPart {
  const isMarked = (by === "edit" && isWord(text)) || addition !== undefined;
  const tint: Style[] = isMarked ? [...(by === "edit" ? COLOURS.change : COLOURS.network)] : [];
  const line: Style[] = personal === undefined ? [] : tint.length > 0 ? ["underline"] : [...COLOURS.personal];
  const style = [...line, ...tint] as Style;
  return { text: shown(text), ...(isMarked && { mark: by }), ...((isMarked || personal) && { style }) };
}

function noteOf({ isCompared, isEdited, share }: Sheet, say: ReturnType<typeof roomTexts>["decision"]): string {
  if (!isCompared) return say.notCompared;
  if (share === 0) return say.nothingLeft;
  return (isEdited ? say.shareMine : say.share)(share);
}

/** Says in one line how much of the text the network added, if there is no room for the numbered list. */
export function addedText(sheet: Sheet, { all }: Pick<Format, "all">): string {
  const texts = sheetTexts(all.lang);
  if (!sheet.isCompared) return roomTexts(all.lang).decision.notCompared;
  const added = sheet.share === 0 ? texts.nothingAdded : texts.added(sheet.share);
  return sheet.leftOut.length === 0 ? added : joinSentences([added, roomTexts(all.lang).decision.submittedMissing]);
}

const leftOutText = ({ leftOut }: Sheet, { lang }: Format["all"]): string =>
  `${roomTexts(lang).decision.leftOut}${lang === "zh" ? "" : " "}${shown(inOneLine(leftOut))}`;

/** Lists each addition and each piece of personal data with its words. Returns no lines if there are none. */
export function listLines(sheet: Pick<Sheet, "parts">, { width, paint, all }: Layout): string[] {
  const texts = sheetTexts(all.lang);
  const kinds: Readonly<Record<string, string>> = all.pii.kinds;
  const listed = listedParts(sheet);
  const additions = listed.filter(({ kind }) => kind === undefined).length;
  const sign = (text: string) => `${text.padStart(String(additions).length + 1)}  `;
  const lines = listed.flatMap(({ number, text, kind }) =>
    kind === undefined
      ? paragraph(trimmed(text), { width, paint, first: paint(COLOURS.networkSign, sign(String(number))) })
      : paragraph(texts.personal(trimmed(text), kinds[kind] ?? kind), {
          width,
          paint,
          first: paint(COLOURS.warn, sign("!")),
        }),
  );
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Trims spaces and punctuation off a listed passage, because it has no neighbours there. */
const trimmed = (text: string): string => shown(text).replace(/^[\s,.;:，。；：、]+|[\s,;:，；：、]+$/gu, "");

/** Makes invisible characters visible. Tabs, whose width varies, become spaces. */
const shown = (text: string): string => showInvisible(text.toWellFormed()).replaceAll("\t", "    ");
