import type { BackendClient } from "../backend/client.ts";
import type { LastIds } from "../home/last-ids.ts";
import type { Settings } from "../home/settings.ts";
import type { Negotiations } from "../negotiation/service.ts";
import type { CallSession } from "../session/session.ts";

/** One user's services at one backend. A call of a tool and a person's own page bring the same. */
export interface Services {
  settings: Settings;
  origin: string;
  backend: () => Promise<BackendClient>;
  userId: () => Promise<string>;
  negotiations: Negotiations;
  session: Pick<CallSession, "ledger" | "sentProfiles">;
  /** Keeps the last scene and negotiation as defaults. Where the home is not writable the default is lost, and the call still succeeds. */
  remember: (values: LastIds) => Promise<void>;
  signal: AbortSignal;
}
