const UTC = { dateStyle: "short", timeStyle: "medium", timeZone: "UTC" } as const;

/** A moment (ms since the epoch) as ISO 8601 in UTC, to the second. */
export const isoTime = (atMs: number): string =>
  `${new Intl.DateTimeFormat("sv-SE", UTC).format(atMs).replace(" ", "T")}Z`;
