/** A request as it goes out. */
export interface Request {
  url: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  /** JSON. */
  body: string | null;
  signal: AbortSignal;
}

/** An answer whose head has come. */
export interface Reply {
  status: number;
  headers: Pick<Headers, "get">;
  /** Decompressed. Leaving it before its end ends the download. */
  body: AsyncIterable<Uint8Array> | null;
  /** The body as text, read in one go; where its head says that it is small. */
  text?: () => Promise<string>;
  /** Ends the download of a body that nobody reads. */
  cancel(): void;
}

/** One request on the wire. Follows no redirect, repeats nothing, does not throw for a status. */
export type Send = (request: Request) => Promise<Reply>;
