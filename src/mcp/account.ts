import type { ApprovalPages } from "../ask/questions.ts";
import type { BackendClient } from "../backend/client.ts";
import type { LastIds } from "../home/last-ids.ts";
import type { Negotiations } from "../negotiation/service.ts";

/**
 * One person at one backend. An account holds everything that is kept for the backend's origin, and nothing that
 * belongs to another origin (contract §3).
 */
export interface Account {
  origin: string;
  /** The host that answers at the origin, or null if there is no backend. */
  provider: string | null;
  /** Returns a client whose requests carry `requestId`. @throws the error that says what is wrong with the settings */
  backend: (requestId?: string) => Promise<BackendClient>;
  userId: () => Promise<string>;
  negotiations: Negotiations;
  /** The person's pages, or undefined if there is no address that a person could open. */
  pages: ApprovalPages | undefined;
  /** Stores the last scene and negotiation, which are the defaults of later calls. */
  remember: (values: LastIds) => Promise<void>;
}

/** One person's accounts. Settings are live, so the backend may change from one call to the next. */
export interface Accounts {
  /**
   * Returns the account at this address, and never throws. If the address is missing or cannot be used, the account's
   * `backend` throws.
   */
  at(backendUrl: string | undefined): Account;
  /** Returns the account at this origin, whatever backend is in use by now. */
  of(origin: string): Account;
}

/** Returns accounts for a program that uses one backend for as long as it runs. */
export const oneAccount = (account: Account): Accounts => ({ at: () => account, of: () => account });
