import { randomBytes } from "node:crypto";
import { nanoid } from "nanoid";
import { createBrowsersApp } from "../../ask/page/browsers-app.ts";
import { createHostedSite } from "../../ask/page/hosted-site.ts";
import type { SignInDesk } from "../../ask/page/sign-in.ts";
import { connectionsIn } from "../../backend/connections.ts";
import { createHttp, type Http } from "../../backend/http.ts";
import { NewTokenLimiter } from "../../backend/new-token-limiter.ts";
import { systemClock } from "../../clock.ts";
import { Failure, TowowError } from "../../errors.ts";
import { openHomeKey } from "../../home/home-key.ts";
import { LAST_KEYS } from "../../home/last-ids.ts";
import { hostOf, isHere, SANDBOX } from "../../home/origin.ts";
import { environmentNames, fileNames } from "../../home/schema.ts";
import { requireBackend } from "../../home/settings.ts";
import type { Log } from "../../log.ts";
import type { HttpAppDeps } from "../../mcp/http/app.ts";
import { Gate } from "../../mcp/http/gate.ts";
import { Metrics } from "../../mcp/http/metrics.ts";
import { Rate } from "../../mcp/http/rate.ts";
import { isServed } from "../../mcp/http/request-checks.ts";
import { Sessions } from "../../mcp/http/sessions.ts";
import { Clients } from "../../mcp/http/sign-in/clients.ts";
import { TOKEN_PATH } from "../../mcp/http/token-page.ts";
import type { User as HttpUser } from "../../mcp/http/user.ts";
import type { Program } from "../../mcp/server-deps.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { createPresence } from "../../store/presence.ts";
import { type Store, scoped } from "../../store/store.ts";
import { textsReadBy } from "../../text/index.ts";
import { checkToolNames, TOOLS } from "../../tools/index.ts";
import { sha256 } from "../hash.ts";
import { homeOf, localeOf } from "../home-folder.ts";
import { thisProcess } from "../process.ts";
import { createRuntime, type Runtime } from "../runtime.ts";
import { EndpointBrowsers } from "./browsers.ts";
import { createDocumentFetch } from "./client-documents.ts";
import { createConsentDesk } from "./consent-desk.ts";
import { Renewals } from "./credentials.ts";
import { GrantedUsers } from "./granted-users.ts";
import { watchLoopUse } from "./loop-use.ts";
import type { ServeArguments, ServeOptions } from "./options.ts";
import type { EndpointRooms } from "./rooms.ts";
import { serve } from "./served.ts";
import { openSignIn } from "./sign-in.ts";
import { Tokens } from "./tokens.ts";
import { openUserPlaces } from "./user-places.ts";
import { type HomeUser, TokenUsers } from "./users.ts";
import { VisitorTokens } from "./visitor-tokens.ts";

export interface Endpoint {
  /** People's negotiation rooms. Undefined with neither a public address nor the home's own identity. */
  rooms: EndpointRooms | undefined;
  app: Omit<HttpAppDeps, "phase">;
  log: Log;
  /**
   * The path of the key file that proves a client's right to this home's identity. Undefined unless that identity is
   * served.
   */
  homeKeyPath: string | undefined;
  /** The operator's language. */
  lang: "zh" | "en";
  /** Returns the number of calls that are running now. */
  running: () => number;
  /** Returns the negotiations that are still undecided, or whose decision has not arrived yet. */
  busyIds: () => string[];
  /** Returns whether a person's no is on its way without being written down anywhere. */
  holdsNo: () => boolean;
  /** Ends every stream, settles what is undecided, and closes the store. */
  close(): Promise<void>;
}

const SESSIONS_PER_USER = 64;
/**
 * A backend under load answers in less than a second. A team of hundreds that comes back at once is served within half
 * a minute.
 */
const NEW_TOKEN_LIMITS = { atOnce: 16, per10s: 200, patienceMs: 5_000 };

/** Settings that are the operator's own as a person. They must not become defaults for everybody. */
const PERSONAL = ["user_id", "api_token", "identities", ...LAST_KEYS] as const;

