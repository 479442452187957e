import type { HttpErrorCode } from "../../../src/mcp/http/http-error.ts";
import { type RawRequest, rpc } from "../../support/endpoint.ts";

export const ORIGIN = "https://app.example";
export const PUBLIC = "https://towow.example";
export const PING = rpc("ping");

/** Known once the endpoints run. */
export const tokens = { a: "", b: "" };
export const sessions = { a: "", ended: "" };

export const homeKeys = { local: "", tight: "" };

export const bearer = (value: string) => ({ Authorization: `Bearer ${value}` });
export const as = (user: "a" | "b") => bearer(tokens[user]);
export const inSession = (id: string, user: "a" | "b" = "a") => ({ ...as(user), "Mcp-Session-Id": id });

export interface Row {
  name: string;
  at?: "local" | "open" | "tight";
  /** Read when the row runs: tokens and sessions do not exist before. */
  request: () => RawRequest;
  status: number;
  /** The refusal; absent where the request is served. */
  code?: HttpErrorCode;
  id?: string | number | null;
  headers?: Record<string, string | RegExp>;
}
