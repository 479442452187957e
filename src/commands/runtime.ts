import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { Ledger } from "../agent/session.ts";
import { createLocalSite } from "../approval/local-site.ts";
import { createApprovalPages } from "../approval/pages.ts";
import { type Auth, type BackendClient, createBackendClient, createTokenRequest } from "../backend/client.ts";
import { DryRun } from "../backend/dry-run.ts";
import { createHttp, type Http } from "../backend/http.ts";
import { inCall } from "../backend/in-call.ts";
import type { Operation } from "../backend/operation.ts";
import { systemClock } from "../clock.ts";
import { OfflineOnly } from "../config/errors.ts";
import { createIdentity } from "../config/identity.ts";
import { createLiveSettings, type LiveSettings } from "../config/live.ts";
import { isLoopback } from "../config/origin.ts";
import { requireBackend, resolveAll } from "../config/resolve.ts";
import type { ConfigKey } from "../config/schema.ts";
import { ConfigStore } from "../config/store.ts";
import { TowowError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { ServerDeps } from "../mcp/server.ts";
import { createSession } from "../mcp/session.ts";
import type { HistoryStore, Owner } from "../negotiation/history.ts";
import { createFileHistory } from "../negotiation/history-files.ts";
import { FIRST_LOOK_MS } from "../negotiation/recovery.ts";
import { type AtEnd, Negotiations } from "../negotiation/service.ts";
import { Pollers, Watcher } from "../negotiation/watcher.ts";
import { createMemoryStore } from "../store/memory.ts";
import { textsOf } from "../text/index.ts";
import { createBrowser } from "./browser.ts";
import { homeOf } from "./home-folder.ts";
import { createLog } from "./log.ts";
import { processStart } from "./process-start.ts";

export interface RuntimeOptions {
  env: NodeJS.ProcessEnv;
  flags?: Partial<Record<ConfigKey, unknown>>;
  /**
   * Without a configured backend, take the one of the newest own negotiation: a client may have given it to its server
   * alone, where a terminal does not see it.
   */
  fallbackBackend?: boolean;
  /** The package's folder, which holds `package.json` and `prompts/`. */
  root: URL;
}

export interface Runtime {
  deps: ServerDeps;
  live: LiveSettings;
  store: ConfigStore;
  log: Log;
  history: HistoryStore;
  version: string;
  /** For programs that stay: from a few seconds on they look after what killed ones left, called or not. */
  stay(): void;
  /**
   * Withdraws what is undecided (as the policy has it, unless told otherwise), lets what is on its way finish, and ends
   * every background task.
   */
  close(atEnd?: AtEnd): Promise<void>;
}

/** The proxy variables, in either spelling. */
export const proxyOf = (env: NodeJS.ProcessEnv) => ({
  httpProxy: env.http_proxy || env.HTTP_PROXY,
  httpsProxy: env.https_proxy || env.HTTPS_PROXY,
  noProxy: env.no_proxy || env.NO_PROXY,
});

/** The locale of a person's terminal, as POSIX ranks the variables. */
export const localeOf = (env: NodeJS.ProcessEnv) => env.LC_ALL || env.LC_MESSAGES || env.LANG;

/** The composition root: the one place where the program meets the machine. */
export async function createRuntime({ env, flags = {}, root, fallbackBackend }: RuntimeOptions): Promise<Runtime> {
  const home = homeOf(env);
  const log = createLog({ stderrLevel: env.TOWOW_LOG_LEVEL, dir: join(home, "logs") });
  const clock = systemClock;
  const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { version: string };
  const prompt = (name: string, lang: string) => readFile(new URL(`prompts/${name}.${lang}.md`, root), "utf8");

  const config = new ConfigStore({ home, clock, log });
  const history = createFileHistory({ dir: join(home, "history"), newId: nanoid, hash: sha256 });
  const locale = localeOf(env);
  const configured = resolveAll({ flags, env, file: config.read().values }).get("backend_url")?.value !== undefined;
  const known = fallbackBackend && !configured ? (await history.list())[0]?.origin : undefined;
  const live = createLiveSettings(config, {
    flags: known === undefined ? flags : { ...flags, backend_url: known },
    env,
    locale,
  });
  const http = createHttp({
    version,
    clock,
    random: Math.random,
    log,
    proxy: proxyOf(env),
  });
  const identity = createIdentity({
    store: config,
    settings: live.current,
    async requestToken(request, bearer, signal) {
      const problem = live.problem(); // a misspelt `dry_run` must not ask for a token
      if (problem !== undefined) throw problem;
      const baseUrl = requireBackend(live.current()).backend_url;
      const grant = await createTokenRequest({ baseUrl, http })(request, bearer, signal);
      if ("unsupported" in grant) return grant;
      const { expires_at, ...issued } = grant;
      return expires_at === null ? issued : { ...issued, expires_at };
    },
    clock,
    log,
    newId: randomUUID,
    deviceInfo: `towow-mcp/${version}`,
  });
  const store = createMemoryStore(clock);
  const ledger = new Ledger(store, log);
  const backend = backendOf(live, identity, http, ledger);
  const negotiations: Negotiations = new Negotiations({
    backend,
    history,
    watcher: new Watcher({
      pollers: new Pollers({ clock, random: Math.random }),
      get: (id, signal, requestId) => negotiations.get(id, signal, requestId),
    }),
    clock,
    log,
    newId: nanoid,
    hash: sha256,
    owner: thisProcess(),
    isAlive,
    userId: identity.userId,
    policy: () => ({
      onUnconfirmed: live.current().on_unconfirmed,
      confirmDeadlineMs: live.current().confirm_deadline_s * 1000,
    }),
  });
  const timeOfDay = (atMs: number) => new Date(atMs).toTimeString().slice(0, 8);
  const browser = createBrowser({ env, home, clock, newId: nanoid, texts: () => textsOf(live.current().lang) });
  const site = createLocalSite({ clock, newId: nanoid, openWindow: browser.open });
  const pages = createApprovalPages({
    negotiations,
    site,
    owner: "local",
    clock,
    log,
    timeOfDay,
    onUnconfirmed: () => live.current().on_unconfirmed,
  });

  return {
    live,
    store: config,
    log,
    history,
    version,
    deps: {
      version,
      live,
      backend,
      userId: async () =>
        live.current().profile === "dry_run"
          ? ((await identity.peek()).user_id ?? "your-user-id") // no token request either
          : identity.userId(),
      negotiations,
      pages,
      openBrowser: site.open,
      remember: (values) => remember(live, values, log),
      session: createSession({ id: nanoid(), store, ledger, clock, newId: nanoid, hash: sha256, log }),
      notices: async () => [
        ...config.read().warnings.map((warning) => warning.code),
        ...(await identity.peek()).warnings,
      ],
      clock,
      log,
      newId: nanoid,
      stateKey: randomBytes(32),
      instructions: await prompt("instructions", live.current().lang),
      prompt,
      timeOfDay,
    },
    stay() {
      clock.after(FIRST_LOOK_MS, () => {
        if (live.current().profile !== "dry_run") negotiations.lookAfterOthers();
      });
    },
    async close(atEnd) {
      browser.close();
      await negotiations.shutdown(atEnd);
      await site.close();
      await http.close();
    },
  };
}

/** The client for the backend that is configured now; another URL gets another client. */
function backendOf(live: LiveSettings, identity: ReturnType<typeof createIdentity>, http: Http, ledger: Ledger) {
  let current: { baseUrl: string; client: BackendClient } | undefined;
  const isDry = () => live.current().profile === "dry_run";
  const auth: Auth = {
    bearer: async (signal) => (isDry() ? identity.held() : identity.bearer(signal)),
    renew: async (failed, signal) => (isDry() ? undefined : identity.renew(failed, signal)),
  };
  return async (requestId?: string): Promise<BackendClient> => {
    const problem = live.problem();
    if (problem !== undefined) throw problem;
    const { backend_url: baseUrl, profile } = requireBackend(live.current());
    const url = new URL(baseUrl);
    if (profile === "offline" && !isLoopback(url)) throw new OfflineOnly({ host: url.host });
    if (current?.baseUrl !== baseUrl) {
      const beforeSend = (operation: Operation<unknown>) => {
        if (isDry() && operation.method !== "GET") throw new DryRun(operation);
        ledger.countRequest(operation.method);
      };
      current = { baseUrl, client: createBackendClient({ baseUrl, auth, http, beforeSend }) };
    }
    return requestId === undefined ? current.client : inCall(current.client, requestId);
  };
}

/** Defaults for the next call. The call itself has succeeded: a home that cannot be written must not undo that. */
async function remember(live: LiveSettings, values: Partial<Record<ConfigKey, unknown>>, log: Log): Promise<void> {
  try {
    await live.save(values);
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    log.warn("not_remembered", { code: error.code });
  }
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** This running program, as the history names it. */
function thisProcess(): Owner {
  const started = processStart(process.pid);
  return { instance: nanoid(), pid: process.pid, ...(started !== undefined && { started }) };
}

/** Pids are reused: another program with our own is one that ran before us, and one that began later is no owner. */
export async function isAlive({ pid, started }: Omit<Owner, "instance">): Promise<boolean> {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = started === undefined ? undefined : processStart(pid);
  return now === undefined || now === started;
}
