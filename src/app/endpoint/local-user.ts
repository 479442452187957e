import { createLiveSettings, type SettingsSource } from "../../home/live-settings.ts";
import { claimedUserId } from "../../mcp/http/guards.ts";
import { createModern } from "../../mcp/http/modern.ts";
import { readQuery } from "../../mcp/http/query.ts";
import type { User } from "../../mcp/http/user.ts";
import type { ServerDeps } from "../../mcp/server-deps.ts";
import { type Store, scoped } from "../../store/store.ts";
import { localeOf } from "../home-folder.ts";
import type { Runtime } from "../runtime.ts";
import type { ServeArguments } from "./options.ts";
import { createUserSession } from "./request-deps.ts";

export interface LocalUserParts extends Pick<ServeArguments, "io" | "flags"> {
  runtime: Runtime;
  store: Store;
  onCall: NonNullable<ServerDeps["onCall"]>;
}

/** The person of this machine, with the home's own identity, history and pages. */
export function createLocalUser({ runtime, store: shared, io: { env }, flags, onCall }: LocalUserParts): User {
  const { deps, config, tainted } = runtime;
  const { clock, log } = deps;
  const store = scoped(shared, "local:");
  const { ledger } = deps.session;
  const newSession = (sessionId: string) => createUserSession({ store, tainted, ledger, clock, log }, sessionId);
  // A call that has joined or submitted wrote that through the program's own settings: the next call already knows it.
  const source: SettingsSource = {
    read: () => config.read(),
    readWhole: () => config.readWhole(),
    update: (change) => config.update(change),
    watch(listener) {
      const stops = [config.watch(listener), deps.live.onChange(() => listener(config.read()))];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
  const user: User = {
    key: "local",
    isAccepted: true, // nobody else has the key
    store,
    async prepare(request) {
      claimedUserId(request.headers); // checked like everybody's, though this person's id is the home's
      readQuery(request.url, deps.live.current());
    },
    use: () => () => {}, // there is one, for as long as the program runs
    serverDeps(request, sessionId) {
      const query = readQuery(request.url, deps.live.current());
      const live = createLiveSettings(source, { flags: { ...flags, ...query }, env, locale: localeOf(env) });
      const accounts = query.profile === "dry_run" ? runtime.dryAccounts() : deps.accounts;
      const own = { ...deps, accounts, live, onCall };
      if (sessionId === undefined) return { ...own, sessionless: true, resourceUpdates: "listen" };
      return { ...own, session: newSession(sessionId), sessionless: false, resourceUpdates: "session" };
    },
    ...createModern({
      serverDeps: (request) => user.serverDeps(request),
      live: deps.live,
      negotiations: () => runtime.account().negotiations,
      clock,
      log,
    }),
  };
  deps.live.watch();
  runtime.runInBackground();
  return user;
}
