import type { Reach } from "../negotiation/stage.ts";
import type { Segment } from "../view/authorship.ts";
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
 * Returns a field without the pieces of these ids, letter for letter as it stands on the page. There, `between` stands
 * between the items of a list. A field or an item that is empty after that is not sent.
 */
export function withoutPieces<Value extends string | readonly string[]>(
  { field, value, between }: { field: string; value: Value; between: string },
  takenOut: readonly string[],
): Value | string | string[] {
  const isOut = ({ personal }: Segment) => personal !== undefined && takenOut.includes(`${field}.${personal.number}`);
  const shown = typeof value === "string" ? value : value.join(between);
  const parts = partsOf([{ by: "person", text: shown }]);
  if (!parts.some(isOut)) return value;
  const kept = (from: number, to: number): string => {
    let at = 0;
    return parts
      .map((part) => {
        const [start, end] = [Math.max(0, from - at), Math.max(0, to - at)];
        at += part.text.length;
        return isOut(part) ? "" : part.text.slice(start, end);
      })
      .join("");
  };
  if (typeof value === "string") return kept(0, shown.length);
  // A piece may reach beyond its item, so each item keeps what is left at its own place in the text.
  let from = 0;
  return value.map((item) => {
    const start = from;
    from += item.length + between.length;
    return kept(start, start + item.length).trim();
  });
}
