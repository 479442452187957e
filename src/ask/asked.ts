import type { Reach } from "../negotiation/stage.ts";
import { listedParts, partsOf } from "../view/text.ts";

/** A scene as a question names it: its id, and its owner's name for it if that can be shown. */
export interface AskedScene {
  id: string;
  name: string | undefined;
}

/** What a yes would send or stop, as plain data without any translated wording. The page shows all of it. */
export type Asked = AskedProfile | AskedNewScene | AskedStop;

export interface AskedProfile {
  about: "profile";
  scene: AskedScene;
  /** The fields by their keys. A list is already one text. */
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
  /** How many agents have answered with an offer, and how many there are. */
  offers: { received: number; total: number };
  /** What an action carries, as a person reads it. */
  payload?: string | undefined;
}

type Fields = readonly (readonly [key: string, value: string])[];

/** A piece of personal data that a person can take out of a profile, on the page that asks about it. */
export interface Piece {
  /** An id within this question that reveals nothing of the piece. */
  id: string;
  field: string;
  text: string;
  /** The kind of personal data, as `pii.kinds` names it. */
  kind: string;
}

const piecesOf = (field: string, value: string): Piece[] =>
  listedParts({ parts: partsOf([{ by: "person", text: value }]) }).flatMap(({ number, text, kind }) =>
    kind === undefined ? [] : [{ id: `${field}.${number}`, field, text, kind }],
  );

/**
 * Lists the pieces of a profile in the order of its fields. The name stays, because there is no profile without one.
 */
export const piecesIn = ({ fields }: Pick<AskedProfile, "fields">): Piece[] =>
  fields.flatMap(([field, value]) => (field === "display_name" ? [] : piecesOf(field, value)));

/**
 * Returns a field without the pieces, letter for letter as it stands on the page. A field that is empty after that is
 * not sent.
 */
export function withoutPieces<Value extends string | readonly string[] | undefined>(
  field: string,
  value: Value,
  out: readonly Piece[],
): Value | string | string[] {
  const gone = out.filter((piece) => piece.field === field);
  if (value === undefined || gone.length === 0) return value;
  if (typeof value !== "string")
    return value.map((item) => gone.reduce((text, piece) => text.replaceAll(piece.text, ""), item).trim());
  const ids = new Set(gone.map(({ id }) => id));
  return partsOf([{ by: "person", text: value }])
    .filter(({ personal }) => personal === undefined || !ids.has(`${field}.${personal.number}`))
    .map(({ text }) => text)
    .join("");
}
