import { isNegotiationId, MAX_ID_LENGTH } from "../backend/route.ts";

/**
 * Returns an agent's id as one segment of a URI. The id is only compared and never sent, so it may hold almost
 * anything. Undefined for a text that cannot be a segment: `.` and `..` climb even if they are percent-encoded, half
 * of a surrogate pair has no encoding, and a text over the maximum length is no id.
 */
const segment = (id: string): string | undefined =>
  id === "" || id === "." || id === ".." || id.length > MAX_ID_LENGTH || !id.isWellFormed()
    ? undefined
    : encodeURIComponent(id);

/**
 * Returns the address of one negotiation. For an id that cannot be a segment, returns the address of the person's
 * whole list.
 */
export const negotiationUri = (id: string): string =>
  isNegotiationId(id) ? `towow://negotiations/${encodeURIComponent(id)}` : "towow://negotiations";

/** Returns the address at which a whole plan is read in pages (agent layer §4, §7). */
export const planUri = (negotiationId: string): string | undefined =>
  isNegotiationId(negotiationId) ? `towow://negotiations/${encodeURIComponent(negotiationId)}/plan` : undefined;

/** Returns the address at which an earlier result of this session is read again. */
export const cacheUri = (cacheKey: string): string => `towow://cache/${encodeURIComponent(cacheKey)}`;

/** Returns the address at which one agent's whole offer is read in pages. */
export function offerUri(negotiationId: string, agentId: string): string | undefined {
  const agent = segment(agentId);
  return isNegotiationId(negotiationId) && agent !== undefined
    ? `towow://negotiations/${encodeURIComponent(negotiationId)}/offers/${agent}`
    : undefined;
}

/** Returns a part of a URI decoded, or undefined if the part is not properly encoded. */
export function decodedPart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
