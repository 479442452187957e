/** One request as it arrived. Never holds a bearer. */
export interface JournalEntry {
  /** Milliseconds since the epoch. */
  at: number;
  method: string;
  /** Without the query. */
  path: string;
  query?: string;
  /** When its answer began, on the same clock; undefined until then, and for good without an answer. */
  answeredAt?: number;
  /** 0 until answered, and for good when the connection was closed without an answer. */
  status: number;
  requestId?: string;
  idempotencyKey?: string;
  /** Whom the bearer was issued for, when it is valid. */
  userId?: string;
  /** The fault that met it. */
  fault?: string;
  /** The negotiation that a submit made, also when its answer was lost. */
  made?: string;
  /** Whether the first answer to the same idempotency key was given again. */
  replayed?: boolean;
  /** Parsed when it is JSON, else the text; undefined without a body. */
  body: unknown;
}

export function parsedBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
