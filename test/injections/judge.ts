import { stringWidth } from "../../src/text-width.ts";
import type { Seen } from "./places.ts";

/** What of a text a reader would recognise in a result, whatever was cleaned away or cut: its runs of letters. */
export const probesOf = (text: string): string[] =>
  text.replace(/[\p{Cf}\p{Cc}\p{DI}]/gu, "").match(/[\p{Script=Han}]{3,}|(?:(?!\p{Script=Han})[\p{L}\p{N}]){4,}/gu) ??
  [];

/** Where others' words may stand: between the lines of a fence in a text, below the marked pointers in a value. */
const WITHIN = /<<<foreign (\w+)\n([\s\S]*?)\n>>>foreign \1/g;

export interface Parts {
  /** All strings and keys that no fence and no pointer covers. */
  outside: string[];
  /** Those that one covers. */
  inside: string[];
}

/** Takes what was read apart. `truncated_paths` are addresses, which hold ids. */
export function partsOf(seen: Seen): Parts {
  const parts: Parts = { outside: [], inside: [] };
  const texts = "contents" in seen ? seen.contents.map(({ text = "" }) => text) : [seen.text];
  for (const text of texts) {
    parts.outside.push(text.replace(WITHIN, ""));
    for (const [, , within = ""] of text.matchAll(WITHIN)) parts.inside.push(within);
  }
  if ("contents" in seen) return parts;
  const { data, error, ...rest } = seen.result;
  const paths = seen.result.meta.tainted_paths ?? [];
  const walk = (value: unknown, path: string): void => {
    const isMarked = paths.some((known) => path === known || path.startsWith(`${known}/`));
    if (typeof value === "string") parts[isMarked ? "inside" : "outside"].push(value);
    if (value === null || typeof value !== "object") return;
    for (const [key, one] of Object.entries(value)) {
      parts[isMarked ? "inside" : "outside"].push(key);
      walk(one, `${path}/${key}`);
    }
  };
  walk(data, "");
  walk(error, "/error");
  walk({ ...rest, meta: { ...rest.meta, truncated_paths: undefined } }, "/result");
  return parts;
}

/** What a renderer would run, fetch or link, and what a terminal or a reader's eye does not see. */
const ALIVE: Readonly<Record<string, RegExp>> = {
  tag: /<(?!foreign \w)[\p{L}/!?|]/iu,
  address: /(?:https?|ftp|wss?):\/\/|\bwww\.\w|(?:java|vb)script:\S|\bdata:[a-z]+\/|mailto:\S/i,
  link: /\]\(\s*[<\w]*[:/\\]|^\s*\[[^\]\n]+\]:\s*[<\w./]/m,
  control: /(?![\n\t])\p{Cc}|\p{Zl}|\p{Zp}|(?![\u200D])\p{Cf}|\p{Bidi_Control}/u,
};

/** What of it lives. */
export const aliveIn = ({ inside, outside }: Parts, isOwn: (text: string) => boolean): string[] =>
  [...inside, ...outside.filter((text) => !isOwn(text))].flatMap((text) =>
    Object.entries(ALIVE).flatMap(([what, pattern]) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined ? [] : [`${what}: ${JSON.stringify(text.slice(0, 200))}`];
    }),
  );

const NAME_COLUMNS = 80;
/** An id stays exact up to here. */
const ID_COLUMNS = 128;
/** Values of more than a name's columns, between what joins several: what stands where names do must be none. */
export const tooLong = ({ inside }: Parts, holds: (text: string) => boolean): string[] =>
  inside
    .filter((text) => !/\n|^towow:\/\//.test(text))
    .flatMap((text) => text.split(/ \(scene_\w+\)(?:, |$)/))
    .filter((name) => holds(name) && stringWidth(name) > (/\s/.test(name) ? NAME_COLUMNS : ID_COLUMNS));
