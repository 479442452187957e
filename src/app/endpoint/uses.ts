import type { Clock } from "../../clock.ts";
import { HttpError } from "../../mcp/http/http-error.ts";
import { followStream } from "../../mcp/http/stream.ts";
import type { User } from "../../mcp/http/user.ts";
import { once } from "../../once.ts";

/** The most requests, streams, sessions and rooms that one token may have open before the backend has accepted it. */
const MAX_UNACCEPTED = 8;

export interface UsesDeps {
  /** Returns whether the backend has accepted the token. */
  isAccepted: () => boolean;
  /** Erases what was written for the token. */
  erase: () => Promise<void>;
  clock: Clock;
}

/** Counts the open requests, streams, sessions and rooms of one user. While there is one, the user stays in memory. */
export class Uses {
  readonly #deps: UsesDeps;
  #count = 0;
  #lastAt: number;
  #isTakenBack = false;

  constructor(deps: UsesDeps) {
    this.#deps = deps;
    this.#lastAt = deps.clock.monotonic();
  }

  /** The number of open uses. */
  get count(): number {
    return this.#count;
  }

  /** The time when the user last came or their last use ended, in milliseconds of the monotonic clock. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** Notes that the user has come. */
  touch(): void {
    this.#lastAt = this.#deps.clock.monotonic();
  }

  /**
   * Adds a use, which ends when the returned function is first called.
   * @throws HttpError `too_many_at_once` if the token is not accepted yet and has too many
   */
  begin(): () => void {
    if (!this.#deps.isAccepted() && this.#count >= MAX_UNACCEPTED)
      throw new HttpError("too_many_at_once", { "Retry-After": "1" });
    this.#count += 1;
    return once(() => {
      this.#count -= 1;
      this.touch();
      if (this.#isTakenBack && this.#count === 0) void this.#deps.erase();
    });
  }

  /** Erases what was written for a token that was not accepted, now and again when its last use ends. */
  takeBack(): void {
    this.#isTakenBack = true;
    void this.#deps.erase();
  }
}

/** Keeps a user in memory until what is served to them is over, streams included. */
export async function inUse(user: Pick<User, "use">, serve: () => Promise<Response>): Promise<Response> {
  const release = user.use();
  try {
    return followStream(await serve(), { onUnread: release, onEnd: release });
  } catch (error) {
    release();
    throw error;
  }
}
