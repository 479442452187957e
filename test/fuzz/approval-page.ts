import fc from "fast-check";
import { effectiveDecision } from "../../src/negotiation/stage.ts";
import { confirms } from "../support/backend.ts";
import { pagesOf } from "../support/pages.ts";
import { createWorld } from "../support/world.ts";
import { exchange, expectHarmless } from "./http-bytes.ts";
import { anyText, mutatedBytes } from "./material.ts";
import { target } from "./target.ts";

/** Placeholders for what only the running page knows. */
const PAGE = "<page>";
const HOST = "<host>";
const COOKIE = "<cookie>";
const head = (method: string, path: string, ...more: string[]) =>
  [`${method} ${path} HTTP/1.1`, `Host: ${HOST}`, ...more, "", ""].join("\r\n");
const post = (body: string, ...more: string[]) =>
  head(
    "POST",
    `${PAGE}/act`,
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${body.length}`,
    ...more,
  ) + body;

const path = fc.oneof(
  fc.constantFrom(
    PAGE,
    `${PAGE}/act`,
    `${PAGE}/events`,
    `${PAGE}/plan.md`,
    "/",
    "/approve/",
    "/approve/x",
    `${PAGE}/..`,
    `${PAGE}?a=1`,
    "//",
    "*",
    "http://evil.test/",
  ),
  anyText.map((it) => `/approve/${encodeURIComponent(it.toWellFormed()).slice(0, 3_000)}`),
);
const line = anyText.map((it) => it.replaceAll(/[\r\n]/g, " "));
const headers = fc.array(
  fc.oneof(
    fc.constantFrom("Origin: http://evil.test", "Origin: null", "Sec-Fetch-Site: cross-site", "Host: evil.test"),
    fc.constantFrom(
      "Content-Length: 99999999",
      "Transfer-Encoding: chunked",
      "Expect: 100-continue",
      "Upgrade: websocket",
    ),
    fc.constantFrom(
      "Content-Encoding: gzip",
      "Content-Type: multipart/form-data; boundary=x",
      "Content-Type: text/json",
    ),
    fc.constant(`Cookie: ${COOKIE}`),
    line.map((it) => `Cookie: towow_visit=${it}`),
    fc.tuple(line, line).map(([id, secret]) => `Cookie: towow_browser_${id}=${secret}`),
    fc.tuple(line, line).map(([name, value]) => `${name}: ${value}`),
  ),
  { maxLength: 4 },
);
const method = fc.constantFrom(
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "TRACE",
  "CONNECT",
  "PATCH",
  "G ET",
  "",
);
/** What decides nothing; a broadcast needs the hash of the text that is shown. */
const buttons = fc.constantFrom("edit", "reset", "refresh", "setLanguage?lang=zh", "takeOut?itemId=1", "broadcast");
const form = fc
  .dictionary(fc.oneof(fc.constantFrom("do", "f.text", "f.intent", "token"), anyText), fc.oneof(anyText, buttons), {
    maxKeys: 4,
  })
  .map((it) => new URLSearchParams(it).toString());
const request = fc.oneof(
  fc.tuple(method, path, headers).map(([m, p, h]) => head(m, p, ...h)),
  fc.tuple(form, headers).map(([body, h]) => post(body, ...h)),
  fc.tuple(form, headers).map(([body, h]) => post(body, `Cookie: ${COOKIE}`, ...h)),
  fc.integer({ min: 1, max: 3 }).map((megabytes) => post(`text=${"x".repeat(megabytes << 20)}`)),
  fc.array(line, { minLength: 40, maxLength: 300 }).map((h) => head("GET", PAGE, ...h.map((it, i) => `X-${i}: ${it}`))),
);
const raw = request.map((it) => Buffer.from(it));

/** Any bytes at the approval page's port, also from the person's own browser: it stays, decides nothing, shows no stack. */
export const approvalPage = target({
  name: "approval page",
  batch: 100,
  input: fc.oneof({ weight: 3, arbitrary: raw }, { weight: 2, arbitrary: mutatedBytes(raw) }),
  async open() {
    let end = async () => {};
    const world = await createWorld({}, (close) => {
      end = close;
    });
    const process = await world.process({ config: { on_unconfirmed: "leave" } });
    const demand = await process.call("towow_demand", { intent: "A designer" });
    const { negotiation_id: negotiationId } = demand.result.data;
    const pages = pagesOf(world, process);
    const url = new URL((await pages.open({ negotiationId, lang: "en" })).forClient);
    // The person's own browser has it open: what comes with its cookie is let in, and reaches the room.
    const opened = await fetch(url);
    if (!opened.ok) throw new Error(`does not open: ${opened.status}`);
    const cookie = opened.headers
      .getSetCookie()
      .map((it) => it.split(";")[0])
      .join("; ");
    return {
      async check(bytes) {
        const sent = bytes
          .toString("latin1")
          .replaceAll(PAGE, url.pathname)
          .replaceAll(HOST, url.host)
          .replaceAll(COOKIE, cookie);
        expectHarmless(await exchange(Number(url.port), Buffer.from(sent, "latin1"), false));
        const ask = `GET /nowhere HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`;
        const still = await exchange(Number(url.port), Buffer.from(ask), true);
        if (!still.startsWith("HTTP/1.1 404 ")) throw new Error(`serves no more: ${still.slice(0, 200)}`);
        if (confirms(world.mock).length > 0) throw new Error("confirmed");
        if (effectiveDecision(await process.negotiations.facts(negotiationId)) !== undefined)
          throw new Error("decided");
      },
      async close() {
        await pages.close();
        await end();
      },
    };
  },
});
