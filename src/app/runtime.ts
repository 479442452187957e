import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createLocalSite, type LocalSite } from "../ask/page/local-site.ts";
import { createApprovalPages } from "../ask/page/site.ts";
import { connectionsIn } from "../backend/connections.ts";
import { createHttp } from "../backend/http.ts";
import { createBrowserFiles } from "../home/browser-files.ts";
import { ConfigStore } from "../home/config-store.ts";
import { createKeptSends } from "../home/kept-sends.ts";
import { createLiveSettings, type LiveSettings, type SettingsSource } from "../home/live-settings.ts";
import type { ConfigKey } from "../home/schema.ts";
import { type Ignored, resolveAll } from "../home/settings.ts";
import { createShownFile } from "../home/shown-file.ts";
import { createTaintFile } from "../home/taint-file.ts";
import type { Log } from "../log.ts";
import type { Account } from "../mcp/account.ts";
import type { ServerDeps } from "../mcp/server-deps.ts";
import type { FactStore, Owner } from "../negotiation/facts.ts";
import { listRecords } from "../negotiation/records.ts";
import type { AtEnd } from "../negotiation/registry.ts";
import type { HomeFacts } from "../negotiation/stores/home-facts.ts";
import type { Platform } from "../platform.ts";
import type { PersonsBrowser } from "../question/ways.ts";
import { KnownBrowsers } from "../session/known-browsers.ts";
import { Ledger } from "../session/ledger.ts";
import { createMemoryStore } from "../store/memory.ts";
import { textsOf as plainTexts, type Texts } from "../text/index.ts";
import { Background } from "./background.ts";
import { createBrowser } from "./browser.ts";
import { chatPagesIn } from "./chat-pages.ts";
import { createHeartbeat, isAliveIn, withHeartbeat } from "./heartbeats.ts";
import { historyFolder, homeFactsIn } from "./history-folder.ts";
import { createHomeBackends, type HomeBackends } from "./home-backends.ts";
import { homeOf, localeOf } from "./home-folder.ts";
import type { Io } from "./io.ts";
import { createLog } from "./log-file.ts";
import { createPeers } from "./peers.ts";
import { platformOf } from "./platform.ts";
import { thisProcess } from "./process.ts";
import { roomFiles } from "./room-files.ts";
import { createSandbox } from "./sandbox/sandbox.ts";
import { createUser, type User, type UserParts } from "./user.ts";

export interface RuntimeOptions {
  io: Io;
  flags?: Partial<Record<ConfigKey, unknown>>;
  /** True if the flags come from a one-shot command whose stdin is a terminal. */
  terminalFlags?: boolean;
  /**
   * If no backend is configured, the backend of this negotiation is used, or that of the person's newest negotiation. A
   * client may have given the address to its server alone, where a terminal does not see it.
   */
  fallbackBackend?: { negotiationId: string | undefined };
  /** The package's folder, which holds `package.json` and `prompts/`. */
  root: URL;
  /** The lowest level of log lines that reach stderr. */
  logLevel?: string | undefined;
  /** Formats a log line for stderr. Without it, lines are JSON. */
  readLog?: ((line: string) => string) | undefined;
  /**
   * Returns the texts for clients and for visitors of the pages. Their sentences name the program as it was started.
   */
  textsOf?: ((lang: "zh" | "en") => Texts) | undefined;
}

