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
 * A text on which the person decides, or that was sent, in the form that every surface shows. This form is computed
 * only here, from the text itself, before any of the text is masked, cut or escaped.
 */
export interface TextView {
  /** Exactly the text that goes out. */
  text: string;
  /** The whole text in parts. Each of the network's additions and each piece of personal data is a part. */
  parts: readonly Segment[];
  /** The network's words among all words, in per cent. */
  share: number;
  /** The runs of words from the submitted text that the network left out and that are still missing. */
  leftOut: readonly string[];
  /** False if the texts are too long to be compared. The authors of the words are not known then. */
  isCompared: boolean;
}

/**
 * What the heading over a text says: whose version it is, that the network added to it, that it is the text to broadcast
 * (`editor`), or only that it is the text.
 */
type TextHeading = "yours" | "agents" | "byYourAi" | "added" | "editor" | "text";

/**
 * Returns the heading over a text. `version` says whose version it is, if it is not the network's. `goesOut`: see
 * {@link mayGoOut}; where that is not known, the heading says nothing of it.
 */
export function headingOf(
  { share }: Pick<TextView, "share">,
  { version, goesOut }: { version?: "yours" | "agents" | "byYourAi" | undefined; goesOut: boolean },
): TextHeading {
  if (version !== undefined) return version;
  if (share > 0) return "added";
  return goesOut ? "editor" : "text";
}

type Compared = Pick<TextView, "leftOut" | "isCompared">;

/** Builds the view of the network's text. `words` is the submitted text in passages, if it has several authors. */
export function networksText(submitted: string, formulated: string, words?: readonly Passage[]): TextView {
  const passages = words === undefined ? attribute(submitted, formulated) : attributeEdit(words, formulated, "network");
  const leftOut = missingWords(submitted, formulated, "network");
  const isCompared = passages !== undefined && leftOut !== undefined;
  return viewOf(isCompared ? passages : [{ by: "network", text: formulated }], { leftOut: leftOut ?? [], isCompared });
}

/** Builds the view of a changed text. Words that the earlier version lacked belong to `by`. */
export function changedText(before: TextView, text: string, by: "edit" | "agent" = "edit"): TextView {
  const passages = attributeEdit(before.parts, text, by);
  return passages === undefined
    ? viewOf([{ by, text }], { ...before, isCompared: false })
    : versionOf(before, passages);
}

/** Builds the view of a changed text whose authors are known. */
export function versionOf({ leftOut, isCompared }: Compared, passages: readonly Passage[]): TextView {
  const text = textOf(passages);
  return viewOf(passages, { leftOut: leftOut.filter((words) => !text.includes(words)), isCompared });
}

/** Builds the view of the text without the parts that were taken out, which needs no comparison. */
export function keptText(before: TextView, takenOut: readonly string[]): TextView {
  return takenOut.length === 0 ? before : viewOf(withoutTakenOut(before.parts, takenOut), before);
}

/** Splits passages into parts, with each piece of personal data in a part of its own. */
export const partsOf = (passages: readonly Passage[]): Segment[] =>
  segmentsOf(merged(passages), findPii(textOf(passages)));

function viewOf(passages: readonly Passage[], { leftOut, isCompared }: Compared): TextView {
  const share = isCompared ? shareOf(passages) : 100;
  return { text: textOf(passages), parts: partsOf(passages), share, leftOut, isCompared };
}

const textOf = (passages: readonly Passage[]): string => passages.map(({ text }) => text).join("");

/** One of the network's additions, or one piece of personal data, as it is listed beside the text. */
export interface ListedPart {
  number: number;
  text: string;
  /** The kind of personal data. Undefined for an addition. */
  kind: string | undefined;
  /** The author of the part's first words. */
  by: Passage["by"];
}

/** Lists the additions and then the personal data of a text, each in the order of the text. */
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

/** Returns the number of the network's additions in a text. */
export const additionsIn = ({ parts }: Pick<TextView, "parts">): number =>
  new Set(parts.flatMap(({ addition }) => addition ?? [])).size;
