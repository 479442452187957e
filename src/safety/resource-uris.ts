import { isNegotiationId, MAX_ID_LENGTH } from "../backend/route.ts";

/**
 * An agent's id as one segment of a URI: it is compared and sent nowhere, so it may hold anything. Undefined for what
 * cannot be a segment: `.` and `..` climb even when they are percent-encoded, half a surrogate pair has no encoding,
 * and a longer text is no id.
 */
const segment = (id: string): string | undefined =>
  id === "" || id === "." || id === ".." || id.length > MAX_ID_LENGTH || !id.isWellFormed()
    ? undefined
    : encodeURIComponent(id);

/** Where one negotiation is read. Of an id that cannot be a segment, all of one's own. */
export const negotiationUri = (id: string): string =>
  isNegotiationId(id) ? `towow://negotiations/${encodeURIComponent(id)}` : "towow://negotiations";

/** Where the whole of a plan is read in pages (agent layer §4, §7). */
export const planUri = (negotiationId: string): string | undefined =>
  isNegotiationId(negotiationId) ? `towow://negotiations/${encodeURIComponent(negotiationId)}/plan` : undefined;

/** Where an earlier result of this session is read again. */
export const cacheUri = (cacheKey: string): string => `towow://cache/${encodeURIComponent(cacheKey)}`;

/** Where the whole of one agent's offer is read in pages. */
export function offerUri(negotiationId: string, agentId: string): string | undefined {
  const agent = segment(agentId);
  return isNegotiationId(negotiationId) && agent !== undefined
    ? `towow://negotiations/${encodeURIComponent(negotiationId)}/offers/${agent}`
    : undefined;
}

/** What a part of a URI says; undefined for one that is not properly encoded. */
export function decodedPart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
