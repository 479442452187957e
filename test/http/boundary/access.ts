import { as, ORIGIN, PING, type Row } from "./row.ts";

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
  { name: "localhost", request: () => ({ headers: { Host: "localhost:1" }, body: PING }), status: 200 },
  {
    name: "the public name",
    at: "open",
    request: () => ({ headers: { Host: "towow.example" }, body: PING }),
    status: 401,
    code: "unauthorized",
  },
  {
    name: "the metrics by another name",
    request: () => ({ method: "GET", path: "/metrics", headers: { Host: "evil.example" } }),
    status: 403,
    code: "host_refused",
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
    name: "a loopback Origin",
    request: () => ({ headers: { Origin: "http://localhost:3000" }, body: PING }),
    status: 200,
    headers: { "access-control-allow-origin": "http://localhost:3000" },
  },
  {
    name: "an allowed Origin",
    request: () => ({ headers: { Origin: ORIGIN }, body: PING }),
    status: 200,
    headers: { "access-control-allow-origin": ORIGIN, "access-control-expose-headers": /Mcp-Session-Id/ },
  },
  {
    name: "a refusal that an allowed page can read",
    request: () => ({ headers: { Origin: ORIGIN }, body: "{" }),
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
  { name: "no token, on loopback", request: () => ({ body: PING }), status: 200 },
  {
    name: "no token, through a proxy",
    request: () => ({ headers: { "X-Forwarded-For": "10.0.0.9" }, body: PING }),
    status: 401,
    code: "unauthorized",
    headers: { "www-authenticate": /^Bearer/ },
  },
  {
    name: "no token, through a proxy that says Forwarded",
    request: () => ({ headers: { Forwarded: "for=10.0.0.9" }, body: PING }),
    status: 401,
    code: "unauthorized",
  },
  {
    name: "no token, at a public endpoint",
    at: "open",
    request: () => ({ body: PING }),
    status: 401,
    code: "unauthorized",
    headers: { "www-authenticate": /^Bearer/ },
  },
  {
    name: "another scheme of authorization",
    request: () => ({ headers: { Authorization: "Basic dTpw" }, body: PING }),
    status: 401,
    code: "unauthorized",
  },
  {
    name: "an empty token",
    request: () => ({ headers: { Authorization: "Bearer " }, body: PING }),
    status: 401,
    code: "unauthorized",
  },
  {
    name: "a token with a blank in it",
    request: () => ({ headers: { Authorization: "Bearer a b" }, body: PING }),
    status: 401,
    code: "unauthorized",
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
    name: "a bad user id beside the local identity",
    request: () => ({ headers: { "X-Towow-User-Id": "a b" }, body: PING }),
    status: 400,
    code: "user_id_invalid",
  },
];
