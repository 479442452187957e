import { isLegacyRequest } from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { SignInDesk } from "../../ask/page/sign-in.ts";
import { browserCookies, seesBrowsers } from "../../ask/page/visitor.ts";
import type { Clock } from "../../clock.ts";
import { ignoreTowowError } from "../../errors.ts";
import { failureOf, type Log } from "../../log.ts";
import type { Silence } from "../../negotiation/plan.ts";
import { type Store, StoreUnreachable, scoped } from "../../store/store.ts";
import { beginListening, isListen } from "../listen.ts";
import { frontPage, isBrowser, missingPage, type Policy, type SignsIn } from "./front-page.ts";
import { decides, type Gate, type Place } from "./gate.ts";
import { errorBody, errorResponse, HttpError, withRefusalCode } from "./http-error.ts";
import type { Metrics } from "./metrics.ts";
import type { Rate } from "./rate.ts";
import {
  bearerOf,
  checkContent,
  checkHost,
  checkNotRebound,
  checkOrigin,
  isServed,
  type RequestRules,
  readMessage,
  timeoutOf,
} from "./request-checks.ts";
import type { Sessions } from "./sessions.ts";
import { createSignIn, type SignInDeps } from "./sign-in/sign-in.ts";
import { followStream, type HttpAnswer, type StreamEvents } from "./stream.ts";
import { createTokenPage, TOKEN_PATH, type TokenDesk } from "./token-page.ts";
import type { User, Users } from "./user.ts";

export interface HttpAppDeps {
  requestRules: RequestRules;
  users: Users;
  sessions: Sessions;
  rate: Rate;
  gate: Gate;
  metrics: Metrics;
  store: Store;
  clock: Clock;
  log: Log;
  version: string;
  /** Returns the phase of the endpoint. `leaving` still answers but is not ready, and `closed` answers nothing new. */
  phase: () => "serving" | "leaving" | "closed";
  /** True if `/metrics` is answered, to everybody who reaches this port. */
  metricsOn: boolean;
  /** The paths of people's pages, and the desk where they sign in. */
  pages: {
    apps: Readonly<Record<string, Pick<Hono, "fetch">>>;
    people: SignInDesk;
    policy: () => Policy;
    /** Returns what becomes of the text that waits for a person's decision. */
    waitsFor: (user: string) => Promise<Silence | undefined>;
  };
  /** The desk where visitors get a token of their own, if the operator lets them. */
  tokenDesk?: TokenDesk | undefined;
  /** What programs need to sign in for their people, if the operator lets them. */
  signIn?: SignInDeps | undefined;
  /** The address that clients and people use, whatever a proxy in between makes of it. */
  publicUrl?: URL | undefined;
}

/** Holds the message that is being served, because a refusal names its id. */
type Env = { Variables: { message: object | undefined } };

const EXPOSED = ["Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate", "Retry-After"];

/**
 * Makes the endpoint (seed 001, "Streamable HTTP"). Every request to `/mcp` passes the checks of `request-checks.ts`, and then goes to one
 * user's part of the endpoint.
 */
