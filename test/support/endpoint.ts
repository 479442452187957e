import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { createMockBackend, type MockBackend, type MockOptions } from "../../mock-backend/main.ts";
import type { Clock, LoopUse } from "../../src/clock.ts";
import { CLI, needsProcess } from "./cli.ts";
import { makeHome, removeHome } from "./home.ts";
import { NODE_ENV } from "./node-env.ts";
import { startProgram } from "./program.ts";

/** The program as `serve`, and the mock backend behind it. */
export interface Endpoint {
  url: string;
  port: number;
  home: string;
  mock: MockBackend;
  mockUrl: string;
  sceneName: string;
  /** What the program has written to stderr so far. */
  log(): string;
  /** What it has written to stdout so far. */
  out(): string;
  /** The key that proves the right to the home's identity. */
  homeKey(): string;
  /** Lines of stderr that are no log line: there should be none. */
  strayLines(): string[];
  /** Log lines of one event. */
  events(name: string): Record<string, unknown>[];
  /** A token that the backend has issued for a fresh user, or for this one. */
  token(userId?: string): Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** Something in it throws, and nothing catches it; in this process only. */
  crash(error: unknown): void;
  /** The exit code, once it has ended. */
  exited: Promise<number | null>;
  close(): Promise<void>;
}

export interface EndpointOptions {
  args?: string[];
  env?: Record<string, string>;
  mock?: MockOptions;
  /** Start this build of the program, in a process of its own. */
  cli?: string;
  /** The built program, in a process of its own. */
  spawned?: true;
  /** The endpoint's and its backend's; default: the system's. */
  clock?: Clock;
  /** Of the endpoint's event loop, in this process. */
  loopUse?: LoopUse;
  /** Take this backend instead of a new one. */
  backend?: { mock: MockBackend; url: string };
  /** Its operator's home, instead of a new one. */
  home?: string;
}

export async function startEndpoint({
  args = [],
  env = {},
  mock: options,
  cli,
  spawned,
  clock,
  loopUse,
  backend,
  ...given
}: EndpointOptions = {}) {
  const mock = backend?.mock ?? createMockBackend({ stepMs: 10, seed: 7, ...(clock && { clock }), ...options });
  const mockUrl = backend?.url ?? (await mock.listen()).url;
  const home = given.home ?? makeHome("towow-http-");
  const all = {
    LANG: "en_US.UTF-8",
    TOWOW_HOME: home,
    TOWOW_BACKEND_URL: mockUrl,
    TOWOW_LOG_LEVEL: "debug",
    ...env,
  };
  // A test polls at each turn, as no client does: one that is about the limit names it.
  const line = ["serve", "--port", "0", "--rate", "100000", ...args];
  const running =
    cli === undefined && !spawned && !needsProcess(all)
      ? startProgram(line, { env: { PATH: NODE_ENV.PATH, ...all }, clock, loopUse })
      : undefined;
  const child = running ?? spawn(process.execPath, [cli ?? CLI, ...line], { env: { ...NODE_ENV, ...all } });
  let log = "";
  child.stderr?.on("data", (chunk) => {
    log += chunk;
  });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  let out = "";
  child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  const url = await addressOf(
    child,
    () => out,
    () => log,
  ).catch(async (error) => {
    if (backend === undefined) await mock.close();
    throw error;
  });
  const endpoint: Endpoint = {
    url,
    port: Number(new URL(url).port),
    home,
    mock,
    mockUrl,
    sceneName: "AI 创业合伙人",
    log: () => log,
    out: () => out,
    homeKey: () => readFileSync(join(home, "home.key"), "utf8").trim(),
    strayLines: () => log.split("\n").filter((line) => line !== "" && !/^\{"level":\d+,.*\}$/.test(line)),
    events: (name) => log.split("\n").flatMap((line) => (line.includes(`"event":"${name}"`) ? [JSON.parse(line)] : [])),
    async token(userId = "") {
      const answer = await fetch(`${mockUrl}/v1/api/auth/mcp-token`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ user_id: userId, device_info: "test" }),
      });
      return ((await answer.json()) as { api_token: string }).api_token;
    },
    signal: (name) => void child.kill(name),
    crash: (error) => running?.crash(error),
    exited,
    async close() {
      if (running === undefined) child.kill("SIGKILL");
      else await running.endsSoon();
      await exited;
      if (backend === undefined) await mock.close();
      removeHome(home);
    },
  };
  return endpoint;
}