/**
 * Composes everything that `serve` needs.
 * @throws StoreUnreachable, BackendUrlMissing, Failure for a setting that `serve` cannot use, and what the checks of
 * the settings throw
 */
export async function createEndpoint(args: ServeArguments, options: ServeOptions): Promise<Endpoint> {
  const { io, root, flags, readLog } = args;
  const { env, clock } = io;
  const runtime = await createRuntime({ io, root, flags, logLevel: env.TOWOW_LOG_LEVEL ?? "info", readLog });
  const { log, version, live } = runtime;
  const problem = live.problem();
  if (problem !== undefined) throw problem;
  const { backend_url: backendUrl, profile } = requireBackend(live.current());
  if (backendUrl === SANDBOX) throw new Failure("tool.config.invalid.sandbox_not_shared");
  if (profile === "offline" && !isHere(backendUrl))
    throw new Failure("tool.policy.blocked.offline", { host: hostOf(backendUrl) });

  checkToolNames(live.current());

  const store = await openStore(options, log);
  const owner = thisProcess(io);
  const { instance } = owner;
  const presence = createPresence({ store, instance, clock, log });
  const backendStore = scoped(store, `backend:${sha256(backendUrl).slice(0, 16)}:`);
  const metrics = new Metrics({
    sessions: () => sessions.size,
    users: () => users.size,
    calls_running: () => gate.open - gate.waiting,
    calls_waiting: () => gate.waiting,
    calls_allowed: () => gate.allowed,
    loop_use: () => gate.loopUse,
    pollers: () => users.polled,
  });
  const rate = new Rate(options.requestsPer10s, clock);
  const gate = new Gate({ atOnce: options.atOnce, loopUse: io.loopUse ?? watchLoopUse(), clock });
  const { counted } = gate;
  const sessions = new Sessions({
    clock,
    log,
    newId: nanoid,
    replica: options.replica,
    idleMs: options.sessionIdleMs,
    max: options.maxSessions,
    maxPerUser: SESSIONS_PER_USER,
  });
  const hasRooms = options.publicUrl !== undefined || options.localIdentity;
  const known = new Set(TOOLS.map(({ name }) => name));
  const onCall: NonNullable<Program["onCall"]> = (done) =>
    metrics.call({ ...done, tool: known.has(done.tool) ? done.tool : "unknown" });
  const key = options.localIdentity ? openHomeKey(homeOf(env), () => randomBytes(32)) : undefined;
  const home = key && { user: createLocalUser({ runtime, store, onCall, counted }), key };
  const signIn = options.signIn
    ? await openSignIn({
        ...{ store, isShared: options.storeUrl !== undefined, home: runtime.config.home, clock, log, rate },
        stateKey: options.hasStateKey ? options.stateKey : undefined,
        ended: (account, id) => users.endGrant(account, id),
      })
    : undefined;
  const browsers = new EndpointBrowsers({
    store,
    seals: signIn?.seals,
    clock,
    home: home && { user: home.user.key, browsers: runtime.browsers, key: home.key },
    acceptedUser: (token) => users.judge(token),
    revoked: async (user) => rooms?.browserRevoked(user),
    openRoom: async (token) => (await rooms?.open(token)) ?? true,
  });
  const { publicUrl } = options;
  const people: SignInDesk = {
    // On this machine alone, without sign-in, the room is the only page, and no other program here needs its cookie.
    cookiePath: publicUrl === undefined && signIn === undefined ? "/room" : "/",
    isSecure: publicUrl?.protocol === "https:",
    ownerOf: (cookies) => browsers.ownerOf(cookies),
    signIn: (...form) => browsers.signIn(...form),
    programs: signIn && {
      list: async (user) =>
        (await signIn.grants.list(user)).map(({ word_taken_back, passes_word, ...program }) => ({
          ...program,
          passesWord: passes_word && word_taken_back !== true,
        })),
      end: (user, id) => signIn.grants.end(user, id),
      takeBackWord: (user, id) => signIn.grants.takeBackWord(user, id),
    },
    newToken: async () => ((await tokenDesk?.isOpen()) === true ? TOKEN_PATH : undefined),
  };
  const roomPeople = {
    ...people,
    signIn: (...form: Parameters<SignInDesk["signIn"]>) => browsers.signIn(...form, true),
  };
  const textsOf = textsReadBy({ who: "endpoint", room: options.publicUrl && `${options.publicUrl.origin}/room` });
  const site =
    options.publicUrl &&
    createHostedSite({
      clock,
      newId: nanoid,
      publicUrl: options.publicUrl,
      replica: options.replica,
      people,
      textsOf,
    });
  // On this machine alone, the home's own programs let browsers in. The same page ends programs that have signed in.
  const ownList =
    site === undefined &&
    signIn !== undefined &&
    createBrowsersApp({
      ...{ path: "/browsers", roomPath: "/room", people },
      isHost: (host) => isServed(host, options.requestRules),
      originOf: (host) => `http://${host}`,
    });
  const needsHeartbeat = () => users.busyIds.length > 0;
  const places =
    options.storeUrl === undefined
      ? openUserPlaces({ home: runtime.config.home, owner, needsHeartbeat, clock, log })
      : undefined;
  const http = createHttp({ version, clock, random: Math.random, log, ...connectionsIn(env) });
  const toBackend = measured(http, metrics);
  const newTokenLimiter = new NewTokenLimiter(NEW_TOKEN_LIMITS, clock);
  const tokens = new Tokens({
    ...{ backendUrl, http: toBackend, newTokenLimiter, store, maxTried: options.maxNewTokens, clock, log },
  });
  const renewals = new Renewals({ backendUrl, http: toBackend, version });
  const users = new TokenUsers({
    grants: signIn && { all: signIn.grants, authOf: signIn.authsWith(renewals, instance) },
    ownTokens: options.ownTokens,
    backend: { url: backendUrl, polling: { random: Math.random, onPoll: () => metrics.poll() } },
    tokens,
    operator: operatorInput(runtime, backendUrl, env, flags),
    store,
    history: { owner, isAlive: places?.isAlive ?? ((other) => presence.isAlive(other.instance)), places },
    textsOf,
    pages: site && { site, browsers },
    gate,
    root,
    server: {
      ...runtime.platform,
      ...{ version, stateKey: options.stateKey, onCall, counted },
      ...{ instructions: runtime.deps.instructions, prompt: runtime.deps.prompt, chat: runtime.deps.chat },
    },
    maxUsers: options.maxUsers,
    maxNewTokens: options.maxNewTokens,
    endSessions: (key, grant) => sessions.endOf(key, grant),
    home,
  });
  const rooms = hasRooms
    ? new (await import("./rooms.ts")).EndpointRooms({
        use: (token) => users.useOwn(token),
        known: (key) => users.known(key),
        browsers,
        people: roomPeople,
        publicUrl: options.publicUrl,
        replica: options.replica,
        gate,
        root,
        home: runtime.config.home,
        clock,
        log,
      })
    : undefined;
  const waitsFor = async (user: string) => rooms?.waitsFor(user);
  const tokenDesk = options.tokenPage
    ? new VisitorTokens({
        ...{ backendUrl, http: toBackend, newTokenLimiter, store: backendStore, version, clock, log },
        profile: () => live.current().profile,
      })
    : undefined;
  return {
    log,
    rooms,
    homeKeyPath: key?.path,
    lang: live.current().lang,
    running: () => gate.open,
    busyIds: () => [...users.busyIds, ...runtime.busyIds()],
    holdsNo: () => users.holdsNo || runtime.holdsNo(),
    app: {
      requestRules: options.requestRules,
      users,
      sessions,
      rate,
      gate,
      metrics,
      store,
      clock,
      log,
      version,
      metricsOn: options.metricsOn,
      // The operator's policy. What users set for themselves is never looser.
      pages: {
        apps: { ...site?.apps, ...(ownList && { "/browsers": ownList }), ...rooms?.apps },
        people: roomPeople,
        policy: () => live.current(),
        waitsFor,
      },
      tokenDesk,
      publicUrl: options.publicUrl,
      signIn: signIn && {
        ...signIn,
        clients: new Clients({
          ...{ seals: signIn.seals, clock, store },
          fetchDocument:
            options.clientDocuments && profile !== "offline"
              ? createDocumentFetch({ version, clock, through: connectionsIn(env) })
              : undefined,
        }),
        desk: createConsentDesk({
          ...{
            origin: new URL(backendUrl).origin,
            browsers,
            grants: signIn.grants,
            renewals,
            tokens,
            store,
            tokenDesk,
          },
          home,
          isDry: () => live.current().profile === "dry_run",
          newSecret: () => signIn.seals.newSecret(),
        }),
        policy() {
          const { confirmation_policy, on_unconfirmed } = live.current();
          return { isStrict: confirmation_policy === "strict", leaves: on_unconfirmed === "leave" };
        },
        network: hostOf(backendUrl),
        besideTokens: options.ownTokens,
      },
    },
    async close() {
      rooms?.close();
      await sessions.close();
      // Another replica can only know of an open pause if the store is shared.
      const atEnd = options.storeUrl === undefined ? undefined : "to_replicas";
      await Promise.allSettled([users.close(atEnd), runtime.close()]);
      await places?.close();
      signIn?.close();
      await presence.leave();
      await http.close();
      await store.close();
    },
  };
}

