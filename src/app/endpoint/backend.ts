import { connectionsIn } from "../../backend/connections.ts";
import { createHttp, type Http } from "../../backend/http.ts";
import { NewTokenLimiter } from "../../backend/new-token-limiter.ts";
import { TowowError } from "../../errors.ts";
import type { Metrics } from "../../mcp/http/metrics.ts";
import type { Platform } from "../../platform.ts";

/** The one backend of all users of an endpoint. */
export interface EndpointBackend {
  url: string;
  origin: string;
  http: Http;
  /** Limits the requests with tokens that the backend has not accepted yet, all users together. */
  newTokenLimiter: NewTokenLimiter;
  /** Names this program in a request for a token. */
  deviceInfo: string;
}

interface BackendParts {
  url: string;
  version: string;
  env: NodeJS.ProcessEnv;
  metrics: Metrics;
  platform: Platform;
}

/**
 * The limits of the requests with tokens that the backend has not accepted yet. A backend under load answers in less
 * than a second, so a team of hundreds that comes back at once is served within half a minute.
 */
const NEW_TOKEN_LIMITS = { atOnce: 16, per10s: 200, patienceMs: 5_000 };

/** Opens the connections to the backend of an endpoint. `http.close` ends them. */
export function openBackend({ url, version, env, metrics, platform }: BackendParts): EndpointBackend {
  return {
    url,
    origin: new URL(url).origin,
    http: measured(createHttp(platform, { version, ...connectionsIn(env) }), metrics),
    newTokenLimiter: new NewTokenLimiter(NEW_TOKEN_LIMITS, platform.clock),
    deviceInfo: `towow-mcp/${version}`,
  };
}

/** Measures each backend request in seconds, by operation and outcome. */
const measured = (http: Http, metrics: Metrics): Http => ({
  close: () => http.close(),
  listen: (...call) => http.listen(...call),
  async send(operation, auth, call) {
    const from = performance.now();
    const note = (outcome: string) => metrics.backend(operation.name, outcome, (performance.now() - from) / 1000);
    try {
      const answer = await http.send(operation, auth, call);
      note("ok");
      return answer;
    } catch (error) {
      note(error instanceof TowowError ? error.code : "aborted");
      throw error;
    }
  },
});
