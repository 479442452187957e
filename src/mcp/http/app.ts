import { isLegacyRequest } from "@modelcontextprotocol/server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { SignInDesk } from "../../ask/page/sign-in.ts";
import { browserCookies, seesBrowsers } from "../../ask/page/visitor.ts";
import type { Clock } from "../../clock.ts";
import { ignoreTowowError } from "../../errors.ts";
import { failureOf, type Log } from "../../log.ts";
import type { Silence } from "../../negotiation/plan.ts";
import type { Platform } from "../../platform.ts";
import { type Store, StoreUnreachable, scoped } from "../../store/store.ts";
import { beginListening, isListen } from "../listen.ts";
import { frontPage, isBrowser, missingPage, type Policy, type SignsIn } from "./front-page.ts";
import { decides, type Gate, type GateSlot } from "./gate.ts";
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
import { createSignIn, type SignIn, type SignInDeps } from "./sign-in/sign-in.ts";
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
  platform: Platform;
  version: string;
  /** Returns the phase of the endpoint. `leaving` still answers but is not ready, and `closed` answers nothing new. */
  phase: () => "serving" | "leaving" | "closed";
  /** True if `/metrics` is answered, to everybody who reaches this port. */
  metricsOn: boolean;
  /** The apps of people's pages by their paths, and what these pages need. */
  pages: {
    apps: Readonly<Record<string, Pick<Hono, "fetch">>>;
    people: SignInDesk;
    policy: () => Policy;
    /**
     * Returns what happens to the text that waits for this user's decision if they never decide. Undefined if no text
     * waits.
     */
    waitsFor: (user: string) => Promise<Silence | undefined>;
  };
  /** Issues tokens to visitors, if the operator lets them have one. */
  tokenDesk?: TokenDesk | undefined;
  /** The services with which programs sign in for their people, if the operator lets them. */
  signIn?: SignInDeps | undefined;
  /** The address that clients and people use, even if a proxy sends another Host here. */
  publicUrl?: URL | undefined;
}

/** Keeps the message that is being served, because the answer to a refused message repeats its id. */
type Env = { Variables: { message: object | undefined } };

const EXPOSED = ["Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate", "Retry-After"];

/** Tells which hosts this endpoint serves, and under which origin. */
interface Hosts {
  /** Returns whether programs may name this `host:port`. */
  isHost: (host: string) => boolean;
  /** Returns whether people's pages are served at this `host:port`. */
  isPageHost: (host: string) => boolean;
  originOf: (host: string) => string;
}

/**
 * Creates the app of the endpoint (seed 001, "Streamable HTTP"). Every request to `/mcp` passes the checks of
 * `request-checks.ts` before its user's part of the endpoint serves it.
 */
export function createHttpApp(deps: HttpAppDeps): Hono<Env> {
  const hosts = hostsOf(deps);
  const { pages, store } = deps;
  const { clock } = deps.platform;
  const signIn =
    deps.signIn &&
    createSignIn(deps.signIn, { people: pages.people, store, clock, browsersPath: "/browsers", ...hosts });
  const app = new Hono<Env>();
  app.use(accessLog(deps, signIn));
  addProbes(app, deps);
  addPages(app, deps, hosts);
  addMcp(app, deps);
  if (signIn === undefined) refuseRegistration(app, deps);
  else addSignIn(app, signIn, deps, hosts);
  app.notFound((c) =>
    isBrowser(c) ? missingPage(c, hosts.originOf(hostIn(c))) : errorResponse(new HttpError("not_found")),
  );
  app.onError((error, c) => refusalOf(error, c, deps, signIn && { ...signIn, ...hosts }));
  return app;
}

function hostsOf({ publicUrl, requestRules }: HttpAppDeps): Hosts {
  const isHost = (host: string) => isServed(host, requestRules);
  return publicUrl === undefined
    ? { isHost, isPageHost: isHost, originOf: (host) => `http://${host}` }
    : { isHost, isPageHost: (host) => host === publicUrl.host, originOf: () => publicUrl.origin };
}

const hostIn = (c: Context): string => c.req.header("host") ?? "";

/** Serves each app at its path. The app gets the request unchanged. */
function mountAll(app: Hono<Env>, apps: Readonly<Record<string, Pick<Hono, "fetch">>>): void {
  for (const [path, { fetch }] of Object.entries(apps))
    app.mount(path, fetch, { replaceRequest: (request) => request });
}

