import type { Reach } from "../negotiation/stage.ts";
import { listedParts, partsOf } from "../view/text.ts";

/** A scene has an id, and its owner's name for it where that can be shown. */
export interface AskedScene {
  id: string;
  name: string | undefined;
}

/** The page shows all of what would be sent or stopped. This holds it without words of any language. */
export type Asked = AskedProfile | AskedNewScene | AskedStop;

export interface AskedProfile {
  about: "profile";
  scene: AskedScene;
  /** Each field stands under its key; a list is one text already. */
  fields: Fields;
  /** The profile is sent under this id when it is not the person's own. `isNew`: nobody has it yet. */
  as?: { id: string; isNew: boolean } | undefined;
  /** The person is in this scene too, so its profile is replaced as well. */
  elsewhere?: AskedScene | undefined;
}

interface AskedNewScene {
  about: "scene";
  fields: Fields;
}

export interface AskedStop {
  about: "stop";
  negotiationId: string;
  /** This is the person's own demand, as it was submitted and as the network has it now. */
  demand?: { submitted: string; text: string } | undefined;
  reach: Reach;
  /** Nobody has decided on its text yet. */
  isUndecided: boolean;
  /** Counts the agents that have answered with an offer. */
  offers: { received: number; total: number };
  /** This is what an action carries, as a person reads it. */
  payload?: string | undefined;
}

type Fields = readonly (readonly [key: string, value: string])[];

/** A person can take this piece of personal data out of a profile, on the page that asks about it. */
export interface Piece {
  /** The id belongs to this question and reveals nothing of the piece. */
  id: string;
  field: string;
  text: string;
  /** This kind of personal data is named as in `pii.kinds`. */
  kind: string;
}

const piecesOf = (field: string, value: string): Piece[] =>
  listedParts({ parts: partsOf([{ by: "person", text: value }]) }).flatMap(({ number, text, kind }) =>
    kind === undefined ? [] : [{ id: `${field}.${number}`, field, text, kind }],
  );

/** Lists the pieces of a profile in the order of its fields. The name stays, since there is no profile without one. */
export const piecesIn = ({ fields }: Pick<AskedProfile, "fields">): Piece[] =>
  fields.flatMap(([field, value]) => (field === "display_name" ? [] : piecesOf(field, value)));

/**
 * Returns a field without the pieces, letter for letter as it stands on the page. A field that is then empty is not
 * sent.
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
