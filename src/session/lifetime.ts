/** What a session is forgotten after, in milliseconds, when nothing else ends it first. */
export const SESSION_MS = 24 * 3_600_000;
