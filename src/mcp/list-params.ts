import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import * as z from "zod";

/**
 * The parameters that the protocol's own lists take: a cursor. Unknown ones are passed over, as the protocol wants. The
 * SDK's schema would drop them, and {@link onlyPage} has to see them.
 */
export const LIST_PARAMS = z.looseObject({ cursor: z.unknown().optional() });

/**
 * Parameters that other servers filter lists by. A list that ignored one would be taken for the filtered list, so they
 * are refused.
 */
const FILTERS = ["toolset", "profile", "limit", "allow_tools", "exclude_tools"] as const;

/** Refuses a cursor, because these lists have one page and give none out. Refuses known filters too. @throws ProtocolError */
export function onlyPage({ cursor, ...params }: z.output<typeof LIST_PARAMS>): void {
  if (cursor !== undefined && cursor !== null && cursor !== "")
    throw invalidParams("Unknown cursor: this list has one page");
  const filter = FILTERS.find((name) => Object.hasOwn(params, name));
  if (filter !== undefined)
    throw invalidParams(
      `${filter} does not filter this list. Filters are chosen at the start (--toolset, --profile, --allow-tools, --exclude-tools) or, over HTTP, in the address`,
    );
}

/** Makes the protocol's own refusal of what a client sent, with a sentence that says why. */
export const invalidParams = (sentence: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);

/** The parameters of a request about one resource. Without this schema, a bad URI would become an internal error. */
export const URI_PARAMS = z.looseObject({ uri: z.string() });
