import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import * as z from "zod";

/**
 * What a list of the protocol's own may be asked with: a cursor. What it does not know it passes over, as the protocol
 * wants. A schema of our own, because the SDK's drops what it does not know.
 */
export const LIST_PARAMS = z.looseObject({ cursor: z.unknown().optional() });

/** What others filter lists by here: passed over in silence, one would give a list that is taken for the filtered one. */
const FILTERS = ["toolset", "profile", "limit", "allow_tools", "exclude_tools"] as const;

/** Such lists have one page: every cursor is foreign or edited by hand. @throws ProtocolError */
export function onlyPage({ cursor, ...params }: z.output<typeof LIST_PARAMS>): void {
  if (cursor !== undefined && cursor !== null && cursor !== "")
    throw invalidParams("Unknown cursor: this list has one page");
  const filter = FILTERS.find((name) => Object.hasOwn(params, name));
  if (filter !== undefined)
    throw invalidParams(
      `${filter} does not filter this list. Filters are chosen at the start (--toolset, --profile, --allow-tools, --exclude-tools) or, over HTTP, in the address`,
    );
}

/** The protocol's own refusal of what a client sent, with a sentence that says why. */
export const invalidParams = (sentence: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);

/** What asks about one resource names it: without a schema of ours, a bad one would be an internal error. */
export const URI_PARAMS = z.looseObject({ uri: z.string() });
