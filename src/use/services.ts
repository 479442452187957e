import type { BackendClient } from "../backend/client.ts";
import type { LastIds } from "../home/last-ids.ts";
import type { Settings } from "../home/settings.ts";
import type { Negotiations } from "../negotiation/service.ts";
import type { CallSession } from "../session/session.ts";

/** One user's services at one backend. They are the same for a tool call and for the person's own page. */
export interface Services {
  settings: Settings;
  origin: string;
  backend: () => Promise<BackendClient>;
  userId: () => Promise<string>;
  negotiations: Negotiations;
  session: Pick<CallSession, "ledger" | "sentProfiles">;
  /**
   * Keeps the last scene and negotiation as defaults. If the home cannot be written the default is lost, and the call
   * still succeeds.
   */
  remember: (values: LastIds) => Promise<void>;
  signal: AbortSignal;
}
