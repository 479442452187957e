import { gzipSync } from "node:zlib";
import { PING, type Row } from "./row.ts";

const BIG = Buffer.alloc(10 * 1024 * 1024, " ");

/** What is asked, and in which form. */
export const REQUEST: readonly Row[] = [
  // what is asked
  {
    name: "PUT",
    request: () => ({ method: "PUT", body: PING }),
    status: 405,
    code: "method_not_allowed",
    headers: { allow: /POST/ },
  },
  { name: "PATCH", request: () => ({ method: "PATCH", body: PING }), status: 405, code: "method_not_allowed" },
  { name: "another path", request: () => ({ path: "/mcp/", body: PING }), status: 404, code: "not_found" },
  { name: "a POST to the front page", request: () => ({ path: "/", body: PING }), status: 404, code: "not_found" },
  {
    name: "a path with a page's name, without pages",
    request: () => ({ method: "GET", path: "/approve/x/y" }),
    status: 404,
    code: "not_found",
  },
  {
    name: "an unknown parameter",
    request: () => ({ path: "/mcp?colour=red", body: PING }),
    status: 400,
    code: "query_invalid",
  },
  {
    name: "a mode that does not exist",
    request: () => ({ path: "/mcp?mode=expert", body: PING }),
    status: 400,
    code: "query_invalid",
  },
  {
    name: "a parameter twice",
    request: () => ({ path: "/mcp?mode=normal&mode=developer", body: PING }),
    status: 400,
    code: "query_invalid",
  },
  {
    name: "a tool that does not exist",
    request: () => ({ path: "/mcp?allow_tools=towow_fly", body: PING }),
    status: 400,
    code: "query_invalid",
  },
  {
    name: "a setting that is not the client's to choose",
    request: () => ({ path: "/mcp?backend_url=http://evil.example", body: PING }),
    status: 400,
    code: "query_invalid",
  },
  // the body
  {
    name: "no Content-Type",
    request: () => ({ headers: { "Content-Type": undefined }, body: PING }),
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "a form",
    request: () => ({ headers: { "Content-Type": "text/plain" }, body: PING }),
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "JSON with a charset",
    request: () => ({ headers: { "Content-Type": "application/json; charset=utf-8" }, body: PING }),
    status: 200,
  },
  {
    name: "a compressed body",
    request: () => ({ headers: { "Content-Encoding": "gzip" }, body: gzipSync(PING) }),
    status: 415,
    code: "body_compressed",
  },
  {
    name: "a body that only says so",
    request: () => ({ headers: { "Content-Encoding": "identity, br" }, body: PING }),
    status: 415,
    code: "body_compressed",
  },
  {
    name: "a body that says that it is not compressed",
    request: () => ({ headers: { "Content-Encoding": "Identity" }, body: PING }),
    status: 200,
  },
  {
    name: "Accept without event streams",
    request: () => ({ headers: { Accept: "application/json" }, body: PING }),
    status: 406,
    code: "not_acceptable",
  },
  {
    name: "Accept of pages",
    request: () => ({ headers: { Accept: "text/html" }, body: PING }),
    status: 406,
    code: "not_acceptable",
  },
  { name: "no Accept", request: () => ({ headers: { Accept: undefined }, body: PING }), status: 200 },
  { name: "Accept of anything", request: () => ({ headers: { Accept: "*/*" }, body: PING }), status: 200 },
  {
    name: "half a message",
    request: () => ({ body: '{"jsonrpc":"2.0","id":1' }),
    status: 400,
    code: "not_json",
    id: null,
  },
  { name: "an empty body", request: () => ({ body: "" }), status: 400, code: "not_json" },
  { name: "no body", request: () => ({}), status: 400, code: "not_json" },
  {
    name: "bytes that are no UTF-8",
    request: () => ({ body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }),
    status: 400,
    code: "body_unreadable",
  },
  { name: "a batch", request: () => ({ body: `[${PING},${PING}]` }), status: 400, code: "batch" },
  { name: "an empty batch", request: () => ({ body: "[]" }), status: 400, code: "batch" },
  { name: "a number", request: () => ({ body: "7" }), status: 400, code: "not_a_message" },
  { name: "null", request: () => ({ body: "null" }), status: 400, code: "not_a_message" },
  { name: "an object that is no message", request: () => ({ body: "{}" }), status: 400, code: "not_a_message" },
  {
    name: "JSON-RPC 1.0",
    request: () => ({ body: '{"id":1,"method":"ping"}' }),
    status: 400,
    code: "not_a_message",
  },
  {
    name: "100,000 brackets",
    request: () => ({
      body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
    }),
    status: 400,
    code: "too_deep",
  },
  { name: "10 MB with a length", request: () => ({ body: BIG }), status: 413, code: "body_too_large" },
  { name: "10 MB in chunks", request: () => ({ body: BIG, chunked: true }), status: 413, code: "body_too_large" },
  {
    name: "headers of 20 kB",
    request: () => ({ headers: { "X-Long": "x".repeat(20_000) }, body: PING }),
    status: 431,
    code: "headers_too_large",
  },
  {
    name: "a timeout that is no number",
    request: () => ({ headers: { "X-Request-Timeout-Ms": "soon" }, body: PING }),
    status: 400,
    code: "timeout_header_invalid",
  },
  {
    name: "a timeout below the range",
    request: () => ({ headers: { "X-Request-Timeout-Ms": "999" }, body: PING }),
    status: 400,
    code: "timeout_header_invalid",
  },
  {
    name: "a timeout above the range",
    request: () => ({ headers: { "X-Request-Timeout-Ms": "300001" }, body: PING }),
    status: 400,
    code: "timeout_header_invalid",
  },
  {
    name: "a timeout in the range",
    request: () => ({ headers: { "X-Request-Timeout-Ms": "300000" }, body: PING }),
    status: 200,
  },
];
