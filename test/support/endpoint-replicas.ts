import { nanoid } from "nanoid";
import { onTestFinished } from "vitest";
import { createMockBackend, type MockBackend } from "../../mock-backend/main.ts";
import { Tokens } from "../../src/app/endpoint/tokens.ts";
import { TokenUsers } from "../../src/app/endpoint/users.ts";
import { createHttp } from "../../src/backend/http.ts";
import { NewTokenLimiter } from "../../src/backend/new-token-limiter.ts";
import { createHttpApp } from "../../src/mcp/http/app.ts";
import { Gate } from "../../src/mcp/http/gate.ts";
import { Metrics } from "../../src/mcp/http/metrics.ts";
import { Rate } from "../../src/mcp/http/rate.ts";
import { Sessions } from "../../src/mcp/http/sessions.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { textsReadBy } from "../../src/text/index.ts";
import { initialize, MCP_HEADERS, toolCall } from "./endpoint.ts";
import { ManualClock } from "./manual-clock.ts";
import { platformWith } from "./platform.ts";
import { NOBODY } from "./small-pages.ts";

const BACKEND = "http://127.0.0.1:9";

export interface EndpointReplica {
  users: TokenUsers;
  /** Whether it takes a token for one that the backend accepts. */
  isAccepted(token: string): Promise<boolean>;
  /** What its listener would be given. */
  fetch(request: Request): Promise<Response>;
  /** A message with this token. */
  post(token: string, body: string, headers?: Record<string, string>): Promise<Response>;
  /** Opens a session; gives its id. */
  open(token: string): Promise<string>;
  /** A call that the backend has to answer; gives the code of the error that came of it. */
  call(token: string): Promise<string | undefined>;
}

export interface EndpointReplicas {
  clock: ManualClock;
  mock: MockBackend;
  replica(limits?: { maxNewTokens?: number; maxUsers?: number }): EndpointReplica;
  /** One that the backend accepts. */
  token(): Promise<string>;
  /** Tokens that the backend has accepted and accepts no longer. */
  revoked: Set<string>;
}

/** Replicas of one endpoint in this process, without their listeners: one backend, one store, one clock. `config`: its operator's. */
export function createEndpointReplicas(config: Record<string, unknown> = {}): EndpointReplicas {
  const clock = new ManualClock();
  const mock = createMockBackend({ clock, seed: 5, tokenLifetimeMs: 30 * 24 * 3_600_000 });
  const store = createMemoryStore(clock);
  const revoked = new Set<string>();
  onTestFinished(() => mock.close());
  const answer = (request: Request) => {
    const token = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
    return revoked.has(token)
      ? Promise.resolve(Response.json({ detail: "Invalid token" }, { status: 401 }))
      : Promise.resolve(mock.fetch(request));
  };

  function replica({ maxNewTokens = 4, maxUsers = 100 } = {}): EndpointReplica {
    const parts = platformWith(clock);
    const instance = nanoid();
    const sessions = new Sessions({
      platform: parts,
      replica: "a",
      idleMs: 24 * 3_600_000,
      max: 100,
      maxPerUser: 64,
    });
    const gate = new Gate({ atOnce: 64, loopUse: { take: () => 0 }, clock });
    const http = createHttp(parts, { version: "test", fetch: answer });
    const newTokenLimiter = new NewTokenLimiter({ atOnce: 16, per10s: 200, patienceMs: 5_000 }, clock);
    const backend = { url: BACKEND, origin: BACKEND, http, newTokenLimiter, deviceInfo: "towow-mcp/test" };
    const tokens = new Tokens({ platform: parts, backend, store, maxTried: maxNewTokens });
    const users = new TokenUsers({
      backend: { url: BACKEND },
      tokens,
      operator: { flags: { mode: "developer" }, env: {}, file: { ...config, backend_url: BACKEND }, locale: "en" },
      store,
      history: { owner: { instance, pid: process.pid }, isAlive: async () => true },
      textsOf: textsReadBy({ who: "endpoint" }),
      gate,
      root: new URL("../../", import.meta.url),
      server: {
        ...{ ...parts, version: "test", stateKey: new Uint8Array(32) },
        ...{ instructions: "", prompt: async () => "", onCall: () => {} },
      },
      maxUsers,
      maxNewTokens,
      sessions,
    });
    onTestFinished(() => users.close(undefined));
    const app = createHttpApp({
      platform: parts,
      requestRules: { hosts: ["localhost"], origins: [], largestBodyBytes: 100_000 },
      users,
      sessions,
      rate: new Rate(1_000, clock),
      gate,
      metrics: new Metrics(),
      store,
      version: "test",
      phase: () => "serving",
      metricsOn: false,
      pages: {
        apps: {},
        people: NOBODY,
        policy: () => ({ confirmation_policy: "auto", on_unconfirmed: "cancel" }),
        waitsFor: async () => undefined,
      },
    });
    const post: EndpointReplica["post"] = (token, body, more = {}) => {
      const own = { Host: "localhost", Authorization: `Bearer ${token}`, "X-Towow-User-Id": "somebody" };
      const headers = { ...MCP_HEADERS, ...own, ...more };
      return clock.run(
        Promise.resolve(app.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }))),
      );
    };
    return {
      users,
      isAccepted: (token) => tokens.isAccepted(tokens.keyOf(token)),
      async fetch(request) {
        request.headers.set("Host", "localhost");
        return app.fetch(request);
      },
      post,
      open: async (token) => (await post(token, initialize())).headers.get("mcp-session-id") ?? "",
      async call(token) {
        const answered = await post(token, toolCall("towow_list_scenes", { fresh: true }));
        const text = await clock.run(answered.text());
        return /"code":"([a-z._]+)"/.exec(text)?.[1];
      },
    };
  }

  return {
    clock,
    mock,
    replica,
    revoked,
    async token() {
      const body = JSON.stringify({ user_id: nanoid() });
      const headers = { "Content-Type": "application/json" };
      const request = new Request(`${BACKEND}/v1/api/auth/mcp-token`, { method: "POST", headers, body });
      return ((await (await mock.fetch(request)).json()) as { api_token: string }).api_token;
    },
  };
}