async function openStore({ storeUrl }: ServeOptions, log: Log): Promise<Store> {
  if (storeUrl === undefined) return createMemoryStore(systemClock);
  const { createRedisStore } = await import("../../store/redis.ts");
  return createRedisStore({ url: storeUrl, log });
}

/** Returns the operator's settings as defaults for everybody, without those that belong to one person. */
function operatorInput(
  { config }: Runtime,
  backendUrl: string,
  env: NodeJS.ProcessEnv,
  flags: ServeArguments["flags"],
) {
  const without = (from: Record<string, unknown>, namesOf: (key: (typeof PERSONAL)[number]) => string[]) => {
    const personal = new Set(PERSONAL.flatMap(namesOf));
    return Object.fromEntries(Object.entries(from).filter(([name]) => !personal.has(name)));
  };
  return {
    flags: without(flags, (key) => [key]),
    env: without(env, environmentNames) as Record<string, string | undefined>,
    // All users have one backend address, and what is kept for a user is kept for that address.
    file: { ...without(config.read().values, fileNames), backend_url: backendUrl },
    locale: localeOf(env),
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

interface LocalUserParts {
  runtime: Runtime;
  store: Store;
  onCall: NonNullable<Program["onCall"]>;
  counted: NonNullable<Program["counted"]>;
}

/** Creates the person of this machine, with the home's own identity, history and pages. */
function createLocalUser({ runtime, store, ...hooks }: LocalUserParts): HomeUser {
  const { user, live, log } = runtime;
  live.watch();
  runtime.runInBackground();
  // The id that a client claims is ignored, because this person's id is the home's.
  const { clock } = runtime.io;
  const served = serve(user, { as: (_, deps) => ({ ...deps, ...hooks }), clock, log });
  const local: HttpUser = {
    ...served,
    key: "local",
    isAccepted: true, // Nobody else has the key.
    store: scoped(store, "local:"),
    async prepare(request) {
      live.refresh();
      await served.prepare(request);
    },
    use: () => () => {}, // The local user exists for as long as the program runs, so uses are not counted.
  };
  const granted = new GrantedUsers((own) => ({
    ...local,
    ...serve(user, {
      as: (_, deps) => ({ ...deps, ...hooks, passesNoWord: () => !own.grant.passesWord }),
      clock,
      log,
    }),
    grant: own.grant.id,
    prepare: local.prepare,
  }));
  return { ...local, granted };
}