/** The first line of stdout names it. */
async function addressOf(child: ChildProcess, out: () => string, log: () => string): Promise<string> {
  const found = () => /^towow-mcp (?:serves at |正在提供服务：)(http:\S+)\n/.exec(out())?.[1];
  const ended = once(child, "close");
  while (found() === undefined && child.exitCode === null) await Promise.race([once(child.stdout!, "data"), ended]);
  const url = found();
  if (url === undefined) await ended;
  if (url === undefined) throw new Error(`serve ended before it listened: ${log()}`);
  return url;
}

export interface RawRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string | undefined>;
  body?: string | Buffer;
  /** Send the body in chunks, without a length. */
  chunked?: boolean;
}
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  json: any;
}

export const MCP_HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };

/** One request by node:http; the answer is read whole, and an event stream up to its last JSON message. */
export function send(port: number, { method = "POST", path = "/mcp", headers, body, chunked }: RawRequest) {
  return new Promise<RawAnswer>((resolve, reject) => {
    const sent = Object.fromEntries(
      Object.entries({
        ...(method === "POST" && MCP_HEADERS),
        ...(body !== undefined && !chunked && { "Content-Length": String(Buffer.byteLength(body)) }),
        ...headers,
      }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const request = httpRequest({ host: "127.0.0.1", port, method, path, headers: sent, agent: false });
    let answered = false;
    request.on("response", (response) => {
      answered = true;
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      const done = () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: jsonOf(text) });
      response.on("end", done);
      response.on("error", done);
    });
    // A server that refuses early may close while the body is still on its way.
    request.on("error", (error) => (answered ? undefined : reject(error)));
    if (body === undefined) request.end();
    else if (!chunked) request.end(body);
    else {
      request.write(body.slice(0, 1_000));
      request.end(body.slice(1_000));
    }
  });
}

function jsonOf(text: string): unknown {
  const last = text.startsWith("{")
    ? text
    : text
        .split("\n")
        .findLast((line) => /^data: *\{/.test(line))
        ?.slice(5);
  try {
    return last === undefined ? undefined : JSON.parse(last);
  } catch {
    return undefined;
  }
}

const CLIENT = { name: "raw", version: "1" };

/** A message of the 2025 era. */
export const rpc = (method: string, params?: object, id: number | undefined = 1): string =>
  JSON.stringify({ jsonrpc: "2.0", ...(id >= 0 && { id }), method, ...(params && { params }) });
export const initialize = (capabilities: object = {}): string =>
  rpc("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo: CLIENT });
export const toolCall = (name: string, args: object = {}, id = 1): string =>
  rpc("tools/call", { name, arguments: args }, id);

/** A message of the 2026 era, with the headers that it needs. */
export function modernRequest(method: string, params: object = {}, capabilities: object = {}): RawRequest {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const { name } = params as { name?: string };
  return {
    headers: { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, ...(name && { "Mcp-Name": name }) },
    body: rpc(method, { ...params, _meta }),
  };
}

/** A session of the 2025 era; gives its id. */
export async function openSession(port: number, headers: Record<string, string> = {}, capabilities: object = {}) {
  const { headers: got, status } = await send(port, { headers, body: initialize(capabilities) });
  const id = got["mcp-session-id"];
  if (status !== 200 || typeof id !== "string") throw new Error(`no session: ${status}`);
  await send(port, { headers: { ...headers, "Mcp-Session-Id": id }, body: rpc("notifications/initialized", {}, -1) });
  return id;
}
