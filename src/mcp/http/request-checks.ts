import { isIP } from "node:net";
import { excessIn } from "../../backend/body.ts";
import { isPlaceholder } from "../../home/placeholder.ts";
import { withoutEmpty } from "../without-empty.ts";
import { HttpError } from "./http-error.ts";

export interface RequestRules {
  /** The `host` or `host:port` values that requests may name. A name without a port stands for every port. */
  hosts: readonly string[];
  /** The origins whose pages may call. There are none unless the operator names them. */
  origins: readonly string[];
  largestBodyBytes: number;
}

/** The size up to which a body is read in one piece. Most messages are smaller. */
const SMALL_BODY_BYTES = 16 * 1024;
/**
 * The most bytes of a too large body that are read and thrown away, because a client that still sends does not notice a
 * refusal.
 */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;
const TIMEOUT_RANGE_MS = { min: 1_000, max: 300_000 };

const nameOf = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();

/**
 * Returns whether this endpoint is reached by that `host:port`. The SDK's own checks ignore the port of a host and the
 * scheme of an origin.
 */
export function isServed(host: string, { hosts }: RequestRules): boolean {
  const wanted = host.toLowerCase();
  return hosts.some((known) => known === wanted || known === nameOf(wanted));
}

/**
 * Refuses DNS rebinding, in which a page makes its own host name point to this endpoint. The browser still sends that
 * name.
 * @throws HttpError `host_refused`
 */
export function checkHost(host: string | undefined, rules: RequestRules): void {
  if (!isServed(host ?? "", rules)) throw new HttpError("host_refused");
}

/**
 * Checks the host of a request for metrics, which may also be any IP address. An address cannot be rebound, and
 * scrapers often know no name.
 * @throws HttpError `host_refused`
 */
export function checkNotRebound(host: string | undefined, rules: RequestRules): void {
  if (isIP(nameOf(host ?? "").replace(/^\[(.*)\]$/, "$1")) === 0) checkHost(host, rules);
}

/**
 * Checks the Origin, which names the page that calls from a browser. A program sends none.
 * @throws HttpError `origin_refused`
 */
export function checkOrigin(origin: string | undefined, { origins }: RequestRules): void {
  if (origin !== undefined && !origins.includes(origin)) throw new HttpError("origin_refused");
}

/**
 * Checks the headers about content. Content-Type is required, and the other headers may be left out.
 * @throws HttpError
 */
export function checkContent(headers: Headers): void {
  const type = headers.get("content-type");
  if (type?.split(";")[0]?.trim().toLowerCase() !== "application/json") throw new HttpError("unsupported_media_type");
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding !== "" && coding !== "identity") throw new HttpError("body_compressed", { "Accept-Encoding": "identity" });
  const accept = headers.get("accept");
  if (accept === null) return;
  const ranges = accept.split(",").map((range) => range.split(";")[0]?.trim().toLowerCase());
  const takes = (wanted: string) =>
    ranges.some((range) => range === wanted || range === "*/*" || range === `${wanted.split("/")[0]}/*`);
  if (!takes("application/json") || !takes("text/event-stream")) throw new HttpError("not_acceptable");
}

/**
 * Returns how many milliseconds this request may take, if its headers limit the time.
 * @throws HttpError `timeout_header_invalid`
 */
export function timeoutOf(headers: Headers): number | undefined {
  const value = headers.get("x-request-timeout-ms");
  if (value === null) return undefined;
  const ms = /^\d{1,7}$/.test(value.trim()) ? Number(value) : Number.NaN;
  if (!(ms >= TIMEOUT_RANGE_MS.min && ms <= TIMEOUT_RANGE_MS.max)) throw new HttpError("timeout_header_invalid");
  return ms;
}

/**
 * Reads the one message of a POST. Keeps no more bytes than are allowed, whatever Content-Length says. `hold` is called
 * before bytes are kept, and may throw.
 * @throws HttpError
 */
export async function readMessage(
  request: Request,
  { largestBodyBytes }: RequestRules,
  hold: (bytes: number) => void,
): Promise<object> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_DISCARDED_BYTES) throw new HttpError("body_too_large");
  const text = await readText(request, largestBodyBytes, hold);
  // Checked before parsing, because everything that walks the message later recurses at each level.
  const excess = excessIn(text);
  if (excess !== undefined) throw new HttpError(excess === "nested too deeply" ? "too_deep" : "body_too_large");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new HttpError("not_json");
  }
  if (Array.isArray(body)) throw new HttpError("batch");
  if (!isMessage(body)) throw new HttpError("not_a_message");
  return withoutEmpty(body);
}

const isMessage = (body: unknown): body is object =>
  body !== null && typeof body === "object" && (body as { jsonrpc?: unknown }).jsonrpc === "2.0";

async function readText(request: Request, limit: number, hold: (bytes: number) => void): Promise<string> {
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared <= Math.min(limit, SMALL_BODY_BYTES)) return readSmall(request, declared, hold);
  if (request.body === null) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let bytes = 0;
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_DISCARDED_BYTES) break;
      if (bytes <= limit) hold(chunk.byteLength);
      text = bytes > limit ? "" : text + decoder.decode(chunk, { stream: true });
    }
    if (bytes > limit) throw new HttpError("body_too_large");
    return text + decoder.decode();
  } catch (error) {
    throw error instanceof HttpError ? error : new HttpError("body_unreadable");
  }
}

/** One decoder serves all bodies, because it keeps nothing from one to the next. */
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a small body in one piece, without a stream. All of its declared length is reserved at once, which does no harm
 * because the body is small.
 */
async function readSmall(request: Request, declared: number, hold: (bytes: number) => void): Promise<string> {
  hold(declared);
  try {
    return strictUtf8.decode(await request.arrayBuffer());
  } catch {
    throw new HttpError("body_unreadable");
  }
}

/** Returns whether a text may be a token: it fits into a header's value, and is no placeholder. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]{1,4096}$/.test(text) && !isPlaceholder(text);

/** Reads the caller's token from the Authorization header. @throws HttpError if the header is there and holds no token */
export function bearerOf(headers: Headers): string | undefined {
  const value = headers.get("authorization");
  if (value === null) return undefined;
  if (isPlaceholder(value)) throw new HttpError("token_unfilled");
  const token = /^Bearer +(\S+)$/i.exec(value.trim())?.[1];
  if (token === undefined || !isToken(token))
    throw new HttpError("unauthorized", { "WWW-Authenticate": 'Bearer realm="towow"' });
  return token;
}

/**
 * Reads the id that the caller claims. Users are never distinguished by this id.
 * @throws HttpError
 */
export function claimedUserId(headers: Headers): string | undefined {
  const value = headers.get("x-towow-user-id")?.trim();
  if (value === undefined || value === "") return undefined;
  if (isPlaceholder(value)) throw new HttpError("user_id_unfilled");
  if (!/^[\x21-\x7e]{1,200}$/.test(value)) throw new HttpError("user_id_invalid");
  return value;
}
