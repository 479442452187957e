import { connectionsIn } from "../../backend/connections.ts";
import { systemClock } from "../../clock.ts";
import { Failure } from "../../errors.ts";
import { LAST_KEYS } from "../../home/last-ids.ts";
import type { LiveSettings } from "../../home/live-settings.ts";
import { hostOf, isHere, SANDBOX } from "../../home/origin.ts";
import { environmentNames, fileNames } from "../../home/schema.ts";
import { requireBackend } from "../../home/settings.ts";
import type { Log } from "../../log.ts";
import type { HttpAppDeps } from "../../mcp/http/app.ts";
import { Gate } from "../../mcp/http/gate.ts";
import { Metrics } from "../../mcp/http/metrics.ts";
import { Rate } from "../../mcp/http/rate.ts";
import { Sessions } from "../../mcp/http/sessions.ts";
import { Clients } from "../../mcp/http/sign-in/clients.ts";
import type { SignInDeps } from "../../mcp/http/sign-in/sign-in.ts";
import type { Program } from "../../mcp/server-deps.ts";
import type { Owner } from "../../negotiation/facts.ts";
import { sha256 } from "../../sha256.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { createPresence, type Presence } from "../../store/presence.ts";
import { type Store, scoped } from "../../store/store.ts";
import { checkToolNames, TOOLS } from "../../tools/index.ts";
import { localeOf } from "../home-folder.ts";
import { thisProcess } from "../process.ts";
import { createRuntime, type Runtime } from "../runtime.ts";
import { type EndpointBackend, openBackend } from "./backend.ts";
import { EndpointBrowsers } from "./browsers.ts";
import { createDocumentFetch } from "./client-documents.ts";
import { createConsentDesk } from "./consent-desk.ts";
import { Renewals } from "./credentials.ts";
import { type HomePerson, openHomePerson } from "./home-person.ts";
import { measureLoopUse } from "./loop-use.ts";
import type { ServeArguments, ServeOptions } from "./options.ts";
import { createPages, type EndpointPages } from "./pages.ts";
import type { EndpointRooms } from "./rooms.ts";
import { openSignIn, type SignInState } from "./sign-in.ts";
import { Tokens } from "./tokens.ts";
import { openUserFolders, type UserFolders } from "./user-folders.ts";
import { TokenUsers } from "./users.ts";
import { VisitorTokens } from "./visitor-tokens.ts";

/** The parts of an endpoint that exist before anybody can sign in. */
interface Foundation {
  args: ServeArguments;
  options: ServeOptions;
  runtime: Runtime;
  /** Identifies this running program in negotiation histories and to other replicas. */
  owner: Owner;
  store: Store;
  presence: Presence;
  metrics: Metrics;
  rate: Rate;
  gate: Gate;
  sessions: Sessions;
  backend: EndpointBackend;
}

/** The parts through which people and their programs sign in. */
interface Access {
  tokens: Tokens;
  renewals: Renewals;
  /** Issues tokens to visitors. Undefined if visitors cannot get a token here. */
  tokenDesk: VisitorTokens | undefined;
  /** The person of this machine, who comes with the home's key. Undefined at an endpoint for many people. */
  home: HomePerson | undefined;
  /** Holds people's grants to programs. Undefined if programs cannot sign in here. */
  signIn: SignInState | undefined;
  browsers: EndpointBrowsers;
  pages: EndpointPages;
}

interface EndpointParts extends Foundation, Access {
  /** The files that keep users' facts. Undefined if a shared store keeps them, or if the home cannot be written. */
  folders: UserFolders | undefined;
  users: TokenUsers;
  rooms: EndpointRooms | undefined;
}

const SESSIONS_PER_USER = 64;

/** The operator's personal settings. They must not become defaults for the other people of the endpoint. */
const PERSONAL = ["user_id", "api_token", "identities", ...LAST_KEYS] as const;

/** Opens, holds and closes everything that `serve` needs to serve many users. */
export class Endpoint {
  readonly #parts: EndpointParts;
  readonly app: Omit<HttpAppDeps, "phase">;

  /**
   * Opens each part after the parts that it needs. The browsers learn of the rooms only at the end, because the rooms
   * need the browsers first.
   * @throws StoreUnreachable, BackendUrlMissing, Failure for a setting that `serve` cannot use, and what the checks of
   * the settings throw
   */
  static async open(args: ServeArguments, options: ServeOptions): Promise<Endpoint> {
    const base = await layFoundation(args, options);
    const { runtime, owner, metrics, gate, sessions } = base;
    const access = await openAccess(base);
    const folders =
      options.storeUrl === undefined
        ? openUserFolders({ home: runtime.config.home, owner, platform: runtime.platform })
        : undefined;
    const users = createUsers(base, access, folders);
    const rooms = await openRooms(base, access, users);
    if (rooms !== undefined) access.browsers.leadTo(rooms);
    metrics.observe({
      sessions: () => sessions.size,
      users: () => users.size,
      calls_running: () => gate.open - gate.waiting,
      calls_waiting: () => gate.waiting,
      calls_allowed: () => gate.allowed,
      loop_use: () => gate.loopUse,
      pollers: () => users.polled,
    });
    return new Endpoint({ ...base, ...access, folders, users, rooms });
  }

