import { listedParts, partsOf } from "../view/text.ts";
import type { AskedProfile } from "./asked.ts";

/** What a person can take out of a profile on the page that asks about it: one piece of personal data. */
export interface Piece {
  /** Of this question; it tells nothing of the piece. */
  id: string;
  field: string;
  text: string;
  /** Of personal data, as `pii.kinds` names them. */
  kind: string;
}

const piecesOf = (field: string, value: string): Piece[] =>
  listedParts({ parts: partsOf([{ by: "person", text: value }]) }).flatMap(({ number, text, kind }) =>
    kind === undefined ? [] : [{ id: `${field}.${number}`, field, text, kind }],
  );

/** Of a profile, in the order of its fields; its name stays, since there is no profile without one. */
export const piecesIn = ({ fields }: Pick<AskedProfile, "fields">): Piece[] =>
  fields.flatMap(([field, value]) => (field === "display_name" ? [] : piecesOf(field, value)));

/** A field without them, letter for letter as it stands on the page. What is empty then is sent by nobody. */
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