export interface Runtime {
  io: Io;
  deps: ServerDeps;
  platform: Platform;
  live: LiveSettings;
  config: ConfigStore;
  /** Flags and variables that were given at the start but are not followed. */
  ignored: readonly (Ignored & { key: ConfigKey })[];
  log: Log;
  facts: HomeFacts;
  /** Returns whether the given program of this home still looks after its negotiations. */
  isAlive: (owner: Owner) => Promise<boolean>;
  /** The home's person. */
  user: User;
  /** The browsers in which this home's person decides. */
  browsers: KnownBrowsers;
  /** Returns the account at the backend that is configured now. */
  account(): Account;
  version: string;
  /** Opens one of our addresses in the person's browser. Returns false if there is no browser. */
  openWindow: (url: string) => Promise<boolean>;
  /** Opens a file in the person's browser. Returns false if there is no browser. */
  openFile(path: string): Promise<boolean>;
  /**
   * Called by programs that keep running. From then on, by default after a few seconds, they take up what killed
   * programs left behind and notice what others begin.
   */
  runInBackground(afterMs?: number): void;
  /**
   * Ends the program's work. Undecided texts are withdrawn as the policy says, or `atEnd` if given. Requests that are on
   * their way finish, and every background task ends. Returns the ids of negotiations that could not be withdrawn.
   */
  close(atEnd?: AtEnd): Promise<string[]>;
  /** Returns whether a person's no is on its way and is not written down anywhere. */
  holdsNo: () => boolean;
  /**
   * Returns whether this program is sending a person's no. That counts even if the no is written down, because no other
   * program may be running.
   */
  carriesNo: () => boolean;
  /** Returns the ids of the negotiations that should be withdrawn at this program's end but are not yet. */
  unwithdrawn(): string[];
  /** Returns the ids of the negotiations that have a request on its way. */
  busyIds(): string[];
}