  private constructor(parts: EndpointParts) {
    this.#parts = parts;
    this.app = appOf(parts);
  }

  get log(): Log {
    return this.#parts.runtime.log;
  }

  /**
   * People's negotiation rooms. Undefined if the endpoint has no public address and does not serve the person of this
   * machine.
   */
  get rooms(): EndpointRooms | undefined {
    return this.#parts.rooms;
  }

  /**
   * The path of the home's key file. A client that sends this key is served as the person of this machine. Undefined if
   * the endpoint does not serve that person.
   */
  get homeKeyPath(): string | undefined {
    return this.#parts.home?.key.path;
  }

  /** The operator's language. */
  get lang(): "zh" | "en" {
    return this.#parts.runtime.live.current().lang;
  }

  /** The number of calls that are running now. */
  get running(): number {
    return this.#parts.gate.open;
  }

  /** The ids of the negotiations for which this program still has something to finish. */
  get busyIds(): string[] {
    const { users, runtime } = this.#parts;
    return [...users.busyIds, ...runtime.busyIds()];
  }

  /**
   * True while a person's no is on its way without being written down anywhere, so that it would be lost if this
   * program ended.
   */
  get holdsNo(): boolean {
    const { users, runtime } = this.#parts;
    return users.holdsNo || runtime.holdsNo();
  }

  /** Ends every stream, withdraws or leaves what is undecided, and closes the store. */
  async close(): Promise<void> {
    const { options, runtime, sessions, users, rooms, folders, signIn, presence, backend, store } = this.#parts;
    rooms?.close();
    await sessions.close();
    // Other replicas can take over what is undecided only if the store is shared.
    const atEnd = options.storeUrl === undefined ? undefined : "to_replicas";
    await Promise.allSettled([users.close(atEnd), runtime.close()]);
    await folders?.close();
    signIn?.close();
    await presence.leave();
    await backend.http.close();
    await store.close();
  }
}

async function layFoundation(args: ServeArguments, options: ServeOptions): Promise<Foundation> {
  const { io, root, flags, readLog } = args;
  const { env, clock } = io;
  const runtime = await createRuntime({ io, root, flags, logLevel: env.TOWOW_LOG_LEVEL ?? "info", readLog });
  const { platform, version, live } = runtime;
  const url = backendUrlOf(live);
  checkToolNames(live.current());
  const store = await openStore(options, platform.log);
  const owner = thisProcess(io);
  const metrics = new Metrics();
  return {
    args,
    options,
    runtime,
    owner,
    store,
    presence: createPresence(platform, store, owner.instance),
    metrics,
    rate: new Rate(options.requestsPer10s, clock),
    gate: new Gate({ atOnce: options.atOnce, loopUse: io.loopUse ?? measureLoopUse(), clock }),
    sessions: new Sessions({
      platform,
      replica: options.replica,
      idleMs: options.sessionIdleMs,
      max: options.maxSessions,
      maxPerUser: SESSIONS_PER_USER,
    }),
    backend: openBackend({ url, version, env, metrics, platform }),
  };
}

/** Returns the address of the backend that all users share. @throws as {@link Endpoint.open} does */
function backendUrlOf(live: LiveSettings): string {
  const problem = live.problem();
  if (problem !== undefined) throw problem;
  const { backend_url: url, profile } = requireBackend(live.current());
  if (url === SANDBOX) throw new Failure("tool.config.invalid.sandbox_not_shared");
  if (profile === "offline" && !isHere(url)) throw new Failure("tool.policy.blocked.offline", { host: hostOf(url) });
  return url;
}

async function openStore({ storeUrl }: ServeOptions, log: Log): Promise<Store> {
  if (storeUrl === undefined) return createMemoryStore(systemClock);
  const { createRedisStore } = await import("../../store/redis.ts");
  return createRedisStore({ url: storeUrl, log });
}

async function openAccess(base: Foundation): Promise<Access> {
  const { options, runtime, owner, store, rate, backend } = base;
  const { platform, live } = runtime;
  const tokens = new Tokens({ backend, store, maxTried: options.maxNewTokens, platform });
  const renewals = new Renewals(backend);
  const tokenDesk = options.tokenPage
    ? new VisitorTokens({
        backend,
        store: scoped(store, `backend:${sha256(backend.url).slice(0, 16)}:`),
        profile: () => live.current().profile,
        platform,
      })
    : undefined;
  const home = options.localIdentity ? openHomePerson(runtime, store, countingOf(base)) : undefined;
  const signIn = options.signIn
    ? await openSignIn({
        ...{ store, isShared: options.storeUrl !== undefined, home: runtime.config.home, renewals, rate, platform },
        stateKey: options.hasStateKey ? options.stateKey : undefined,
        holder: owner.instance,
      })
    : undefined;
  const browsers = new EndpointBrowsers({ store, tokens, seals: signIn?.seals, home, platform });
  const pages = createPages({ options, browsers, signIn, tokenDesk, platform });
  return { tokens, renewals, tokenDesk, home, signIn, browsers, pages };
}

