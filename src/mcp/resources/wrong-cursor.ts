import { CursorInvalid } from "../../tools/cursor.ts";
import { invalidParams } from "../invalid-params.ts";

/** Throws a cursor that is none of this list as the protocol's refusal, everything else as it is. */
export function refuseCursor(error: unknown): never {
  if (!(error instanceof CursorInvalid)) throw error;
  throw invalidParams("cursor: it is damaged, or of a list with another filter");
}
