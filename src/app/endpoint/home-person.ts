import { randomBytes } from "node:crypto";
import { type HomeKey, openHomeKey } from "../../home/home-key.ts";
import type { User as HttpUser } from "../../mcp/http/user.ts";
import type { Program } from "../../mcp/server-deps.ts";
import type { KnownBrowsers } from "../../session/known-browsers.ts";
import { type Store, scoped } from "../../store/store.ts";
import type { Runtime } from "../runtime.ts";
import { GrantedUsers } from "./granted-users.ts";
import { type ServedOptions, serve } from "./served.ts";

/** The person of this machine, as the endpoint serves them. */
export interface HomePerson {
  user: HomeUser;
  /** The key by which a client proves that it belongs to this person. */
  key: HomeKey;
  /** The browsers in which this person decides. Their records are kept in the home. */
  browsers: KnownBrowsers;
}

interface HomeUser extends HttpUser {
  /** Serves the programs that may act for this person, each as a `User` of its own. */
  readonly granted: GrantedUsers;
}

/**
 * Opens the person of this machine as a user of the endpoint. Every client that sends the home's key is served as this
 * person. From now on, this program also looks after negotiations that other programs of the home have left.
 */
export function openHomePerson(
  runtime: Runtime,
  store: Store,
  counting: Pick<Program, "onCall" | "counted">,
): HomePerson {
  const { live, config, browsers } = runtime;
  const key = openHomeKey(config.home, () => randomBytes(32));
  live.watch();
  runtime.runInBackground();
  return { user: createHomeUser(runtime, scoped(store, "local:"), counting), key, browsers };
}

function createHomeUser(
  { user, live, platform }: Runtime,
  store: Store,
  counting: Pick<Program, "onCall" | "counted">,
): HomeUser {
  const servedAs = (as: ServedOptions["as"]) => serve(user, { as, platform });
  // `_` is the id that the client claims. It is ignored, because this person's id is always the home's.
  const served = servedAs((_, deps) => ({ ...deps, ...counting }));
  const person: HttpUser = {
    ...served,
    key: "local",
    isAccepted: true, // Nobody else has the home's key.
    store,
    async prepare(request) {
      live.refresh();
      await served.prepare(request);
    },
    use: () => () => {}, // The home's user lasts as long as the program, so uses need not be counted.
  };
  const granted = new GrantedUsers((own) => ({
    ...person,
    ...servedAs((_, deps) => ({ ...deps, ...counting, passesNoWord: () => !own.grant.passesWord })),
    grant: own.grant.id,
    prepare: person.prepare,
  }));
  return { ...person, granted };
}
