import type { Fault, FaultKind, FaultRoute } from "../../mock-backend/main.ts";
import type { Clock } from "../../src/clock.ts";
import type { Dice } from "./sim.ts";

/** How long a program waits for the answer to one request, in milliseconds. */
export const READ_LIMIT_MS = 15_000;
export const WRITE_LIMIT_MS = 30_000;

/** Faults of a single answer, besides statuses and latency. */
export const KINDS: readonly FaultKind[] = [
  "drop_before",
  "drop_after",
  "cut_body",
  "html",
  "empty",
  "wrong_shape",
  "plain_500_after",
];

/** What gateways and backends in trouble answer everything with. */
export const BURSTS = [400, 403, 404, 409, 422, 429, 500, 502, 503, 504] as const;

/** Some fault for one request of that route. */
export function anyFault(dice: Dice, route: FaultRoute): Fault {
  const one = dice.int(0, 11);
  const delay = dice.chance(0.3)
    ? { delayMs: dice.int(1, 8_000), delayWhen: dice.pick(["before", "after"] as const) }
    : {};
  if (one < 7) return { route, kind: KINDS[one]!, ...delay };
  if (one === 7) return { route, kind: "status", status: 503, ...delay };
  if (one === 8) return { route, kind: "status", status: 429, headers: { "retry-after": "1" } };
  if (one === 9) return { route, kind: "status", status: 503, headers: { "retry-after": "2" } };
  if (one === 10) return { route, kind: "status", status: 500, ...delay };
  return { route, kind: "delay", delayMs: dice.int(100, 12_000), delayWhen: dice.pick(["before", "after"] as const) };
}

/** Reads that are answered, though not at once. */
export const slowRead = (dice: Dice): Fault => ({
  route: "get",
  kind: "delay",
  delayMs: dice.int(300, 3_000),
  delayWhen: dice.pick(["before", "after"] as const),
});

const WORDS: Partial<Record<FaultKind, string>> = {
  drop_before: "reset before the backend acted",
  drop_after: "reset after the backend acted",
  cut_body: "cut body",
  html: "HTML in place of JSON",
  empty: "empty body",
  wrong_shape: "wrong shape",
  plain_500_after: "500 after the backend acted",
};

/** How the tables call it. */
export const wordsOf = ({ kind, status, delayMs }: Fault): string[] => [
  ...(kind === "delay" ? [] : [WORDS[kind] ?? String(status)]),
  ...(delayMs === undefined ? [] : ["latency"]),
];

/** Which route of the backend a request goes to; undefined for those that are left alone. */
export function routeOf(method: string, path: string): FaultRoute | undefined {
  if (path.endsWith("/mcp-token")) return "token";
  if (method === "GET") return /negotiations\/[^/]+$/.test(path) ? "get" : undefined;
  if (path.endsWith("/submit")) return "submit";
  if (path.endsWith("/confirm")) return "confirm";
  return path.endsWith("/action") ? "action" : undefined;
}

/** As fetch fails when the name of the backend is not found. */
export const nameNotFound = (): TypeError =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND", syscall: "getaddrinfo" }),
  });

/** As fetch fails when a connection is closed before its answer came. */
const reset = (): TypeError =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" }),
  });

/** A request's real timeout is by the real clock; on this one, a gateway closes what takes as long. */
export function orReset<T>(work: Promise<T>, ms: number, clock: Clock): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = clock.after(ms, () => reject(reset()));
    work.then(resolve, reject).finally(stop);
  });
}
