const LARGEST_MARGIN_MS = 15_000;

/**
 * How long before the deadline the guard acts: 15 s, at most a quarter of the time to decide. A slow network and a
 * machine under load cost the same seconds whatever the deadline, so a short one gets a larger share.
 */
export const guardMarginMs = (confirmDeadlineMs: number): number =>
  Math.min(LARGEST_MARGIN_MS, Math.round(confirmDeadlineMs / 4));

/** At most a third of the margin, because several tries must fit into it: one hung request must not use it up. */
export const shareOfMargin = (confirmDeadlineMs: number, ms: number): number =>
  Math.min(ms, guardMarginMs(confirmDeadlineMs) / 3);
