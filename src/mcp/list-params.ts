import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import * as z from "zod";

/**
 * What a list of the protocol's own may be asked with: a cursor. Others ask for filters here (`toolset`, `limit`); one
 * that is passed over in silence would give a list that is taken for the filtered one. A schema of our own, because the
 * SDK's drops what it does not know.
 */
export const LIST_PARAMS = z.looseObject({ cursor: z.unknown().optional() });

/** Such lists have one page: every cursor is foreign or edited by hand. @throws ProtocolError */
export function onlyPage({ cursor, _meta, ...unknown }: z.output<typeof LIST_PARAMS>): void {
  if (cursor !== undefined && cursor !== null && cursor !== "")
    throw invalidParams("Unknown cursor: this list has one page");
  const [name] = Object.keys(unknown);
  if (name !== undefined)
    throw invalidParams(
      `Unknown parameter: ${name.slice(0, 40)}. Filters are chosen at the start (--toolset, --profile, --allow-tools, --exclude-tools) or, over HTTP, in the address`,
    );
}

/** The protocol's own refusal of what a client sent, with a sentence that says why. */
export const invalidParams = (sentence: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);

/** What asks about one resource names it: without a schema of ours, a bad one would be an internal error. */
export const URI_PARAMS = z.looseObject({ uri: z.string() });
