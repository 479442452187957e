import { spansOf } from "../room/spec/sheet.ts";
import { showInvisible } from "../safety/invisible.ts";
import { COLOURS, type Style } from "../terminal/paint.ts";
import { paragraph } from "../terminal/paragraph.ts";
import { type Piece, pieceLines } from "../terminal/pieces.ts";
import { joinSentences } from "../text/join.ts";
import { roomTexts } from "../text/room.ts";
import { sheetTexts } from "../text/sheet.ts";
import {
  attribute,
  attributeEdit,
  isWord,
  leftOutWords,
  type Passage,
  type Segment,
  segmentsOf,
  shareOf,
} from "../view/authorship.ts";
import type { Format } from "./format.ts";

/** The text that a person decides on, by whose words it is. */
export interface Sheet {
  /** What was submitted. */
  submitted: string;
  segments: readonly Segment[];
  /** False where the texts are too long to be compared. */
  isCompared: boolean;
  /** Submitted words that the network's text lacks. */
  leftOut: string;
  /** The person's own version is shown, not the network's. */
  isEdited: boolean;
  /** Words of the network among all words, in per cent. */
  share: number;
}

/** Pure. `edited` is the person's own version, where they wrote one. */
export function sheetOf(submitted: string, formulated: string, edited?: string): Sheet {
  const base = attribute(submitted, formulated);
  const whole: Passage[] = [{ by: "network", text: formulated }];
  const own = edited === undefined ? undefined : attributeEdit(base ?? whole, edited);
  const passages = edited === undefined ? base : own;
  const text = edited ?? formulated;
  const leftOut = base && leftOutWords(submitted, base);
  const segments = segmentsOf(passages ?? [{ by: edited === undefined ? "network" : "edit", text }], spansOf(text));
  return {
    submitted,
    segments,
    isCompared: leftOut !== undefined && passages !== undefined,
    leftOut: leftOut ?? "",
    isEdited: edited !== undefined,
    share: passages === undefined ? 100 : shareOf(passages),
  };
}

const GUTTER = "│ ";
const ADDED_GUTTER = "+ ";
const CHANGED_GUTTER = "~ ";

type Layout = Pick<Format, "width" | "paint" | "all">;

/**
 * The sheet in lines: what was submitted, then the whole text exactly as it goes out, with the network's words marked by
 * colour, sign and a numbered list, and personal data underlined and named.
 */
export function sheetLines(sheet: Sheet, layout: Layout): string[] {
  const { paint, width, all } = layout;
  const say = roomTexts(all.lang).decision;
  const added = partsOf(sheet.segments, "addition");
  const title = `${sheet.isEdited ? say.yours : say.added} · ${noteOf(sheet, say)}`;
  return [
    paint("bold", say.submitted),
    ...pieceLines([{ text: shown(sheet.submitted) }], { width, paint, gutter: () => GUTTER, gutterWidth: 2 }),
    "",
    ...paragraph(title, { width, paint, style: "bold" }),
    ...textLines(sheet, layout),
    ...(sheet.leftOut === "" ? [] : ["", ...paragraph(leftOutText(sheet, all), { width, paint, style: COLOURS.warn })]),
    ...(added.length + partsOf(sheet.segments, "personal").length === 0 ? [] : ["", ...listLines(sheet, layout)]),
  ];
}

/** The exact text alone, marked. */
export function textLines({ segments }: Pick<Sheet, "segments">, { paint, width }: Layout): string[] {
  const gutter = (line: readonly Piece[]) => {
    const marks = line.map(({ mark }) => mark);
    if (marks.includes("edit")) return paint(COLOURS.act, CHANGED_GUTTER);
    return marks.includes("network") ? paint(COLOURS.networkSign, ADDED_GUTTER) : GUTTER;
  };
  return pieceLines(segments.map(pieceOf), { width, paint, gutter, gutterWidth: GUTTER.length });
}

function pieceOf({ by, text, addition, personal }: Segment): Piece {
  const isMarked = (by === "edit" && isWord(text)) || addition !== undefined;
  const tint: Style[] = isMarked ? [...(by === "edit" ? COLOURS.change : COLOURS.network)] : [];
  const line: Style[] = personal === undefined ? [] : tint.length > 0 ? ["underline"] : [...COLOURS.personal];
  const style = [...line, ...tint] as Style;
  return { text: shown(text), ...(isMarked && { mark: by }), ...((isMarked || personal) && { style }) };
}

function noteOf({ isCompared, isEdited, share }: Sheet, say: ReturnType<typeof roomTexts>["decision"]): string {
  if (!isCompared) return say.notCompared;
  if (share === 0) return isEdited ? say.nothingLeft : say.nothingAdded;
  return (isEdited ? say.shareMine : say.share)(share);
}

/** How much of the text is the network's, in one line: where there is no room for the numbered list. */
export function addedText(sheet: Sheet, { all }: Pick<Format, "all">): string {
  const texts = sheetTexts(all.lang);
  if (!sheet.isCompared) return roomTexts(all.lang).decision.notCompared;
  const added = sheet.share === 0 ? texts.nothingAdded : texts.added(sheet.share);
  return sheet.leftOut === "" ? added : joinSentences([added, roomTexts(all.lang).decision.submittedMissing]);
}

const leftOutText = ({ leftOut }: Sheet, { lang }: Format["all"]): string =>
  `${roomTexts(lang).decision.leftOut}${lang === "zh" ? "" : " "}${shown(leftOut)}`;

interface Part {
  number: number;
  text: string;
  /** Of personal data. */
  kind?: string;
}

/** Each addition, or each piece of personal data, with its words; in the order of the text. */
function partsOf(segments: readonly Segment[], what: "addition" | "personal"): Part[] {
  const parts = new Map<number, Part>();
  for (const { text, addition, personal } of segments) {
    const number = what === "addition" ? addition : personal?.number;
    if (number === undefined) continue;
    const before = parts.get(number)?.text ?? "";
    parts.set(number, { number, text: before + text, ...(what === "personal" && personal && { kind: personal.kind }) });
  }
  return [...parts.values()];
}

function listLines({ segments }: Sheet, { width, paint, all }: Layout): string[] {
  const texts = sheetTexts(all.lang);
  const kinds: Readonly<Record<string, string>> = all.pii.kinds;
  const additions = partsOf(segments, "addition");
  const sign = (number: number) => `${String(number).padStart(String(additions.length).length + 1)}  `;
  const row = (first: string, text: string) => paragraph(text, { width, paint, first });
  return [
    ...additions.flatMap(({ number, text }) => row(paint(COLOURS.networkSign, sign(number)), trimmed(text))),
    ...partsOf(segments, "personal").flatMap(({ text, kind = "" }) =>
      row(paint(COLOURS.warn, sign(0).replace("0", "!")), texts.personal(trimmed(text), kinds[kind] ?? kind)),
    ),
  ];
}

/** In a list of their own, passages need no sign that ties them to their neighbours. */
const trimmed = (text: string): string => shown(text).replace(/^[\s,.;:，。；：、]+|[\s,;:，；：、]+$/gu, "");

/** What nobody would see is written out; a tab has no width of its own. */
const shown = (text: string): string => showInvisible(text.toWellFormed()).replaceAll("\t", "    ");
