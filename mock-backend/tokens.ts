import { createHash } from "node:crypto";
import { nanoid } from "nanoid";
import type { Clock } from "../src/clock.ts";
import { Refused } from "./refused.ts";

export interface TokenRecord {
  user_id: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

export interface IssuedToken {
  user_id: string;
  api_token: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

const digest = (token: string) => createHash("sha256").update(token).digest("hex");

/** Issues and checks bearer tokens (seed 004 §7.3). Keeps digests only, never a token. */
export class Tokens {
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  readonly #newId: () => string;
  readonly #records = new Map<string, TokenRecord>();
  readonly #changed: () => void;
  issued = 0;

  constructor(clock: Clock, lifetimeMs: number, newId: () => string, changed: () => void) {
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
    this.#newId = newId;
    this.#changed = changed;
  }

  /**
   * A token for `userId`, or for a fresh id when that is "". An id that somebody has (a token, or an agent:
   * agent ids are public) is renewed only against a bearer once issued for it. Throws `Refused` 401.
   */
  issue(userId: string, bearer: string | undefined, isAgent: (id: string) => boolean): IssuedToken {
    if (userId !== "" && this.#owner(bearer) !== userId) {
      const taken = isAgent(userId) || [...this.#records.values()].some((record) => record.user_id === userId);
      if (taken) throw new Refused(401, bearer === undefined ? "Not authenticated" : "Invalid or expired token");
    }
    const record = { user_id: userId === "" ? this.#newId() : userId, expiresAt: this.#clock.now() + this.#lifetimeMs };
    const token = `towow_${nanoid(32)}`;
    this.#records.set(digest(token), record);
    this.issued += 1;
    this.#changed();
    return { ...record, api_token: token };
  }

  /** The user a bearer was issued for, as long as it is valid. */
  validOwner(bearer: string | undefined): string | undefined {
    const record = bearer === undefined ? undefined : this.#records.get(digest(bearer));
    return record !== undefined && record.expiresAt > this.#clock.now() ? record.user_id : undefined;
  }

  /** All tokens become invalid; each still proves whom it was issued for when it is renewed. */
  expireAll(): void {
    for (const record of this.#records.values()) record.expiresAt = Math.min(record.expiresAt, this.#clock.now());
    this.#changed();
  }

  dump(): [string, TokenRecord][] {
    return [...this.#records];
  }

  load(records: [string, TokenRecord][]): void {
    for (const [key, record] of records) this.#records.set(key, record);
  }

  #owner(bearer: string | undefined): string | undefined {
    return bearer === undefined ? undefined : this.#records.get(digest(bearer))?.user_id;
  }
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerOf(header: string | null): string | undefined {
  return /^bearer\s+(\S+)\s*$/i.exec(header ?? "")?.[1];
}