/** Composes the services for every command that works with this home. An `Endpoint` builds on them for `serve`. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { io, root, logLevel = io.env.TOWOW_LOG_LEVEL, readLog, textsOf = plainTexts } = options;
  const { env, clock } = io;
  const home = homeOf(env);
  const log = createLog({ io, stderrLevel: logLevel, dir: join(home, "logs"), readLog });
  const platform = platformOf(io, log);
  // The version is read synchronously, because nothing else can be done meanwhile and another thread would cost a start
  // two milliseconds.
  const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as { version: string };

  const config = new ConfigStore(platform, home);
  const owner = thisProcess(io);
  const heartbeat = createHeartbeat({ home, instance: owner.instance, clock });
  const facts = withHeartbeat(homeFactsIn(home), owner, heartbeat);
  const { settings, ignored } = await openSettings(options, config, facts, log);
  const { live } = settings;

  const http = createHttp(platform, { version, ...connectionsIn(env) });
  const sandboxHttp = createHttp(platform, { version });
  const sandbox = { address: createSandbox({ home, root, env }).address, http: sandboxHttp };
  const peers = createPeers(platform, home, owner);
  const backends = createHomeBackends({ live, config, http, sandbox, peers, platform, version });
  const background = new Background({ live, backends, peers, clock });

  const browser = createBrowser(platform, { io, home, texts: () => textsOf(live.current().lang) });
  const site = createLocalSite(platform, { openWindow: browser.open, textsOf });
  const browsers = new KnownBrowsers(platform, createBrowserFiles(home, platform.newId));
  const isAlive = isAliveIn(home, clock);
  const user = createHomeUser({
    ...{ settings, config, backends, platform, version, root, textsOf, site, browsers },
    browser: browser.isHere ? "here" : "none",
    history: {
      ...{ facts, owner, isAlive },
      folder: historyFolder(home),
      asAnother: () => thisProcess(io),
      isOneShot: () => !background.stays,
      keepsOthers: () => peers.keepsOthers,
    },
  });
  const negotiations = () => user.all().map((account) => account.negotiations);
  heartbeat.beatWhile(() => negotiations().some(({ needsHeartbeat }) => needsHeartbeat));
  return {
    ...{ io, platform, live, config, ignored, log, facts, isAlive, user, browsers, version },
    openWindow: browser.open,
    openFile: browser.openFile,
    deps: user.server(),
    account: user.account,
    runInBackground: (afterMs) => background.begin(user, afterMs),
    async close(atEnd) {
      await background.end();
      browser.close();
      const undone = await user.end(atEnd);
      await heartbeat.end();
      await site.close();
      await http.close();
      await sandboxHttp.close();
      return undone;
    },
    carriesNo: () => negotiations().some(({ carriesNo }) => carriesNo),
    holdsNo: () => negotiations().some(({ holdsNo }) => holdsNo),
    unwithdrawn: () => negotiations().flatMap(({ unwithdrawn }) => unwithdrawn),
    busyIds: () => negotiations().flatMap(({ busyIds }) => busyIds),
  };
}

/** Opens the settings of the home's person, and says which flags and variables are not followed. */
async function openSettings(
  { io, flags = {}, terminalFlags, fallbackBackend }: RuntimeOptions,
  config: ConfigStore,
  facts: FactStore,
  log: Log,
): Promise<{ settings: UserParts["settings"]; ignored: Runtime["ignored"] }> {
  const { env } = io;
  const all = resolveAll({ flags, terminalFlags, env, file: config.read().values });
  const ignored = [...all].flatMap(([key, { ignored }]) => (ignored === undefined ? [] : [{ key, ...ignored }]));
  for (const { key, where } of ignored) log.warn("setting_not_followed", { key, where });
  const backend = all.get("backend_url");
  // A wrong address is reported, and is no reason to use another backend.
  const isMissing = backend?.value === undefined && backend?.problem === undefined;
  const known = fallbackBackend && isMissing ? await originKnown(facts, fallbackBackend.negotiationId) : undefined;
  const locale = localeOf(env);
  const fixed = { flags: known === undefined ? flags : { ...flags, backend_url: known }, terminalFlags, env, locale };
  const live = createLiveSettings(config, fixed);
  // A call that joined or submitted saved its ids through the program's own settings, so the next call must see those
  // changes at once.
  const source: SettingsSource = {
    read: () => config.read(),
    readWhole: () => config.readWhole(),
    update: (change) => config.update(change),
    watch(listener) {
      const stops = [config.watch(listener), live.onChange(() => listener(config.read()))];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
  const chosenWith: UserParts["settings"]["with"] = (chosen) =>
    createLiveSettings(source, { ...fixed, flags: { ...fixed.flags, ...chosen } });
  return { settings: { live, with: chosenWith }, ignored };
}

interface HomeUserParts extends Pick<UserParts, "settings" | "history"> {
  config: ConfigStore;
  backends: HomeBackends;
  platform: Platform;
  version: string;
  root: URL;
  textsOf: (lang: "zh" | "en") => Texts;
  site: LocalSite;
  browsers: KnownBrowsers;
  /** Says whether a browser can be opened here. */
  browser: PersonsBrowser;
}

/** Creates the home's person, who decides on pages of this machine. */
function createHomeUser(parts: HomeUserParts): User {
  const { settings, history, config, backends, platform, version, root, textsOf, site, browsers, browser } = parts;
  const { home } = config;
  const { clock, log, newId } = platform;
  const store = createMemoryStore(clock);
  const promptFile = (name: string, lang: string) => new URL(`prompts/${name}.${lang}.md`, root);
  const user: User = createUser({
    settings,
    backends,
    history,
    memory: {
      store,
      tainted: createTaintFile(home, newId),
      givenInHome: createShownFile(home, newId),
      ledger: new Ledger(store, log),
    },
    pages: (account, isStrict) =>
      createApprovalPages({
        site,
        owner: { id: `local:${account.origin}`, browsers, isStrict },
        async openRoom(about) {
          const { openPageRoom } = await import("../room/person-services.ts");
          return openPageRoom(user.server(), account, roomFiles(root), about);
        },
      }),
    server: {
      ...platform,
      version,
      browser,
      openBrowser: site.open,
      async notices() {
        const { values, warnings } = config.lastRead();
        const identity = backends.identityAt(user.account().origin);
        return [...warnings.map(({ code }) => code), ...(await identity.peek(values)).warnings];
      },
      stateKey: randomBytes(32),
      instructions: readFileSync(promptFile("instructions", settings.live.current().lang), "utf8"),
      prompt: (name, lang) => readFile(promptFile(name, lang), "utf8"),
      timeOfDay: (atMs) => new Date(atMs).toTimeString().slice(0, 8),
      textsOf,
      chat: chatPagesIn(root),
      keepSend: createKeptSends(platform, home).put,
    },
  });
  return user;
}

/**
 * Returns the origin of the named negotiation, preferring one that has not ended. Without an id, returns the origin of
 * the newest negotiation.
 */
async function originKnown(facts: FactStore, id: string | undefined): Promise<string | undefined> {
  const records = await listRecords(facts, id === undefined ? { count: 1 } : { id });
  return (records.find(({ ended }) => id !== undefined && ended === undefined) ?? records[0])?.origin;
}
