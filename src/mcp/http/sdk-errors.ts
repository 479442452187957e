import type { HttpErrorCode } from "./http-error.ts";

interface RpcError {
  error?: { code?: number; data?: unknown };
}

/**
 * A refusal by the protocol library, with a `data.code` like our own; its status, its words and what else its `data`
 * says stay. Every other response passes as it is.
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

/** JSON-RPC codes of the 2026 era. */
const UNSUPPORTED_PROTOCOL_VERSION = -32022;

function codeOf({ status }: Response, { error }: RpcError): { code: `http.${HttpErrorCode}` } {
  if (status === 404 && error?.code === -32001) return { code: "http.session_not_found" };
  if (status === 406) return { code: "http.not_acceptable" };
  if (status === 409) return { code: "http.stream_open" };
  if (status >= 500) return { code: "http.internal" };
  if (error?.code === UNSUPPORTED_PROTOCOL_VERSION) return { code: "http.protocol_version_unsupported" };
  return { code: "http.protocol_error" };
}
