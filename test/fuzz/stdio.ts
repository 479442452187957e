import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createMockBackend } from "../../mock-backend/main.ts";
import { TOOLS } from "../../src/tools/index.ts";
import { anyJson, anyText, mutatedBytes, mutatedJson, textOf } from "./material.ts";
import { HANG_MS, Hang, target } from "./target.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: "first",
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: { elicitation: {} },
    clientInfo: { name: "fuzz", version: "1" },
  },
};
const OPENINGS = {
  "2025 era": [INITIALIZE, { jsonrpc: "2.0", method: "notifications/initialized" }],
  "2026-07-28": [{ jsonrpc: "2.0", id: "first", method: "tools/list", params: { _meta: ENVELOPE } }],
  nothing: [],
};
type Opening = keyof typeof OPENINGS;

const request = (method: string, params: object) => ({ jsonrpc: "2.0", id: 7, method, params });
const call = (name: string, args: object, more: object = {}) =>
  request("tools/call", { name, arguments: args, ...more });
/** Messages as a client of either era sends them. */
export const GOOD_MESSAGES: object[] = [
  INITIALIZE,
  request("ping", {}),
  request("tools/list", { cursor: "abc" }),
  request("tools/list", { _meta: ENVELOPE }),
  request("server/discover", { _meta: ENVELOPE }),
  request("subscriptions/listen", { _meta: ENVELOPE, notifications: { toolsListChanged: true } }),
  request("logging/setLevel", { level: "debug" }),
  request("resources/list", {}),
  request("resources/templates/list", { cursor: "x" }),
  request("resources/read", { uri: "towow://negotiations/neg_000000000000/plan?page=2" }),
  request("resources/read", { uri: "towow://evidence/recent", _meta: ENVELOPE }),
  request("resources/subscribe", { uri: "towow://negotiations/neg_000000000000" }),
  request("resources/unsubscribe", { uri: "towow://negotiations/neg_000000000000" }),
  request("completion/complete", { ref: { type: "ref/prompt", name: "x" }, argument: { name: "a", value: "b" } }),
  ...TOOLS.map(({ name }) => call(name, { mode: "developer", scene: "scene_000000000000", wait: "change" })),
  call("towow_status", {}, { _meta: { ...ENVELOPE, progressToken: 5 } }),
  call(
    "towow_demand",
    {},
    { _meta: ENVELOPE, requestState: "e30.AAAA", inputResponses: { decision: { action: "accept" } } },
  ),
  { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7, reason: "x" } },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 1, result: { action: "accept", content: {} } },
  { jsonrpc: "2.0", id: null, error: { code: -32700, message: "x" } },
];

const message = mutatedJson(
  fc.oneof(fc.constantFrom(...GOOD_MESSAGES), fc.array(fc.constantFrom(...GOOD_MESSAGES), { maxLength: 4 })),
);
const good = message.map((it) => Buffer.from(textOf(it)));
const bytes = fc.oneof(
  { weight: 6, arbitrary: good },
  { weight: 5, arbitrary: mutatedBytes(good) },
  { weight: 2, arbitrary: anyJson.map((it) => Buffer.from(textOf(it))) },
  { weight: 1, arbitrary: anyText.map((it) => Buffer.from(it)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((it) => Buffer.from(it)) },
);
/** Lines of several megabytes: a text, an endless list, and one that is longer than any buffer. */
const huge = fc.constantFrom(1, 4, 9, 12).map((megabytes) => Buffer.alloc(megabytes << 20, "x["));
const line = fc.oneof({ weight: 300, arbitrary: bytes }, { weight: 1, arbitrary: huge });

/** JSON-RPC lines to the built server: it stays, answers the next request, and writes nothing but JSON-RPC. */
export const stdio = target({
  name: "stdio",
  batch: 100,
  input: fc.record({
    opening: fc.constantFrom(...(Object.keys(OPENINGS) as Opening[])),
    lines: fc.array(line, { minLength: 1, maxLength: 5 }),
  }),
  async open() {
    const home = await mkdtemp(join(tmpdir(), "towow-fuzz-"));
    const mock = createMockBackend({ stepMs: 5, seed: 7 });
    const { url } = await mock.listen();
    const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: url, TOWOW_WAIT_BUDGET_S: "0" };
    const servers = new Map<Opening, Server>();
    return {
      async check({ opening, lines }) {
        let server = servers.get(opening);
        if (server === undefined || !server.alive) {
          server = new Server(env);
          servers.set(opening, server);
          for (const each of OPENINGS[opening]) server.write(Buffer.from(JSON.stringify(each)));
        }
        try {
          for (const each of lines) server.write(each);
          await server.answers();
        } catch (error) {
          await server.kill();
          throw error;
        }
      },
      async close() {
        await Promise.all([...servers.values()].map((server) => server.kill()));
        await mock.close();
        await rm(home, { recursive: true, force: true });
      },
    };
  },
});

class Server {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #answered = new Set<unknown>();
  #heard = () => {};
  #pings = 0;
  #stderr = "";
  #foreign: string | undefined;

  constructor(env: Record<string, string>) {
    this.#child = spawn(process.execPath, [CLI, "--mode", "developer"], {
      env: { PATH: process.env.PATH ?? "", ...env },
      stdio: "pipe",
    });
    this.#exited = new Promise((resolve) => this.#child.once("exit", () => resolve()));
    this.#child.stdin!.on("error", () => {});
    this.#child.stderr!.on("data", (chunk) => {
      this.#stderr += chunk;
    });
    // Not readline: it also ends lines at U+2028, which JSON may hold.
    let rest = "";
    this.#child.stdout!.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) this.#hear(text);
    });
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  write(text: Uint8Array): void {
    this.#child.stdin!.write(text);
    this.#child.stdin!.write("\n");
  }

  #hear(text: string): void {
    try {
      const heard = JSON.parse(text) as { jsonrpc?: unknown; id?: unknown };
      if (heard.jsonrpc !== "2.0") this.#foreign = text;
      this.#answered.add(heard.id);
    } catch {
      this.#foreign = text;
    }
    this.#heard();
  }

  /** Resolves when a request that comes now is answered, in whatever way. */
  async answers(): Promise<void> {
    const id = `still there? ${++this.#pings}`;
    this.write(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })));
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<"answered">((resolve) => {
      this.#heard = () => this.#answered.has(id) && resolve("answered");
      this.#heard();
    });
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), HANG_MS / 2);
    });
    const end = await Promise.race([answered, late, this.#exited]);
    clearTimeout(timer);
    this.#answered.clear();
    if (end === "late") throw new Hang("no answer to a ping");
    if (end !== "answered") throw new Error(`the server ended: ${this.#stderr.slice(-2_000)}`);
    if (this.#foreign !== undefined) throw new Error(`not JSON-RPC on stdout: ${this.#foreign.slice(0, 400)}`);
    if (/Unhandled|Error:/.test(this.#stderr)) throw new Error(`stderr: ${this.#stderr.slice(0, 2_000)}`);
  }

  async kill(): Promise<void> {
    if (this.alive) this.#child.kill("SIGKILL");
    await this.#exited;
  }
}