export function createHttpApp(deps: HttpAppDeps): Hono<Env> {
  const { requestRules, log, metrics, clock, phase } = deps;
  const app = new Hono<Env>();
  const { publicUrl, tokenDesk } = deps;
  const originOf = (host: string) => publicUrl?.origin ?? `http://${host}`;
  const isPageHost = (host: string) =>
    publicUrl === undefined ? isServed(host, requestRules) : host === publicUrl.host;
  const signIn =
    deps.signIn &&
    createSignIn(deps.signIn, {
      ...{ people: deps.pages.people, store: deps.store, clock },
      ...{ browsersPath: "/browsers", isHost: (host) => isServed(host, requestRules), isPageHost, originOf },
    });

  app.use(async (c, next) => {
    const from = clock.monotonic();
    await next();
    const route = c.req.path.split("/", 2).join("/");
    const known = [
      "/",
      "/mcp",
      "/healthz",
      "/readyz",
      "/metrics",
      "/approve",
      "/browsers",
      "/room",
      TOKEN_PATH,
      ...(signIn === undefined ? [] : ["/.well-known", ...Object.keys(signIn.apps)]),
    ].includes(route)
      ? route
      : "other";
    const { method } = c.req;
    const { status } = c.res;
    metrics.request(known, status);
    // A call that was served has log lines of its own, and probes come every few seconds.
    const at = status < 400 ? "debug" : "info";
    log[at]("http_access", { method, route: known, status, duration_ms: clock.monotonic() - from });
  });

  app.get("/healthz", (c) => c.json({ status: "ok", version: deps.version }));
  app.get("/readyz", async (c) => {
    if (phase() !== "serving") return c.json({ status: "draining" }, 503);
    const reached = await deps.store.checkWritable().then(
      () => true,
      () => false,
    );
    return reached ? c.json({ status: "ready" }) : c.json({ status: "store_unreachable" }, 503);
  });
  app.get("/metrics", async (c) => {
    if (!deps.metricsOn) throw new HttpError("not_found");
    checkNotRebound(c.req.header("host"), requestRules);
    const { body, contentType } = await metrics.text();
    return c.body(body, 200, { "Content-Type": contentType });
  });
  for (const [path, { fetch }] of Object.entries(deps.pages.apps))
    app.mount(path, fetch, { replaceRequest: (request) => request });

  const { apps, people, policy, waitsFor } = deps.pages;
  const signsIn: SignsIn | undefined = deps.signIn && (deps.signIn.besideTokens ? "beside_tokens" : "alone");
  app.get("/", async (c) => {
    checkHost(c.req.header("host"), requestRules);
    const there = (path: string) => (path in apps ? path : undefined);
    const owner = await people.ownerOf(browserCookies(c, people)).catch(ignoreTowowError);
    return frontPage(c, originOf(c.req.header("host") ?? ""), {
      room: there("/room"),
      browsers: there("/browsers"),
      token: await people.newToken(),
      isSignedIn: seesBrowsers(people) ? owner !== undefined : undefined,
      waits: owner && (await waitsFor(owner.user).catch(ignoreTowowError)),
      policy: policy(),
      signsIn,
    });
  });
  if (tokenDesk !== undefined) {
    const options = { desk: tokenDesk, people, roomPath: "/room", policy, isHost: isPageHost, originOf, signsIn };
    const { fetch } = createTokenPage(options);
    app.mount(TOKEN_PATH, fetch, { replaceRequest: (request) => request });
  }

  app.use("/mcp", async (c, next) => {
    checkHost(c.req.header("host"), requestRules);
    checkOrigin(c.req.header("origin"), requestRules);
    await next();
  });
  const forPages = cors({
    origin: (origin) => (requestRules.origins.includes(origin) ? origin : null),
    allowMethods: ["GET", "POST", "DELETE"],
    exposeHeaders: EXPOSED,
    maxAge: 600,
  });
  // A program names no origin. Its response must stay as it was made, because Hono writes that out without a stream.
  app.use("/mcp", (c, next) => {
    const isProgram = c.req.header("origin") === undefined && c.req.method !== "OPTIONS";
    return isProgram ? next() : forPages(c, next);
  });
  app.on(["GET", "POST", "DELETE"], "/mcp", (c) => serve(c, deps));
  app.all("/mcp", () => {
    throw new HttpError("method_not_allowed", { Allow: "GET, POST, DELETE, OPTIONS" });
  });

  if (signIn === undefined) {
    // A client that got 401 tries to sign itself up, and shows its person the answer to that instead of ours. Claude
    // Code shows the beginning as it is, without the path of any address.
    app.post("/register", (c) => {
      checkHost(c.req.header("host"), requestRules);
      return c.json({ error_description: TOKEN_WANTED, error: "access_denied" }, 403);
    });
  } else {
    for (const [path, { fetch }] of Object.entries(signIn.apps))
      app.mount(path, fetch, { replaceRequest: (request) => request });
    // Pages look at several addresses in turn, so they must be able to read that there is nothing at the others.
    app.use("/.well-known/*", cors({ origin: "*", allowMethods: ["GET"], maxAge: 600 }));
    app.all("/.well-known/*", (c) => {
      checkHost(c.req.header("host"), requestRules);
      return signIn.document(c.req.raw, originOf(c.req.header("host") ?? "")) ?? c.notFound();
    });
  }

  app.notFound((c) =>
    isBrowser(c) ? missingPage(c, originOf(c.req.header("host") ?? "")) : errorResponse(new HttpError("not_found")),
  );
  app.onError((error, c) => {
    const body = c.get("message");
    if (error instanceof HttpError && error.code === "unauthorized" && signIn !== undefined) {
      const { host = "", authorization } = c.req.header();
      const where = signIn.challenge(originOf(host), authorization !== undefined);
      return errorResponse(new HttpError("sign_in_first", { ...error.headers, "WWW-Authenticate": where }), body);
    }
    if (error instanceof HttpError) return errorResponse(error, body);
    if (error instanceof StoreUnreachable) return errorResponse(new HttpError("store_unreachable"), body);
    log.error("http_failed", { error: failureOf(error) });
    return errorResponse(new HttpError("internal"), body);
  });
  return app;
}

/** Says what to do to a person who has added the endpoint without their token. */
const TOKEN_WANTED =
  "Your token is missing. Take this entry out and add it again with your token at its end, as in: claude mcp add --transport http towow <the same address> --header 'Authorization: Bearer <token>'. This endpoint signs nobody up.";

