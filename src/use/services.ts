import type { BackendClient } from "../backend/client.ts";
import type { LastIds } from "../home/last-ids.ts";
import type { Settings } from "../home/settings.ts";
import type { Negotiations } from "../negotiation/service.ts";
import type { CallSession } from "../session/session.ts";

/** The services of one user at one backend. A tool call and the person's own page use the same services. */
export interface Services {
  settings: Settings;
  origin: string;
  backend: () => Promise<BackendClient>;
  userId: () => Promise<string>;
  negotiations: Negotiations;
  session: Pick<CallSession, "ledger" | "sentProfiles">;
  /**
   * Keeps the last scene and negotiation as defaults. If the home cannot be written, the default is lost, but the
   * call still succeeds.
   */
  remember: (values: LastIds) => Promise<void>;
  signal: AbortSignal;
}
