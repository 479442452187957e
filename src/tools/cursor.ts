import { createHash } from "node:crypto";
import * as z from "zod";
import { MAX_ID_LENGTH } from "../backend/route.ts";
import { TowowError } from "../errors.ts";

/** Thrown for a cursor that was edited, damaged, or given by another list (agent layer §6). */
export class CursorInvalid extends TowowError {
  readonly code = "tool.input.invalid.cursor";
}

const MAX_CURSOR_LENGTH = 2_000;
/**
 * The version of a cursor's content. A cursor of another version is refused, and the client reads the list from the
 * beginning.
 */
const VERSION = "1";

export const cursorField = () =>
  z.string().max(MAX_CURSOR_LENGTH, "tool.input.invalid.cursor").describe("next_cursor of the page before").optional();

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url");

/**
 * Returns the cursor for the page after `key`. `list` names the tool and its filter. The hash binds the cursor to its
 * list and protects no secret, since a forged cursor shows nothing that the list does not show.
 */
export function cursorBehind(key: string, list: string): string {
  const payload = Buffer.from(JSON.stringify(key)).toString("base64url");
  return `${VERSION}.${payload}.${sha256(`${list}\n${VERSION}.${payload}`)}`;
}

/**
 * Returns the key after which the next page begins, or undefined for the first page.
 * @throws CursorInvalid
 */
export function keyOf(cursor: string | undefined, list: string): string | undefined {
  if (cursor === undefined) return undefined;
  const [version, payload = "", hash, ...more] = cursor.split(".");
  if (version !== VERSION || more.length > 0 || hash !== sha256(`${list}\n${VERSION}.${payload}`))
    throw new CursorInvalid();
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as string; // The hash shows that this program wrote it.
}

/** Returns the key by which a list is sorted, which is the id. An overlong id is replaced by its beginning and its hash. */
export const sortKey = (id: string): string =>
  id.length <= MAX_ID_LENGTH ? id : `${id.slice(0, MAX_ID_LENGTH)}~${sha256(id)}`;