/** Returns the callbacks that count each call, while it runs and when it has ended. */
function countingOf({ metrics, gate }: Foundation): Pick<Program, "onCall" | "counted"> {
  const known = new Set(TOOLS.map(({ name }) => name));
  return {
    onCall: (done) => metrics.call({ ...done, tool: known.has(done.tool) ? done.tool : "unknown" }),
    counted: gate.counted,
  };
}

function createUsers(base: Foundation, access: Access, folders: UserFolders | undefined): TokenUsers {
  const { args, options, runtime, owner, store, presence, metrics, gate, sessions, backend } = base;
  const { tokens, home, signIn, browsers, pages } = access;
  const { site, textsOf } = pages;
  const { version, platform, deps } = runtime;
  return new TokenUsers({
    ...{ tokens, store, gate, sessions, signIn, home, textsOf, root: args.root },
    ownTokens: options.ownTokens,
    backend: { url: backend.url, onPoll: () => metrics.poll() },
    operator: operatorInput(base),
    history: { owner, isAlive: folders?.isAlive ?? ((other) => presence.isAlive(other.instance)), folders },
    pages: site && { site, browsers },
    server: {
      ...{ ...platform, version, stateKey: options.stateKey, ...countingOf(base) },
      ...{ instructions: deps.instructions, prompt: deps.prompt, chat: deps.chat },
    },
    maxUsers: options.maxUsers,
    maxNewTokens: options.maxNewTokens,
  });
}

/** Returns the operator's settings as defaults for everybody, without the operator's personal ones. */
function operatorInput({ args, runtime, backend }: Foundation) {
  const { env } = args.io;
  const without = (from: Record<string, unknown>, namesOf: (key: (typeof PERSONAL)[number]) => string[]) => {
    const personal = new Set(PERSONAL.flatMap(namesOf));
    return Object.fromEntries(Object.entries(from).filter(([name]) => !personal.has(name)));
  };
  return {
    flags: without(args.flags, (key) => [key]),
    env: without(env, environmentNames) as Record<string, string | undefined>,
    // Every user gets this backend address, because everything that is kept for a user belongs to one backend.
    file: { ...without(runtime.config.read().values, fileNames), backend_url: backend.url },
    locale: localeOf(env),
  };
}

async function openRooms(base: Foundation, access: Access, users: TokenUsers): Promise<EndpointRooms | undefined> {
  const { args, options, runtime, gate } = base;
  const { publicUrl, replica } = options;
  if (publicUrl === undefined && !options.localIdentity) return undefined;
  const { EndpointRooms } = await import("./rooms.ts");
  return new EndpointRooms({
    ...{ users, browsers: access.browsers, people: access.pages.roomPeople, publicUrl, replica, gate },
    ...{ root: args.root, home: runtime.config.home, platform: runtime.platform },
  });
}

function appOf(parts: EndpointParts): Endpoint["app"] {
  const { options, runtime, pages, rooms, users, sessions, rate, gate, metrics, store, tokenDesk } = parts;
  const { platform, version, live } = runtime;
  return {
    ...{ users, sessions, rate, gate, metrics, store, platform, version, tokenDesk },
    requestRules: options.requestRules,
    metricsOn: options.metricsOn,
    publicUrl: options.publicUrl,
    pages: {
      apps: { ...pages.apps, ...rooms?.apps },
      people: pages.roomPeople,
      // The page shows the operator's policy. A user's own settings are never looser.
      policy: () => live.current(),
      waitsFor: async (user) => rooms?.waitsFor(user),
    },
    signIn: parts.signIn && signInOf(parts, parts.signIn),
  };
}

function signInOf(parts: EndpointParts, signIn: SignInState): SignInDeps {
  const { args, options, runtime, store, backend, browsers, renewals, tokens, tokenDesk, home } = parts;
  const { clock, env } = args.io;
  const { live, version } = runtime;
  const { grants, seals } = signIn;
  const fetchesDocuments = options.clientDocuments && live.current().profile !== "offline";
  return {
    grants,
    seals,
    clients: new Clients({
      ...{ seals, clock, store },
      fetchDocument: fetchesDocuments
        ? createDocumentFetch({ version, clock, through: connectionsIn(env) })
        : undefined,
    }),
    desk: createConsentDesk({
      ...{ backend, browsers, signIn, renewals, tokens, store, tokenDesk, home },
      isDry: () => live.current().profile === "dry_run",
    }),
    policy() {
      const { confirmation_policy, on_unconfirmed } = live.current();
      return { isStrict: confirmation_policy === "strict", leaves: on_unconfirmed === "leave" };
    },
    network: hostOf(backend.url),
    besideTokens: options.ownTokens,
  };
}