/** Serves one request of an MCP client. @throws HttpError */
async function serve(c: Context<Env>, deps: HttpAppDeps): Promise<Response> {
  const { users, rate, gate, requestRules, phase } = deps;
  const arrived = c.req.raw;
  const isPost = arrived.method === "POST";
  if (phase() === "closed") throw new HttpError("draining", { "Retry-After": "2", Connection: "close" });
  const bearer = bearerOf(arrived.headers);
  const timeoutMs = timeoutOf(arrived.headers);
  if (isPost) checkContent(arrived.headers);
  const { user, release } = await users.use(bearer); // before the body is read, which may take long and be large
  const place = gate.place(user);
  const end = () => {
    place.free();
    release();
  };
  try {
    const limited = await rate.exceeded(user.store);
    const message = isPost
      ? await readMessage(arrived, requestRules, (bytes) => place.hold(bytes, limited))
      : undefined;
    c.set("message", message);
    if (limited !== undefined) {
      if (message === undefined || !decides(message)) throw limited;
      await rate.count(scoped(user.store, "decisions:"));
    }
    const isStream = isListen(message);
    if (message !== undefined && !isStream) place.enter(message);
    await user.prepare(arrived);
    const request = isPost ? acceptingBoth(arrived) : arrived;
    if (isStream) return await listen(message as object, user, request, deps, end);
    return await answered({ user, place, request, message, timeoutMs }, deps, end);
  } catch (error) {
    if (!(error instanceof HttpError && error.code === "timed_out")) end(); // a call that timed out goes on, and ends by itself
    throw error;
  }
}

interface Asked {
  user: User;
  place: Place;
  request: Request;
  message: object | undefined;
  timeoutMs: number | undefined;
}

function answered({ user, place, request, message, timeoutMs }: Asked, deps: HttpAppDeps, onEnd: () => void) {
  const { sessions, log, clock } = deps;
  const answering = place.run(() => answer(user, request, message, sessions));
  if (timeoutMs === undefined) return untilRead(answering, onEnd, log);
  const last = `event: message\ndata: ${errorBody("timed_out", message)}\n\n`;
  return within(timeoutMs, untilRead(answering, onEnd, log, { ms: timeoutMs, clock, last }), clock);
}

async function answer(
  user: User,
  request: Request,
  message: object | undefined,
  sessions: Sessions,
): Promise<HttpAnswer> {
  const isLegacy =
    message === undefined || (!saysModern(request, message) && (await isLegacyRequest(request, message)));
  if (isLegacy) return sessions.handle(user, request, message);
  return { response: await user.modern.fetch(request, { parsedBody: message }) };
}

/**
 * Returns whether a message is certainly of the 2026 era, valid or not: its header says so, and it is no response. Most
 * messages are, so the library's own check is not needed for them.
 */
export const saysModern = ({ headers }: Request, message: object): boolean =>
  headers.get("mcp-protocol-version") === "2026-07-28" &&
  "method" in message &&
  !("result" in message || "error" in message);

/** Serves a stream of news in the 2026 era. It is no call, so it takes no place and a drain does not wait for it. */
async function listen(
  asked: object,
  user: User,
  request: Request,
  { log }: HttpAppDeps,
  onEnd: () => void,
): Promise<Response> {
  const { message, end } = await beginListening(asked, user.subscriptions);
  const answering = user.modern.fetch(request, { parsedBody: message }).then((response) => ({ response }));
  const leave = () => {
    end();
    onEnd();
  };
  return untilRead(answering, leave, log);
}

/** Returns the response as its client reads it. The user stays in use, and `onEnd` waits, until the response is over. */
async function untilRead(
  answering: Promise<HttpAnswer>,
  onEnd: () => void,
  log: Log,
  deadline?: StreamEvents["deadline"],
): Promise<Response> {
  let answer: HttpAnswer | undefined;
  const end = () => {
    answer?.onEnd?.();
    onEnd();
  };
  try {
    answer = await answering;
    const response = await withRefusalCode(answer.response);
    response.headers.delete("connection"); // the library says keep-alive, even to a client that asked for the connection's end
    return followStream(response, { onUnread: () => log.warn("stream_unread"), onEnd: end, deadline });
  } catch (error) {
    end();
    throw error;
  }
}

/**
 * Returns a request that accepts both forms of answer, because a client may have said nothing or used a wildcard. The
 * body has been read already.
 */
function acceptingBoth(request: Request): Request {
  const { url, method, headers: sent, signal } = request;
  const accept = sent.get("accept") ?? "";
  if (accept.includes("application/json") && accept.includes("text/event-stream")) return request;
  const headers = new Headers(sent);
  headers.set("Accept", "application/json, text/event-stream");
  return new Request(url, { method, headers, signal });
}

/**
 * Waits for the answer for so many milliseconds. @throws HttpError `timed_out`; what the call has begun goes on, as it
 * would if the client hung up
 */
async function within(ms: number, answering: Promise<Response>, clock: Clock): Promise<Response> {
  let cancel = () => {};
  const tooLate = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => reject(new HttpError("timed_out")));
  });
  try {
    return await Promise.race([answering, tooLate]);
  } finally {
    cancel();
  }
}
