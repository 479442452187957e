type ErrorParams = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * The base of every failure that a person or a model reads about. Subclasses are declared beside the code that throws
 * them, and have a stable code, `tool.<scope>.<category>.<reason>`. Only `result/tool-error` turns them into a result.
 */
export abstract class TowowError extends Error {
  abstract readonly code: string;
  /**
   * The values that the sentence for this code may mention, without secrets and profile text. A list is joined as the language
   * of the sentence does it.
   */
  readonly params: ErrorParams;
  /** The seconds after which another try makes sense. */
  readonly retryAfterSeconds?: number;
  /**
   * A text that is not trusted, such as a backend's own words, or names that others chose. It is shown cleaned and fenced, and
   * cut as `detailFrom` says.
   */
  readonly detail?: string;
  /**
   * Who worded the detail. The words of others and each name are cleaned and cut to a bound, while a text is shown whole, in
   * its lines.
   */
  readonly detailFrom: "others" | "names" | "text" | "program";
  /** The names of the params whose values a backend worded, or others through it. */
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

/** A failure that needs no class of its own, because its code says everything. */
export class Failure extends TowowError {
  readonly code: string;
  constructor(code: string, ...rest: ConstructorParameters<typeof TowowError>) {
    super(...rest);
    this.code = code;
  }
}

/** Handles the error of a `catch`. Ignores a failure that has a code, and throws every other error again. */
export function ignoreTowowError(error: unknown): undefined {
  if (!(error instanceof TowowError)) throw error;
}