/** Counts and logs each request by its route. A path that nothing serves is "other", because anybody can invent one. */
function accessLog({ metrics, platform }: HttpAppDeps, signIn: SignIn | undefined): MiddlewareHandler {
  const { clock, log } = platform;
  const routes = [
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
  ];
  return async (c, next) => {
    const from = clock.monotonic();
    await next();
    const first = c.req.path.split("/", 2).join("/");
    const route = routes.includes(first) ? first : "other";
    const { method } = c.req;
    const { status } = c.res;
    metrics.request(route, status);
    // A success is logged at the debug level only, because a call has log lines of its own, and probes come every few
    // seconds.
    const at = status < 400 ? "debug" : "info";
    log[at]("http_access", { method, route, status, duration_ms: clock.monotonic() - from });
  };
}

/** Adds the probes of load balancers and the metrics of operators. */
function addProbes(app: Hono<Env>, { version, phase, store, metrics, metricsOn, requestRules }: HttpAppDeps): void {
  app.get("/healthz", (c) => c.json({ status: "ok", version }));
  app.get("/readyz", async (c) => {
    if (phase() !== "serving") return c.json({ status: "draining" }, 503);
    const reached = await store.checkWritable().then(
      () => true,
      () => false,
    );
    return reached ? c.json({ status: "ready" }) : c.json({ status: "store_unreachable" }, 503);
  });
  app.get("/metrics", async (c) => {
    if (!metricsOn) throw new HttpError("not_found");
    checkNotRebound(c.req.header("host"), requestRules);
    const { body, contentType } = await metrics.text();
    return c.body(body, 200, { "Content-Type": contentType });
  });
}

/** Adds people's pages, the front page that leads to them, and the page for a new token. */
function addPages(app: Hono<Env>, deps: HttpAppDeps, { isPageHost, originOf }: Hosts): void {
  const { apps, people, policy, waitsFor } = deps.pages;
  mountAll(app, apps);
  const signsIn: SignsIn | undefined = deps.signIn && (deps.signIn.besideTokens ? "beside_tokens" : "alone");
  app.get("/", async (c) => {
    checkHost(c.req.header("host"), deps.requestRules);
    const there = (path: string) => (path in apps ? path : undefined);
    const owner = await people.ownerOf(browserCookies(c, people)).catch(ignoreTowowError);
    return frontPage(c, originOf(hostIn(c)), {
      room: there("/room"),
      browsers: there("/browsers"),
      token: await people.newToken(),
      isSignedIn: seesBrowsers(people) ? owner !== undefined : undefined,
      waits: owner && (await waitsFor(owner.user).catch(ignoreTowowError)),
      policy: policy(),
      signsIn,
    });
  });
  const { tokenDesk: desk } = deps;
  if (desk === undefined) return;
  const options = { desk, people, roomPath: "/room", policy, isHost: isPageHost, originOf, signsIn };
  mountAll(app, { [TOKEN_PATH]: createTokenPage(options) });
}

/** Adds the endpoint that MCP clients call. */
function addMcp(app: Hono<Env>, deps: HttpAppDeps): void {
  const { requestRules } = deps;
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
  // A program sends no Origin. Its response must stay as it was made, because Hono writes such a response out without a
  // stream.
  app.use("/mcp", (c, next) => {
    const isProgram = c.req.header("origin") === undefined && c.req.method !== "OPTIONS";
    return isProgram ? next() : forPages(c, next);
  });
  app.on(["GET", "POST", "DELETE"], "/mcp", (c) => serve(c, deps));
  app.all("/mcp", () => {
    throw new HttpError("method_not_allowed", { Allow: "GET, POST, DELETE, OPTIONS" });
  });
}

/**
 * Refuses a client that got 401 and tries to register itself. Such a client shows its person this answer instead of the
 * 401's. Claude Code shows the beginning unchanged, but leaves out the path of every address.
 */
function refuseRegistration(app: Hono<Env>, { requestRules }: HttpAppDeps): void {
  app.post("/register", (c) => {
    checkHost(c.req.header("host"), requestRules);
    return c.json({ error_description: TOKEN_WANTED, error: "access_denied" }, 403);
  });
}

/** Says what to do to a person who has added the endpoint without their token. */
const TOKEN_WANTED =
  "Your token is missing. Take this entry out and add it again with your token at its end, as in: claude mcp add --transport http towow <the same address> --header 'Authorization: Bearer <token>'. This endpoint signs nobody up.";

/** Adds the endpoint's own authorization server. */
function addSignIn(app: Hono<Env>, signIn: SignIn, { requestRules }: HttpAppDeps, { originOf }: Hosts): void {
  mountAll(app, signIn.apps);
  // A client that runs in a page tries several of these addresses in turn, so it must be able to read that there is
  // nothing at the others.
  app.use("/.well-known/*", cors({ origin: "*", allowMethods: ["GET"], maxAge: 600 }));
  app.all("/.well-known/*", (c) => {
    checkHost(c.req.header("host"), requestRules);
    return signIn.document(c.req.raw, originOf(hostIn(c))) ?? c.notFound();
  });
}

