import { listedParts, partsOf } from "../view/text.ts";
import type { AskedProfile } from "./asked.ts";

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
