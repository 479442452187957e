import { createLiveSettings, type LiveSettings } from "../../home/live-settings.ts";
import type { ConfigKey } from "../../home/schema.ts";
import { createUserConfig } from "../../home/user-config.ts";
import type { Log } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import type { UserParts } from "./user-parts.ts";

/** The settings of one token: the operator's, with what its user has chosen. */
export interface TokenSettings {
  /** They follow what the user chooses, here and at other replicas. */
  live: LiveSettings;
  /** The same, where what is given wins. */
  with(chosen: Partial<Record<ConfigKey, unknown>>): LiveSettings;
  /** Reads what another replica may have written. @throws StoreUnreachable */
  refresh(): Promise<void>;
  close(): void;
}

/** `store`: the user's own part, where their choices are kept. */
export function createTokenSettings(store: Store, operator: UserParts["operator"], log: Log): TokenSettings {
  const { file, ...fixed } = operator;
  const config = createUserConfig(store, file, log);
  const live = createLiveSettings(config, fixed);
  live.watch();
  return {
    live,
    with: (chosen) => createLiveSettings(config, { ...fixed, flags: { ...fixed.flags, ...chosen } }),
    refresh: () => config.refresh(),
    close: () => config.close(),
  };
}
