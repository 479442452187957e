import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import * as z from "zod";

/**
 * The parameters of the protocol's own lists, of which only the cursor is known. Unknown parameters are passed on,
 * because {@link onlyPage} has to see them, and the SDK's schema would drop them.
 */
export const LIST_PARAMS = z.looseObject({ cursor: z.unknown().optional() });

/**
 * Parameters by which other servers filter lists. A client would take a list that ignored such a parameter for the
 * filtered list, so these parameters are refused.
 */
const FILTERS = ["toolset", "profile", "limit", "allow_tools", "exclude_tools"] as const;

/**
 * Refuses a cursor, because these lists have one page and give out no cursors, and refuses known filters. @throws
 * ProtocolError
 */
export function onlyPage({ cursor, ...params }: z.output<typeof LIST_PARAMS>): void {
  if (cursor !== undefined && cursor !== null && cursor !== "")
    throw invalidParams("Unknown cursor: this list has one page");
  const filter = FILTERS.find((name) => Object.hasOwn(params, name));
  if (filter !== undefined)
    throw invalidParams(
      `${filter} does not filter this list. Filters are chosen at the start (--toolset, --profile, --allow-tools, --exclude-tools) or, over HTTP, in the address`,
    );
}

/** Makes the protocol's error for invalid params, with a sentence that says why. */
export const invalidParams = (sentence: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);

/** The parameters of a request about one resource. Without this schema, a bad URI would become an internal error. */
export const URI_PARAMS = z.looseObject({ uri: z.string() });
