/** A request as it goes out. */
export interface Request {
  url: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  /** JSON. */
  body: string | null;
  /** The most that is read of the answer, in bytes, as it comes and decompressed. */
  maxBytes: number;
  /** Until the end of the answer: connecting and the body too. */
  timeoutMs: number;
  /** The caller's. */
  signal: AbortSignal | undefined;
}

/** Why a request ends at its bound. */
export class TimedOut extends Error {
  /** False only where certainly nothing went out: it was still connecting. */
  readonly wasSent: boolean;

  constructor({ wasSent }: { wasSent: boolean }) {
    super();
    this.wasSent = wasSent;
  }
}

/** An answer whose head has come. */
export interface Reply {
  status: number;
  headers: Pick<Headers, "get">;
  /** The whole body, decompressed. Throws BodyTooLarge, and whatever breaks it off. */
  text(): Promise<string>;
  /** What of the body has come, decompressed, once `text` has failed. */
  received(): Promise<string>;
  /** Ends the download of a body that nobody reads. */
  cancel(): void;
}

/** One request on the wire. Follows no redirect, repeats nothing, does not throw for a status. */
export type Send = (request: Request) => Promise<Reply>;
