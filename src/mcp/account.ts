import type { ApprovalPages } from "../ask/questions.ts";
import type { BackendClient } from "../backend/client.ts";
import type { LastIds } from "../home/last-ids.ts";
import type { Negotiations } from "../negotiation/service.ts";

/** One person at one backend: all that is kept for its origin, and nothing of another one (contract §3). */
export interface Account {
  origin: string;
  /** The host that answers there; null where there is no backend. */
  provider: string | null;
  /** The requests of a tool call carry its id. @throws what is wrong with the settings. */
  backend: (requestId?: string) => Promise<BackendClient>;
  userId: () => Promise<string>;
  negotiations: Negotiations;
  /** Absent where there is no address that a person could open. */
  pages: ApprovalPages | undefined;
  /** Keeps the last scene and negotiation as defaults. */
  remember: (values: LastIds) => Promise<void>;
}

/** One person's accounts. Settings are live: the backend may be another one from one call to the next. */
export interface Accounts {
  /** The account at this address. Never throws: without a usable address, its `backend` does. */
  at(backendUrl: string | undefined): Account;
  /** The account that a question was asked for, whatever backend is in use by now. */
  of(origin: string): Account;
}

/** Where there is one backend for as long as the program runs. */
export const oneAccount = (account: Account): Accounts => ({ at: () => account, of: () => account });
