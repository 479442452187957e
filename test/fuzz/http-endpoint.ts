import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { createMockBackend } from "../../mock-backend/main.ts";
import { exchange, expectHarmless } from "./http-bytes.ts";
import { anyText, document, mutatedBytes, mutatedJson } from "./material.ts";
import { GOOD_MESSAGES } from "./stdio.ts";
import { target } from "./target.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
/** Stands for what only the running endpoint knows. */
const HOST = "<host>";
const KEY = "<key>";
const line = anyText.map((it) => it.replaceAll(/[\r\n]/g, " "));
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constant("/mcp") },
  fc.constantFrom("/healthz", "/readyz", "/metrics", "/approve/x", "/mcp/..", "/mcp?x=1", "//mcp", "*", "/"),
  line.map((it) => `/${encodeURIComponent(it.toWellFormed()).slice(0, 2_000)}`),
);
const header = fc.oneof(
  { weight: 4, arbitrary: fc.constant("Accept: application/json, text/event-stream") },
  fc.constantFrom("MCP-Protocol-Version: 2026-07-28", "MCP-Protocol-Version: 2025-06-18", "MCP-Protocol-Version: x"),
  fc.constantFrom("Authorization: Bearer x", "Authorization: Basic e30=", "Authorization: Bearer", "Origin: null"),
  fc.constantFrom("Mcp-Method: tools/call", "Mcp-Name: towow_demand", "Last-Event-ID: 1", "X-Request-Timeout-Ms: 1000"),
  fc.constantFrom("Transfer-Encoding: chunked", "Content-Length: 7", "Expect: 100-continue", "Upgrade: websocket"),
  line.map((it) => `Mcp-Session-Id: ${it}`),
  fc.tuple(line, line).map(([name, value]) => `${name}: ${value}`),
);
/** Mostly as the person of this machine, because without a bearer nobody gets far. */
const bearer = fc.oneof({ weight: 5, arbitrary: fc.constant([`Authorization: Bearer ${KEY}`]) }, fc.constant([]));
const body = document(mutatedJson(fc.constantFrom(...GOOD_MESSAGES)));
const request = fc
  .record({
    method: fc.constantFrom("POST", "POST", "POST", "POST", "GET", "DELETE", "OPTIONS", "PUT", "HEAD"),
    path,
    type: fc.oneof({ weight: 5, arbitrary: fc.constant("application/json") }, line),
    bearer,
    headers: fc.array(header, { maxLength: 4 }),
    body,
  })
  .map((it) => {
    const first = [`${it.method} ${it.path} HTTP/1.1`, `Host: ${HOST}`, `Content-Type: ${it.type}`];
    const head = [...first, ...it.bearer, ...it.headers];
    return Buffer.concat([
      Buffer.from(`${head.join("\r\n")}\r\nContent-Length: ${it.body.length}\r\n\r\n`, "latin1"),
      it.body,
    ]);
  });

/** Any bytes at the endpoint for many users: it stays, and answers with words of its own. */
export const httpEndpoint = target({
  name: "HTTP endpoint",
  batch: 100,
  input: fc.oneof({ weight: 3, arbitrary: request }, { weight: 1, arbitrary: mutatedBytes(request) }),
  async open() {
    const home = await mkdtemp(join(tmpdir(), "towow-fuzz-"));
    const mock = createMockBackend({ stepMs: 5, seed: 7 });
    const { url } = await mock.listen();
    const child = spawn(process.execPath, [CLI, "serve", "--port", "0", "--rate", "1000000"], {
      env: { PATH: process.env.PATH ?? "", TOWOW_HOME: home, TOWOW_BACKEND_URL: url, TOWOW_WAIT_BUDGET_S: "0" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const [said] = await Promise.race([
      new Promise<[string]>((resolve) => createInterface({ input: child.stdout }).once("line", (it) => resolve([it]))),
      exited.then((): [string] => ["the endpoint ended"]),
    ]);
    const { host, port } = new URL(/http:\S+/.exec(said)?.[0] ?? said);
    const key = (await readFile(join(home, "home.key"), "utf8")).trim();
    return {
      async check(bytes) {
        const sent = bytes.toString("latin1").replaceAll(HOST, host).replaceAll(KEY, key);
        expectHarmless(await exchange(Number(port), Buffer.from(sent, "latin1"), false));
        const ask = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        const still = await exchange(Number(port), Buffer.from(ask), true);
        if (!still.startsWith("HTTP/1.1 200 ")) throw new Error(`serves no more: ${still.slice(0, 200)}`);
      },
      async close() {
        child.kill("SIGKILL");
        await exited;
        await mock.close();
        await rm(home, { recursive: true, force: true });
      },
    };
  },
});
