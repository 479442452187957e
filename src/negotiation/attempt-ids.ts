/** The id under which the attempts to submit one demand are written, by the hash of the demand: no negotiation's. */
export const attemptsId = (demandHash: string): string => `demand-${demandHash}`;
/** A backend may call a negotiation `demand-7`. */
export const isAttemptsId = (id: string): boolean => /^demand-[0-9a-f]{64}$/.test(id);
