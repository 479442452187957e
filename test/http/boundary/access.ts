import { as, bearer, homeKeys, ORIGIN, PING, PUBLIC, type Row } from "./row.ts";

/** Under which name, from which page, as whom. */
export const ACCESS: readonly Row[] = [
  // Host: DNS rebinding
  {
    name: "no Host of ours",
    request: () => ({ headers: { Host: "evil.example" }, body: PING }),
    status: 403,
    code: "host_refused",
    id: null,
  },
  {
    name: "a Host that begins with ours",
    request: () => ({ headers: { Host: "localhost.evil.example" }, body: PING }),
    status: 403,
    code: "host_refused",
  },
  {
    name: "a Host that is none",
    request: () => ({ headers: { Host: "a b/c" }, body: PING }),
    status: 400,
    code: "malformed_request",
  },
  { name: "localhost", request: () => ({ headers: { ...as("a"), Host: "localhost:1" }, body: PING }), status: 200 },
  {
    name: "the public name",
    at: "open",
    request: () => ({ headers: { Host: "towow.example" }, body: PING }),
    status: 401,
    code: "sign_in_first",
  },
  {
    name: "the metrics by another name",
    at: "tight",
    request: () => ({ method: "GET", path: "/metrics", headers: { Host: "evil.example" } }),
    status: 403,
    code: "host_refused",
  },
  {
    name: "the metrics, where nobody has asked for them",
    request: () => ({ method: "GET", path: "/metrics" }),
    status: 404,
    code: "not_found",
  },
  // Origin
  {
    name: "another Origin",
    request: () => ({ headers: { Origin: "https://evil.example" }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "the Origin null",
    request: () => ({ headers: { Origin: "null" }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "an Origin that only begins like a loopback one",
    request: () => ({ headers: { Origin: "http://127.0.0.1.evil.example" }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "an allowed Origin with another scheme",
    request: () => ({ headers: { Origin: "http://app.example" }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "a loopback Origin at a public endpoint",
    at: "open",
    request: () => ({ headers: { Origin: "http://localhost:3000" }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "a loopback Origin that nobody has named",
    request: () => ({ headers: { ...as("a"), Origin: "http://localhost:3000" }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "the public address as an Origin that nobody has named",
    at: "open",
    request: () => ({ headers: { ...as("a"), Origin: PUBLIC }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "an allowed Origin",
    request: () => ({ headers: { ...as("a"), Origin: ORIGIN }, body: PING }),
    status: 200,
    headers: { "access-control-allow-origin": ORIGIN, "access-control-expose-headers": /Mcp-Session-Id/ },
  },
  {
    name: "a refusal that an allowed page can read",
    request: () => ({ headers: { ...as("a"), Origin: ORIGIN }, body: "{" }),
    status: 400,
    code: "not_json",
    headers: { "access-control-allow-origin": ORIGIN },
  },
  {
    name: "the preflight of an allowed Origin",
    request: () => ({
      method: "OPTIONS",
      headers: {
        Origin: ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,mcp-session-id",
      },
    }),
    status: 204,
    headers: {
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-methods": /POST/,
      "access-control-allow-headers": /authorization/,
    },
  },
  {
    name: "the preflight of another Origin",
    request: () => ({
      method: "OPTIONS",
      headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
    }),
    status: 403,
    code: "origin_refused",
  },
  // who calls
  {
    name: "no token, on loopback",
    request: () => ({ body: PING }),
    status: 401,
    code: "sign_in_first",
    headers: { "www-authenticate": /^Bearer/ },
  },
  { name: "the home's key", request: () => ({ headers: bearer(homeKeys.local), body: PING }), status: 200 },
  {
    name: "another home's key, which no backend may get",
    request: () => ({ headers: bearer(homeKeys.tight), body: PING }),
    status: 401,
    code: "sign_in_first",
  },
  {
    name: "a home's key at an endpoint that is not for one machine",
    at: "open",
    request: () => ({ headers: bearer(homeKeys.local), body: PING }),
    status: 401,
    code: "sign_in_first",
  },
  {
    name: "no token, at a public endpoint",
    at: "open",
    request: () => ({ body: PING }),
    status: 401,
    code: "sign_in_first",
    headers: { "www-authenticate": /^Bearer/ },
  },
  {
    name: "another scheme of authorization",
    request: () => ({ headers: { Authorization: "Basic dTpw" }, body: PING }),
    status: 401,
    code: "sign_in_first",
  },
  {
    name: "an empty token",
    request: () => ({ headers: { Authorization: "Bearer " }, body: PING }),
    status: 401,
    code: "sign_in_first",
  },
  {
    name: "a token with a blank in it",
    request: () => ({ headers: { Authorization: "Bearer a b" }, body: PING }),
    status: 401,
    code: "sign_in_first",
  },
  {
    name: "a user id with a blank in it",
    request: () => ({ headers: { ...as("a"), "X-Towow-User-Id": "a b" }, body: PING }),
    status: 400,
    code: "user_id_invalid",
  },
  {
    name: "a user id of 201 characters",
    request: () => ({ headers: { ...as("a"), "X-Towow-User-Id": "x".repeat(201) }, body: PING }),
    status: 400,
    code: "user_id_invalid",
  },
  {
    name: "a bad user id beside the home's key",
    request: () => ({ headers: { ...bearer(homeKeys.local), "X-Towow-User-Id": "a b" }, body: PING }),
    status: 400,
    code: "user_id_invalid",
  },
];
