/**
 * The one base of every failure that a person or a model reads about. Subclasses live beside what throws them and
 * name a stable code, `tool.<scope>.<category>.<reason>`; `agent/errors` alone turns them into a result.
 */
export abstract class TowowError extends Error {
  abstract readonly code: string;
  /** Values that the sentence for this code may mention; never secrets, never profile text. */
  readonly params: Readonly<Record<string, string | number>>;
  /** When trying again makes sense, in seconds. */
  readonly retryAfterSeconds?: number;
  /** Untrusted diagnostics, for example a backend's own words. Shown cut and cleaned. */
  readonly detail?: string;

  constructor(
    params: Readonly<Record<string, string | number>> = {},
    extra: { cause?: unknown; detail?: string | undefined; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(JSON.stringify(params), extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = new.target.name;
    this.params = params;
    if (extra.detail !== undefined) this.detail = extra.detail;
    if (extra.retryAfterSeconds !== undefined) this.retryAfterSeconds = extra.retryAfterSeconds;
  }
}
