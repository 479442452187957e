import type { ConfigStore } from "../../src/home/config-store.ts";
import type { ConfigFile } from "../../src/home/file.ts";
import { createIdentity, type Identity } from "../../src/home/identity.ts";
import type { TokenRequestsDeps } from "../../src/home/token-requests.ts";

/** The config file that the processes of one home share. */
export interface SharedFile {
  values: ConfigFile;
  /** Who holds the lock of a token request; a dead one's is free. */
  holder: { alive: boolean } | undefined;
}

export interface IdentityDeps extends Pick<TokenRequestsDeps, "platform" | "settings" | "requestToken" | "newUserId"> {
  shared: SharedFile;
  process: { alive: boolean };
}

/** The real identity over a config file in memory, so that simulated time needs no disk. */
export function simIdentity({ shared, process, ...options }: IdentityDeps): Identity {
  const store: Pick<ConfigStore, "read" | "update" | "exclusive"> = {
    read: () => ({ values: shared.values, warnings: [] }),
    update: async (change) => {
      shared.values = change(shared.values);
      return shared.values;
    },
    exclusive: async (work, signal) => {
      while (shared.holder?.alive) {
        signal?.throwIfAborted();
        await options.platform.clock.sleep(50, signal);
      }
      const holder = {
        get alive() {
          return process.alive;
        },
      };
      shared.holder = holder;
      try {
        return await work();
      } finally {
        if (shared.holder === holder) shared.holder = undefined;
      }
    },
  };
  return createIdentity({ ...options, store: store as ConfigStore });
}
