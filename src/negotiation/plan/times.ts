/** Says how long the plan waits, in milliseconds, and what a deadline leaves of that. */

export interface Policy {
  onUnconfirmed: "cancel" | "leave";
  /** The backend waits this long before it confirms by itself. */
  confirmDeadlineMs: number;
  /** Only a person's own hand confirms: on the page or in a terminal. */
  isStrict?: boolean;
  /** The profile is `read_only`: nothing is confirmed from here. */
  readsOnly?: boolean;
  /** The profile is `dry_run`: nothing is decided from here, and others' decisions are not carried out. */
  isDry?: boolean;
  /** The program is a command that ends in a moment, so it would only abandon again what it adopts. */
  isOneShot?: boolean;
  /**
   * The program stays, sees what other programs of the home begin, and would withdraw that, so that they may leave it
   * to this one.
   */
  keepsOthers?: boolean;
}

/** All of these are milliseconds except `busyRetries`. */
export const TIMES = {
  /**
   * The program acts this long before a deadline, but at most a quarter of it, because a slow network costs the same
   * seconds.
   */
  largestMarginMs: 15_000,
  /** Timers stand still while a machine sleeps, and within this time after it the clock is read again. */
  clockCheckMs: 5_000,
  /** "Engine is not waiting" passes by itself. */
  busyRetryMs: 250,
  busyRetries: 20,
  /** After a confirm whose answer was lost, its effect is looked for this often, and for this long. */
  effectReadEveryMs: 500,
  effectReadForMs: 3_000,
  confirmRetryMs: 5_000,
  cancelRetryMs: 1_000,
  /** After the deadline nothing is urgent any more. */
  lateRetryMs: 10_000,
  /**
   * A program that ends keeps an edit for another try and the reads after it, because no other program has its text.
   */
  lastTriesMs: 10_000,
  /**
   * A server that ends sends its withdrawals for this long, since whatever started it waits a minute before it kills.
   */
  lastWithdrawalsMs: 45_000,
  notFoundRetryMs: 2_000,
  /** A deployment, or a gateway that has lost its way, is over by then. */
  notFoundBelievedMs: 60_000,
  /** An in-flight request of a killed program has arrived by then. */
  settlingMs: 5_000,
  ownerCheckMs: 10_000,
  /** Facts that were read longer ago than this are read again before a decision is sent. */
  factsFreshMs: 1_000,
  /** A store that takes longer than this counts as away where something must not wait for it. */
  storeAnswerMs: 1_000,
  /** How often the store is asked whether it has a yes after all that was reported as not written. */
  lateWriteCheckMs: 1_000,
  /** A negotiation that is older than this cannot be waiting any more. */
  givenUpAfterMs: 24 * 3_600_000,
  /** A decision behind the deadline waits this long for a read that shows whether the backend has gone on. */
  firstLookMs: 3_000,
  /** A no waits only this long for such a read while the store does not answer. */
  lastLookMs: 250,
  readTimeoutMs: 15_000,
  confirmTimeoutMs: 30_000,
  cancelTimeoutMs: 30_000,
  urgentCancelTimeoutMs: 4_000,
} as const;

/** An undecided demand is withdrawn this long before the deadline. */
export const marginMs = ({ confirmDeadlineMs }: Policy): number =>
  Math.min(TIMES.largestMarginMs, Math.round(confirmDeadlineMs / 4));

/** Bounds a wait by a third of the margin, because several tries must fit into it. */
export const withinMargin = (policy: Policy, ms: number): number => Math.min(ms, Math.floor(marginMs(policy) / 3));

/** The longest that a request may take now, in milliseconds. Near the deadline none outlasts a third of the margin. */
export function timeoutMs(
  step: "read" | "confirm" | "cancel",
  seen: { leftMs: number | undefined },
  policy: Policy,
): number {
  const most = { read: TIMES.readTimeoutMs, confirm: TIMES.confirmTimeoutMs, cancel: TIMES.cancelTimeoutMs }[step];
  if (seen.leftMs === undefined || seen.leftMs <= -marginMs(policy)) return most;
  const urgent = withinMargin(policy, TIMES.urgentCancelTimeoutMs);
  return Math.max(urgent, Math.min(most, seen.leftMs - marginMs(policy)));
}
