import { initialize, modernRequest, toolCall } from "../../support/endpoint.ts";
import { as, inSession, PING, type Row, sessions } from "./row.ts";

/** In which revision and session. */
export const SESSION: readonly Row[] = [
  // the revision
  {
    name: "a revision that does not exist, without a session",
    request: () => ({ headers: { "MCP-Protocol-Version": "1999-01-01" }, body: PING }),
    status: 400,
    code: "protocol_version_unsupported",
  },
  {
    name: "a revision that does not exist, in a session",
    request: () => ({ headers: { ...inSession(sessions.a), "MCP-Protocol-Version": "banana" }, body: PING }),
    status: 400,
    code: "protocol_error",
  },
  {
    name: "a revision of the future, in the message",
    request: () => {
      const { headers, body } = modernRequest("tools/list");
      return {
        headers: { ...headers, "MCP-Protocol-Version": "2099-01-01" },
        body: String(body).replaceAll("2026-07-28", "2099-01-01"),
      };
    },
    status: 400,
    code: "protocol_version_unsupported",
    id: 1,
  },
  {
    name: "a header that contradicts the message",
    request: () => {
      const { headers, body = "" } = modernRequest("tools/list");
      return { headers: { ...headers, "Mcp-Method": "tools/call" }, body };
    },
    status: 400,
    code: "protocol_error",
    id: 1,
  },
  {
    name: "the 2026 era by its header alone",
    request: () => ({ headers: { "MCP-Protocol-Version": "2026-07-28" }, body: PING }),
    status: 400,
    code: "protocol_error",
  },
  // sessions
  {
    name: "GET without a session",
    request: () => ({ method: "GET", headers: { ...as("a"), Accept: "text/event-stream" } }),
    status: 400,
    code: "session_required",
  },
  {
    name: "DELETE without a session",
    request: () => ({ method: "DELETE", headers: as("a") }),
    status: 400,
    code: "session_required",
  },
  {
    name: "a session that never was",
    request: () => ({ headers: inSession("nowhere.1234"), body: PING }),
    status: 404,
    code: "session_not_found",
    id: 1,
  },
  {
    name: "a session that was ended",
    request: () => ({ headers: inSession(sessions.ended), body: PING }),
    status: 404,
    code: "session_not_found",
  },
  {
    name: "a session of another user",
    request: () => ({ headers: inSession(sessions.a, "b"), body: toolCall("towow_status") }),
    status: 404,
    code: "session_not_found",
  },
  {
    name: "the stream of another user's session",
    request: () => ({ method: "GET", headers: { ...inSession(sessions.a, "b"), Accept: "text/event-stream" } }),
    status: 404,
    code: "session_not_found",
  },
  {
    name: "the end of another user's session",
    request: () => ({ method: "DELETE", headers: inSession(sessions.a, "b") }),
    status: 404,
    code: "session_not_found",
  },
  {
    name: "a session of a user, without their token",
    request: () => ({ headers: { "Mcp-Session-Id": sessions.a }, body: PING }),
    status: 404,
    code: "session_not_found",
  },
  {
    name: "initialize with a session that never was",
    request: () => ({ headers: inSession("nowhere.1234"), body: initialize() }),
    status: 200,
  },
  {
    name: "initialize with a session that was ended",
    request: () => ({ headers: inSession(sessions.ended), body: initialize() }),
    status: 200,
  },
  {
    name: "initialize with another user's session",
    request: () => ({ headers: inSession(sessions.a, "b"), body: initialize() }),
    status: 200,
  },
  {
    name: "a second initialize in a session",
    request: () => ({ headers: inSession(sessions.a), body: initialize() }),
    status: 400,
    code: "already_initialized",
  },
  {
    name: "the stream, for somebody who takes no streams",
    request: () => ({ method: "GET", headers: { ...inSession(sessions.a), Accept: "application/json" } }),
    status: 406,
    code: "not_acceptable",
  },
  {
    name: "an event id that never was",
    request: () => ({
      method: "GET",
      headers: { ...inSession(sessions.a), Accept: "text/event-stream", "Last-Event-ID": "x_1" },
    }),
    status: 400,
    code: "protocol_error",
  },
  {
    name: "the session is still there after all this",
    request: () => ({ headers: inSession(sessions.a), body: PING }),
    status: 200,
  },
];
