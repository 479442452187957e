import { MASKS } from "../../safety/pii/masks.ts";
import { findPii, type PiiKind } from "../../safety/pii/pii.ts";
import type { PersonSpec } from "../ui-spec-schema.ts";

/** The kinds of personal data by which people can be reached. */
const WAYS: readonly PiiKind[] = ["email", "phone", "wechat", "qq"];
/** The kinds that a reader recognises without a label. */
const SPEAKS: readonly PiiKind[] = ["email", "phone"];
/** The most contacts that are shown for one person. */
const MAX_WAYS = 3;
const HIDDEN = "•••";

/**
 * Finds in an offer's own words how its author can be reached. `masked` shows a part of the first contact, and `whole`
 * lists up to three contacts. If a contact is masked already, `masked` is that mask and `whole` is empty. Returns
 * undefined if the offer names no contact. `kinds` holds the labels of the contacts.
 */
export function contactIn(offer: string, kinds: Readonly<Record<PiiKind, string>>): PersonSpec["contact"] {
  const ways = findPii(offer)
    .filter(({ kind }) => WAYS.includes(kind))
    .map(({ kind, start, end }) => ({ kind, text: offer.slice(start, end) }));
  const [first] = ways;
  if (first === undefined) {
    const mask = WAYS.map((kind) => MASKS[kind]).find((one) => offer.includes(one));
    return mask === undefined ? undefined : { masked: mask, whole: "" };
  }
  const named = ({ kind }: { kind: PiiKind }, text: string) =>
    SPEAKS.includes(kind) ? text : `${kinds[kind]} ${text}`;
  const all = [...new Set(ways.map((way) => named(way, way.text)))].slice(0, MAX_WAYS);
  return { masked: named(first, partOf(first.kind, first.text)), whole: all.join(" · ") };
}

/** Hides most of a contact, but leaves enough for its owner to recognise it. */
function partOf(kind: PiiKind, text: string): string {
  const [begin = ""] = text;
  if (kind === "email") return `${begin}${HIDDEN}@${HIDDEN}${/\.[^.]{1,12}$/.exec(text)?.[0] ?? ""}`;
  if (kind !== "phone") return `${begin}${HIDDEN}`;
  const [country = ""] = /^\+\d{1,3}(?=\D)/.exec(text) ?? [];
  return `${country} ${HIDDEN} ${text.slice(-2)}`.trim();
}
