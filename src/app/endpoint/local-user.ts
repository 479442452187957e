import type { User } from "../../mcp/http/user.ts";
import type { ServerDeps } from "../../mcp/server-deps.ts";
import { type Store, scoped } from "../../store/store.ts";
import type { Runtime } from "../runtime.ts";
import { serve } from "./served.ts";

export interface LocalUserParts {
  runtime: Runtime;
  store: Store;
  onCall: NonNullable<ServerDeps["onCall"]>;
}

/** The person of this machine, with the home's own identity, history and pages. */
export function createLocalUser({ runtime, store, onCall }: LocalUserParts): User {
  const { user, live, log } = runtime;
  live.watch();
  runtime.runInBackground();
  // Whom their client names is not asked: this person's id is the home's.
  const served = serve(user, { as: (_, deps) => ({ ...deps, onCall }), clock: runtime.io.clock, log });
  return {
    ...served,
    key: "local",
    isAccepted: true, // nobody else has the key
    store: scoped(store, "local:"),
    async prepare(request) {
      live.refresh();
      await served.prepare(request);
    },
    use: () => () => {}, // there is one, for as long as the program runs
  };
}
