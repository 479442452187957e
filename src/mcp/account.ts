import type { ApprovalPages } from "../ask/questions.ts";
import type { BackendClient } from "../backend/client.ts";
import type { LastIds } from "../home/last-ids.ts";
import type { Negotiations } from "../negotiation/service.ts";

/**
 * One person at one backend. An account holds everything that is kept for the backend's origin, and nothing of another
 * one (contract §3).
 */
export interface Account {
  origin: string;
  /** The host that answers at the origin; null if there is no backend. */
  provider: string | null;
  /** Returns a client whose requests carry `requestId`. @throws what is wrong with the settings */
  backend: (requestId?: string) => Promise<BackendClient>;
  userId: () => Promise<string>;
  negotiations: Negotiations;
  /** Absent if there is no address that a person could open. */
  pages: ApprovalPages | undefined;
  /** Keeps the last scene and negotiation as defaults. */
  remember: (values: LastIds) => Promise<void>;
}

/** One person's accounts. Settings are live, so the backend may change from one call to the next. */
export interface Accounts {
  /** Returns the account at this address. Never throws. Without a usable address, the `backend` of the account throws. */
  at(backendUrl: string | undefined): Account;
  /** Returns the account at this origin, whatever backend is in use by now. */
  of(origin: string): Account;
}

/** Returns accounts for a program that has the same backend for as long as it runs. */
export const oneAccount = (account: Account): Accounts => ({ at: () => account, of: () => account });
