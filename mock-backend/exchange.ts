import type { Hono } from "hono";
import type { Clock } from "../src/clock.ts";
import { routeOf } from "./app.ts";
import { type Fault, type FaultBoard, isMixUp, mixedUp, type OtherNegotiation, spoiled, standIn } from "./faults.ts";
import type { IdempotentAnswers } from "./idempotency.ts";
import { type JournalEntry, parsedBody } from "./journal.ts";
import type { Standstill } from "./standstill.ts";
import { bearerOf, type Tokens } from "./tokens.ts";

/** How a request ends, before a socket or a `fetch` gives it its form. */
export type Outcome =
  | { kind: "answer"; response: Response; close: boolean }
  | { kind: "cut"; response: Response; at: number | undefined }
  | { kind: "drop" };

export interface ExchangeOptions {
  app: Hono;
  clock: Clock;
  faults: FaultBoard;
  tokens: Tokens;
  journal: JournalEntry[];
  /** Undefined where the backend ignores idempotency keys. */
  answers: IdempotentAnswers | undefined;
  closed: AbortSignal;
  standstill: Standstill;
  otherOf: OtherNegotiation;
}

/** One request from its arrival to its outcome: journal, faults, idempotency, then the routes. */
export async function exchange(request: Request, options: ExchangeOptions): Promise<Outcome> {
  const { clock, faults, tokens, journal, closed } = options;
  const url = new URL(request.url);
  const text = await request.text();
  const { method, headers } = request;
  const entry: JournalEntry = { at: clock.now(), method, path: url.pathname, status: 0, body: parsedBody(text) };
  const userId = tokens.validOwner(bearerOf(headers.get("authorization")));
  if (url.search !== "") entry.query = url.search;
  if (userId !== undefined) entry.userId = userId;
  const requestId = headers.get("x-request-id");
  if (requestId !== null) entry.requestId = requestId;
  const key = headers.get("idempotency-key");
  if (key !== null) entry.idempotencyKey = key;
  journal.push(entry);
  await options.standstill.over(closed);

  const fault = faults.take(routeOf(method, url.pathname));
  if (fault !== undefined) entry.fault = fault.kind;
  const wait = (when: Fault["delayWhen"]) =>
    fault?.delayMs !== undefined && (fault.delayWhen ?? "before") === when
      ? clock.sleep(fault.delayMs, closed)
      : undefined;

  await wait("before");
  if (fault?.kind === "drop_before") return { kind: "drop" };
  const substitute = fault && standIn(fault);
  if (substitute !== undefined) {
    entry.status = substitute.status;
    entry.answeredAt = clock.now();
    return { kind: "answer", response: substitute, close: false };
  }

  const act = async () =>
    options.app.fetch(
      new Request(request.url, { method, headers, ...(text === "" ? {} : { body: new TextEncoder().encode(text) }) }),
    );
  const identity = [key, method, url.pathname, userId ?? "", text].join("\n");
  let response: Response;
  // FastAPI's GET routes do not take HEAD, while Hono's do.
  if (method === "HEAD") response = new Response(null, { status: 405, headers: { allow: "GET" } });
  else if (key === null || method !== "POST" || options.answers === undefined) response = await act();
  else {
    const answered = await options.answers.once(identity, act);
    response = answered.response;
    if (answered.replayed) entry.replayed = true;
  }

  if (response.status === 201 && url.pathname.endsWith("/submit"))
    entry.made = ((await response.clone().json()) as { negotiation_id: string }).negotiation_id;

  await wait("after");
  if (fault?.kind === "drop_after") return { kind: "drop" };
  if (fault !== undefined)
    response = isMixUp(fault) ? await mixedUp(fault, response, options.otherOf) : spoiled(fault, response);
  entry.status = response.status;
  entry.answeredAt = clock.now();
  if (fault?.kind === "cut_body") return { kind: "cut", response, at: fault.cutAt };
  return { kind: "answer", response, close: response.status === 500 };
}

/** The outcome as `fetch` shows it: a dropped connection is its TypeError, a cut body a stream that fails. */
export async function asFetch(outcome: Outcome): Promise<Response> {
  if (outcome.kind === "drop") throw new TypeError("fetch failed", { cause: reset() });
  if (outcome.kind === "answer") return outcome.response;
  const { status, headers } = outcome.response;
  const whole = new Uint8Array(await outcome.response.arrayBuffer());
  headers.set("content-length", String(whole.length));
  const parts = [whole.subarray(0, outcome.at ?? whole.length >> 1)];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift();
      if (part !== undefined) controller.enqueue(part);
      else controller.error(new TypeError("terminated", { cause: reset() }));
    },
  });
  return new Response(body, { status, headers });
}

function reset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" });
}
