/**
 * The refusals of the endpoint, given before a request reaches an MCP server. Each is an HTTP status and a JSON-RPC
 * error with a stable `data.code`.
 */
export const HTTP_ERRORS = {
  host_refused: [403, -32000, "This Host is not served here. Use the address that the operator gave you."],
  origin_refused: [403, -32000, "This Origin is not allowed here. The operator can add it with --allowed-origins."],
  malformed_request: [400, -32600, "This is not an HTTP request that can be answered."],
  headers_too_large: [431, -32600, "The request's headers are too large."],
  too_slow: [408, -32000, "The request did not arrive in time. Send it again, whole."],
  unauthorized: [
    401,
    -32000,
    "Send your Towow token as Authorization: Bearer <token>. Where serve named the file of a key when it started, that key is one. This address without /mcp says in a browser how to get a token.",
  ],
  // This replaces `unauthorized` if clients can sign in. Some clients look for the word "Unauthorized" at the
  // beginning.
  sign_in_first: [
    401,
    -32000,
    "Unauthorized. Sign in first: WWW-Authenticate names where. A client that cannot may send a Towow token as Authorization: Bearer <token>, if the operator lets it. This address without /mcp says more in a browser.",
  ],
  // The status is 400, because a client that gets 401 tries to register itself and its person never reads the reason.
  token_unfilled: [
    400,
    -32000,
    "Authorization holds a placeholder that nobody filled in. Put your own Towow token there, or set the variable that it names before your client starts.",
  ],
  user_id_unfilled: [
    400,
    -32000,
    "X-Towow-User-Id holds a placeholder that nobody filled in. Put your own id there, or leave the header out.",
  ],
  user_id_invalid: [400, -32000, "X-Towow-User-Id must be 1 to 200 visible characters."],
  query_invalid: [
    400,
    -32000,
    "A parameter of this address is unknown, has a value that does not exist, or is the operator's.",
  ],
  method_not_allowed: [405, -32000, "Use POST for messages, GET for the event stream, DELETE to end a session."],
  not_acceptable: [406, -32000, "Accept must allow application/json and text/event-stream."],
  unsupported_media_type: [415, -32000, "Content-Type must be application/json."],
  body_compressed: [415, -32000, "The body must not be compressed: leave Content-Encoding out."],
  body_too_large: [413, -32000, "The body is too large."],
  body_unreadable: [400, -32700, "The body did not arrive whole, or is not UTF-8."],
  not_json: [400, -32700, "Parse error: the body is not JSON."],
  batch: [400, -32600, "Batches are not part of this protocol: send one message per request."],
  not_a_message: [400, -32600, "The body is not a JSON-RPC message."],
  too_deep: [400, -32600, "The message is nested too deeply."],
  protocol_version_unsupported: [
    400,
    -32000,
    "MCP-Protocol-Version names a revision that is not served here. Initialize, or discover, and use the answer's.",
  ],
  protocol_error: [400, -32600, "The message breaks the protocol; the error says how. The status can be another 4xx."],
  timeout_header_invalid: [400, -32000, "X-Request-Timeout-Ms must be a whole number from 1000 to 300000."],
  timed_out: [
    504,
    -32001,
    "The call ran out of the time that X-Request-Timeout-Ms gave it. Ask towow_status before repeating a write.",
  ],
  session_required: [400, -32000, "Send the Mcp-Session-Id that initialize gave you."],
  already_initialized: [
    400,
    -32600,
    "This session is already initialized. To open another, send initialize without Mcp-Session-Id.",
  ],
  stream_open: [409, -32000, "The event stream of this session is already open."],
  session_not_found: [404, -32001, "Session not found: it has ended or expired. Initialize again."],
  too_many_sessions: [503, -32000, "Too many sessions are open. Try again in a moment."],
  too_many_users: [503, -32000, "Too many users are busy here. Try again in a moment."],
  too_many_new_tokens: [
    503,
    -32000,
    "Too much is open here with tokens that the backend has not accepted yet. Try again in a moment.",
  ],
  rate_limited: [429, -32000, "Too many requests. Slow down."],
  too_many_at_once: [429, -32000, "Too many calls at once. Wait for some of them to end."],
  // People read this message through their programs, so it is in both languages.
  full: [
    503,
    -32000,
    "This endpoint is full at the moment, and nothing was done. Try again in a few seconds. 服务暂时已满，这次没有执行任何操作，请过几秒再试。",
  ],
  draining: [503, -32000, "This replica is shutting down. Try again: another one answers."],
  store_unreachable: [503, -32000, "The shared store does not answer. Try again in a few seconds."],
  not_found: [404, -32000, "There is nothing here. The endpoint is /mcp."],
  internal: [500, -32603, "Internal error."],
} as const satisfies Record<string, readonly [status: number, rpcCode: number, message: string]>;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

/** A refusal that any check of a request throws. The app turns it into a response in one place. */
export class HttpError extends Error {
  readonly code: HttpErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: HttpErrorCode, headers: Record<string, string> = {}) {
    super(code);
    this.name = "HttpError";
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return HTTP_ERRORS[this.code][0];
  }
}

/** Returns the id of the refused message, or null if it has none. */
function messageId(body: unknown): string | number | null {
  const { id, method } = (body ?? {}) as { id?: unknown; method?: unknown };
  return typeof method === "string" && (typeof id === "string" || typeof id === "number") ? id : null;
}

/** Returns the JSON-RPC error that answers `message`. */
export function errorBody(code: HttpErrorCode, message?: unknown): string {
  const [, rpcCode, words] = HTTP_ERRORS[code];
  const error = { code: rpcCode, message: words, data: { code: `http.${code}` } };
  return JSON.stringify({ jsonrpc: "2.0", error, id: messageId(message) });
}

export function errorResponse({ code, status, headers }: HttpError, message?: unknown): Response {
  return new Response(errorBody(code, message), {
    status,
    headers: { ...headers, "Content-Type": "application/json" },
  });
}

interface RpcError {
  error?: { code?: number; data?: unknown };
}

/**
 * Adds a `data.code` like our own to a refusal by the protocol library. Its status, its words and the rest of its
 * `data` stay. Every other response is returned unchanged.
 */
export async function withRefusalCode(response: Response): Promise<Response> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (response.status < 400 || !isJson) return response;
  const body = (await response.json()) as RpcError;
  const data = dataOf(body.error?.data);
  const named =
    "code" in data ? body : { ...body, error: { ...body.error, data: { ...data, ...codeOf(response, body) } } };
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return Response.json(named, { status: response.status, headers });
}

const dataOf = (data: unknown): object =>
  data === undefined ? {} : data !== null && typeof data === "object" ? data : { detail: data };

/** The JSON-RPC code of the 2026 era for an unsupported revision. */
const UNSUPPORTED_PROTOCOL_VERSION = -32022;

function codeOf({ status }: Response, { error }: RpcError): { code: `http.${HttpErrorCode}` } {
  if (status === 404 && error?.code === -32001) return { code: "http.session_not_found" };
  if (status === 406) return { code: "http.not_acceptable" };
  if (status === 409) return { code: "http.stream_open" };
  if (status >= 500) return { code: "http.internal" };
  if (error?.code === UNSUPPORTED_PROTOCOL_VERSION) return { code: "http.protocol_version_unsupported" };
  return { code: "http.protocol_error" };
}
