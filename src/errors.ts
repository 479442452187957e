type ErrorParams = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * The one base of every failure that a person or a model reads about. Subclasses live beside what throws them and
 * name a stable code, `tool.<scope>.<category>.<reason>`; `result/tool-error` alone turns them into a result.
 */
export abstract class TowowError extends Error {
  abstract readonly code: string;
  /** Values that the sentence for this code may mention, a list set as its language does; no secrets, no profile text. */
  readonly params: ErrorParams;
  /** When trying again makes sense, in seconds. */
  readonly retryAfterSeconds?: number;
  /** Untrusted: a backend's own words, or names that others chose. Shown cut, cleaned and fenced. */
  readonly detail?: string;
  /** Who worded the detail. Names are each cleaned and cut to their bound; a text is shown whole, in its lines. */
  readonly detailFrom: "others" | "names" | "text" | "program";
  /** Params that a backend, or others through it, worded. */
  readonly foreignParams: readonly string[] = [];

  constructor(
    params: ErrorParams = {},
    extra: {
      cause?: unknown;
      detail?: string | undefined;
      detailFrom?: TowowError["detailFrom"];
      retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    super(JSON.stringify(params), extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = new.target.name;
    this.params = params;
    if (extra.detail !== undefined) this.detail = extra.detail;
    this.detailFrom = extra.detailFrom ?? "others";
    if (extra.retryAfterSeconds !== undefined) this.retryAfterSeconds = extra.retryAfterSeconds;
  }
}

/** A failure that nobody looks for by its class: its code says all. */
export class Failure extends TowowError {
  readonly code: string;
  constructor(code: string, ...rest: ConstructorParameters<typeof TowowError>) {
    super(...rest);
    this.code = code;
  }
}

/** For `catch`: passes over a failure that has a code, and throws every other one again. */
export function ignoreTowowError(error: unknown): undefined {
  if (!(error instanceof TowowError)) throw error;
}
