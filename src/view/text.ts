import { findPii } from "../safety/pii/pii.ts";
import {
  attribute,
  attributeEdit,
  merged,
  missingWords,
  type Passage,
  type Segment,
  segmentsOf,
  shareOf,
  withoutTakenOut,
} from "./authorship.ts";

/**
 * A text that its person decides on, or that went out, as every surface shows it: computed here, once, and on the text
 * itself, before anything of it is masked, cut or written out.
 */
export interface TextView {
  /** Word for word what goes out. */
  text: string;
  /** All of it in parts, by whose words: each of the network's additions, and each piece of personal data, is one. */
  parts: readonly Segment[];
  /** Words of the network among all words, in per cent. */
  share: number;
  /** What the network left out of what was submitted, as far as it is still missing; in runs of words. */
  leftOut: readonly string[];
  /** False where the texts are too long to be compared: then nothing is known of whose the words are. */
  isCompared: boolean;
}

type Compared = Pick<TextView, "leftOut" | "isCompared">;

/** The network's text. `words`: what was submitted, by whose words, where not all of it is of one hand. */
export function networksText(submitted: string, formulated: string, words?: readonly Passage[]): TextView {
  const passages = words === undefined ? attribute(submitted, formulated) : attributeEdit(words, formulated, "network");
  const leftOut = missingWords(submitted, formulated, "network");
  const isCompared = passages !== undefined && leftOut !== undefined;
  return viewOf(isCompared ? passages : [{ by: "network", text: formulated }], { leftOut: leftOut ?? [], isCompared });
}

/** Another version in its place: what did not stand there before is theirs who wrote it. */
export function changedText(before: TextView, text: string, by: "edit" | "agent" = "edit"): TextView {
  const passages = attributeEdit(before.parts, text, by);
  return passages === undefined
    ? viewOf([{ by, text }], { ...before, isCompared: false })
    : versionOf(before, passages);
}

/** A version of a text, where it is known by whose words it is. */
export function versionOf({ leftOut, isCompared }: Compared, passages: readonly Passage[]): TextView {
  const text = textOf(passages);
  return viewOf(passages, { leftOut: leftOut.filter((words) => !text.includes(words)), isCompared });
}

/** The same without what was taken out, which is compared with nothing any more. */
export function keptText(before: TextView, takenOut: readonly string[]): TextView {
  return takenOut.length === 0 ? before : viewOf(withoutTakenOut(before.parts, takenOut), before);
}

/** Words in parts, with the personal data in them. */
export const partsOf = (passages: readonly Passage[]): Segment[] =>
  segmentsOf(merged(passages), findPii(textOf(passages)));

function viewOf(passages: readonly Passage[], { leftOut, isCompared }: Compared): TextView {
  const share = isCompared ? shareOf(passages) : 100;
  return { text: textOf(passages), parts: partsOf(passages), share, leftOut, isCompared };
}

const textOf = (passages: readonly Passage[]): string => passages.map(({ text }) => text).join("");

/** One of the network's additions, or one piece of personal data, which a list names beside the text. */
export interface ListedPart {
  number: number;
  text: string;
  /** Of personal data; undefined for an addition. */
  kind: string | undefined;
  /** Whose words it begins with. */
  by: Passage["by"];
}

/** What a list beside a text names: the additions first, then personal data, each in the order of the text. */
export function listedParts({ parts }: Pick<TextView, "parts">): ListedPart[] {
  const found = new Map<string, ListedPart>();
  const add = (id: string, part: ListedPart) => {
    const before = found.get(id);
    if (before === undefined) found.set(id, part);
    else before.text += part.text;
  };
  for (const { by, text, addition } of parts)
    if (addition !== undefined) add(`${addition}`, { number: addition, text, kind: undefined, by });
  for (const { by, text, personal } of parts)
    if (personal !== undefined) add(`p${personal.number}`, { number: personal.number, text, kind: personal.kind, by });
  return [...found.values()];
}

/** How many passages of a text are the network's. */
export const additionsIn = ({ parts }: Pick<TextView, "parts">): number =>
  new Set(parts.flatMap(({ addition }) => addition ?? [])).size;
