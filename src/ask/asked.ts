import type { Reach } from "../negotiation/stage.ts";
import type { Segment } from "../view/authorship.ts";
import { partsOf } from "../view/text.ts";

/** A scene as a question names it, by its id, and by its owner's name for it if that can be shown. */
export interface AskedScene {
  id: string;
  name: string | undefined;
}

/** Everything that a yes would send or stop, as data without any translated wording. The page shows all of it. */
export type Asked = AskedProfile | AskedNewScene | AskedStop;

export interface AskedProfile {
  about: "profile";
  scene: AskedScene;
  /** The fields by their keys. */
  fields: Fields;
  /**
   * The id under which the profile is sent, if it is not the person's own. `isNew` means that nobody has that id yet.
   */
  as?: { id: string; isNew: boolean } | undefined;
  /** Another scene that the person is in, whose profile is replaced as well. */
  elsewhere?: AskedScene | undefined;
}

interface AskedNewScene {
  about: "scene";
  fields: Fields;
}

export interface AskedStop {
  about: "stop";
  negotiationId: string;
  /** The person's own demand, as it was submitted and as the network has it now. */
  demand?: { submitted: string; text: string } | undefined;
  reach: Reach;
  /** True if nobody has decided on the demand's text yet. */
  isUndecided: boolean;
  /** How many agents have made an offer, and how many take part. */
  offers: { received: number; total: number };
  /** What an action carries, as a person reads it. */
  payload?: string | undefined;
}

type Fields = readonly (readonly [key: string, value: FieldValue])[];

/** The value of a field, which is one text or a list of texts. */
export type FieldValue = string | readonly string[];

/** A piece of personal data that a person can take out of a profile, on the page that asks about it. */
export interface Piece {
  /** An id within this question that reveals nothing of the piece. */
  id: string;
  field: string;
  /** The index of the item of a list in which the piece stands. It is absent for a field that is one text. */
  item?: number;
  text: string;
  /** The kind of personal data, as `pii.kinds` names it. */
  kind: string;
}

/** One text of a field. Personal data are looked for in each text separately, so no piece reaches into another item. */
interface Item {
  field: string;
  item?: number;
  text: string;
}

const itemsOf = (field: string, value: FieldValue): Item[] =>
  typeof value === "string" ? [{ field, text: value }] : value.map((text, item) => ({ field, item, text }));

/** A profile must have a name, so no piece of the name can be taken out. */
const NAME = "display_name";

/** A part of a field. If the part is personal data that can be taken out, `piece` is its id. */
export interface FieldPart extends Segment {
  piece?: string;
}

/** Returns the id of a piece. It is made of the field, the item and the number, so it is the same in every language. */
const pieceId = ({ field, item }: Item, number: number): string =>
  [field, ...(item === undefined ? [] : [item + 1]), number].join(".");

const partsOfItem = (item: Item): FieldPart[] =>
  partsOf([{ by: "person", text: item.text }]).map((part) =>
    part.personal === undefined || item.field === NAME ? part : { ...part, piece: pieceId(item, part.personal.number) },
  );

/** Returns a field in parts, as a page shows it. `between` stands between the items of a list. */
export function partsOfField(field: string, value: FieldValue, between: string): FieldPart[] {
  const parts: FieldPart[] = [];
  const add = (part: FieldPart) => {
    const last = parts.at(-1);
    if (last === undefined || last.personal !== undefined || part.personal !== undefined) parts.push(part);
    else parts[parts.length - 1] = { ...last, text: last.text + part.text };
  };
  for (const [index, item] of itemsOf(field, value).entries()) {
    if (index > 0) add({ by: "person", text: between });
    for (const part of partsOfItem(item)) add(part);
  }
  return parts;
}

/** Returns the texts of a profile or a scene. Personal data are looked for in each of them separately. */
export const textsOf = ({ fields }: { fields: Fields }): string[] =>
  fields.flatMap(([field, value]) => itemsOf(field, value).map(({ text }) => text));

const piecesOf = (item: Item): Piece[] =>
  partsOfItem(item).flatMap(({ text, piece, personal }) =>
    piece === undefined || personal === undefined ? [] : [{ ...item, id: piece, text, kind: personal.kind }],
  );

/** Lists the pieces of a profile in the order of its fields. */
export const piecesIn = ({ fields }: Pick<AskedProfile, "fields">): Piece[] =>
  fields.flatMap(([field, value]) => itemsOf(field, value).flatMap(piecesOf));

/**
 * Returns whether the question has every piece that an answer takes out. An earlier version gave other ids to pieces in
 * lists. If an answer names such an id, nothing may be sent, because the person wanted that piece taken out.
 */
export function hasPieces(asked: Asked, takenOut: readonly string[]): boolean {
  if (takenOut.length === 0) return true;
  const ids = new Set(asked.about === "profile" ? piecesIn(asked).map(({ id }) => id) : []);
  return takenOut.every((id) => ids.has(id));
}

/**
 * Returns a field without the pieces of these ids. Nothing else changes, except that the spaces around what is left of
 * a text are removed, so that nothing is sent of a text that held only pieces.
 */
export function withoutPieces(field: string, value: FieldValue, takenOut: readonly string[]): string | string[] {
  const isTakenOut = ({ piece }: FieldPart) => piece !== undefined && takenOut.includes(piece);
  const kept = itemsOf(field, value).map((item) => {
    const parts = partsOfItem(item);
    if (!parts.some(isTakenOut)) return item.text;
    const left = parts.flatMap((part) => (isTakenOut(part) ? [] : part.text));
    return left.join("").trim();
  });
  return typeof value === "string" ? kept.join("") : kept;
}