/** Returns the answer to a request that was refused or failed. A client that can sign in learns where. */
function refusalOf(
  error: Error,
  c: Context<Env>,
  { platform }: HttpAppDeps,
  signIn: (Pick<SignIn, "challenge"> & Pick<Hosts, "originOf">) | undefined,
): Response {
  const body = c.get("message");
  if (error instanceof HttpError && error.code === "unauthorized" && signIn !== undefined) {
    const hadBearer = c.req.header("authorization") !== undefined;
    const where = signIn.challenge(signIn.originOf(hostIn(c)), hadBearer);
    return errorResponse(new HttpError("sign_in_first", { ...error.headers, "WWW-Authenticate": where }), body);
  }
  if (error instanceof HttpError) return errorResponse(error, body);
  if (error instanceof StoreUnreachable) return errorResponse(new HttpError("store_unreachable"), body);
  platform.log.error("http_failed", { error: failureOf(error) });
  return errorResponse(new HttpError("internal"), body);
}

/**
 * Serves one request of an MCP client.
 * @throws HttpError
 */
async function serve(c: Context<Env>, deps: HttpAppDeps): Promise<Response> {
  const { users, rate, gate, requestRules, phase } = deps;
  const arrived = c.req.raw;
  const isPost = arrived.method === "POST";
  if (phase() === "closed") throw new HttpError("draining", { "Retry-After": "2", Connection: "close" });
  const bearer = bearerOf(arrived.headers);
  const timeoutMs = timeoutOf(arrived.headers);
  if (isPost) checkContent(arrived.headers);
  // The user is taken into use before the body is read, because a body may be large and slow.
  const { user, release } = await users.use(bearer);
  const slot = gate.slotFor(user);
  const end = () => {
    slot.free();
    release();
  };
  try {
    const limited = await rate.exceeded(user.store);
    const message = isPost ? await readMessage(arrived, requestRules, (bytes) => slot.hold(bytes, limited)) : undefined;
    c.set("message", message);
    if (limited !== undefined) {
      if (message === undefined || !decides(message)) throw limited;
      await rate.count(scoped(user.store, "decisions:"));
    }
    const isStream = isListen(message);
    if (message !== undefined && !isStream) slot.enter(message);
    await user.prepare(arrived);
    const request = isPost ? acceptingBoth(arrived) : arrived;
    if (isStream) return await listen(message as object, user, request, deps, end);
    return await answered({ user, slot, request, message, timeoutMs }, deps, end);
  } catch (error) {
    // A call that timed out goes on, and calls `end` itself.
    if (!(error instanceof HttpError && error.code === "timed_out")) end();
    throw error;
  }
}

interface Asked {
  user: User;
  slot: GateSlot;
  request: Request;
  message: object | undefined;
  timeoutMs: number | undefined;
}

function answered({ user, slot, request, message, timeoutMs }: Asked, deps: HttpAppDeps, onEnd: () => void) {
  const { sessions, platform } = deps;
  const { log, clock } = platform;
  const answering = slot.run(() => answer(user, request, message, sessions));
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
 * Returns whether a message, valid or not, is certainly of the 2026 era. It is if its header says so and it is no
 * response. Most messages are, so the library's own check is not needed for them.
 */
export const saysModern = ({ headers }: Request, message: object): boolean =>
  headers.get("mcp-protocol-version") === "2026-07-28" &&
  "method" in message &&
  !("result" in message || "error" in message);

/**
 * Serves a stream of news in the 2026 era. The stream is no running call, so it is not limited like one, and a drain
 * does not wait for it.
 */
async function listen(
  asked: object,
  user: User,
  request: Request,
  { platform }: HttpAppDeps,
  onEnd: () => void,
): Promise<Response> {
  const { message, end } = await beginListening(asked, user.subscriptions);
  const answering = user.modern.fetch(request, { parsedBody: message }).then((response) => ({ response }));
  const leave = () => {
    end();
    onEnd();
  };
  return untilRead(answering, leave, platform.log);
}

/**
 * Returns the response, and calls `onEnd` once the response is over, however it ends. Until then its user stays in use.
 */
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
    // The library sends `keep-alive` even to a client that asked for the connection to be closed.
    response.headers.delete("connection");
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
 * Waits for the answer for at most `ms` milliseconds. What the call has begun goes on afterwards, as it would if the
 * client hung up.
 * @throws HttpError `timed_out`
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
