import { randomBytes } from "node:crypto";
import { type HomeKey, openHomeKey } from "../../home/home-key.ts";
import type { User as HttpUser } from "../../mcp/http/user.ts";
import type { Program } from "../../mcp/server-deps.ts";
import type { KnownBrowsers } from "../../session/known-browsers.ts";
import { type Store, scoped } from "../../store/store.ts";
import type { Runtime } from "../runtime.ts";
import { GrantedUsers } from "./granted-users.ts";
import { type ServedOptions, serve } from "./served.ts";

/** The person of this machine, whom an endpoint serves as everybody else. */
export interface HomePerson {
  user: HomeUser;
  /** The key that proves a client to be this person's. */
  key: HomeKey;
  /** The browsers in which they decide. The home keeps them. */
  browsers: KnownBrowsers;
}

interface HomeUser extends HttpUser {
  /** The same person, as served to the programs that they have allowed to act. */
  readonly granted: GrantedUsers;
}

/** Opens the home's own identity, history and pages, for whoever has the key of the home. */
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
  // The id that a client claims is ignored, because this person's id is the home's.
  const servedAs = (as: ServedOptions["as"]) => serve(user, { as, platform });
  const served = servedAs((_, deps) => ({ ...deps, ...counting }));
  const person: HttpUser = {
    ...served,
    key: "local",
    isAccepted: true, // Nobody else has the key.
    store,
    async prepare(request) {
      live.refresh();
      await served.prepare(request);
    },
    use: () => () => {}, // The home's user exists for as long as the program runs, so uses are not counted.
  };
  const granted = new GrantedUsers((own) => ({
    ...person,
    ...servedAs((_, deps) => ({ ...deps, ...counting, passesNoWord: () => !own.grant.passesWord })),
    grant: own.grant.id,
    prepare: person.prepare,
  }));
  return { ...person, granted };
}
