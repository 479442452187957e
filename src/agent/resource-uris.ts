const LONGEST_ID = 128;

/**
 * An id as one segment of a URI. Undefined for what cannot be one: `.` and `..` climb even when they are
 * percent-encoded, half a surrogate pair has no encoding, and a longer text is no id.
 */
const segment = (id: string): string | undefined =>
  id === "" || id === "." || id === ".." || id.length > LONGEST_ID || !id.isWellFormed()
    ? undefined
    : encodeURIComponent(id);

/** Where the whole of a plan is read in pages (agent layer §4, §7). */
export function planUri(negotiationId: string): string | undefined {
  const id = segment(negotiationId);
  return id === undefined ? undefined : `towow://negotiations/${id}/plan`;
}

/** Where the whole of one agent's offer is read in pages. */
export function offerUri(negotiationId: string, agentId: string): string | undefined {
  const [negotiation, agent] = [segment(negotiationId), segment(agentId)];
  return negotiation === undefined || agent === undefined
    ? undefined
    : `towow://negotiations/${negotiation}/offers/${agent}`;
}
