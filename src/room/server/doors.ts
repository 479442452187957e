import type { Clock } from "../../clock.ts";
import type { Room } from "../room.ts";

export interface DoorsDeps {
  clock: Clock;
  /** Fresh unguessable text. */
  newId: () => string;
}

/** An address that nobody has opened is worth nothing after this. */
const SECRET_LIFETIME_MS = 10 * 60_000;
/** A browser that has not been here for so long comes in anew. */
const VISIT_LIFETIME_MS = 7 * 24 * 3_600_000;

interface Visit {
  room: Room;
  seenAt: number;
}

/**
 * Who comes into which room: a secret opens a room once, for the browser that first asks with it, and from then on that
 * browser's cookie does. Nobody comes from one room into another.
 */
export class Doors {
  readonly #deps: DoorsDeps;
  readonly #secrets = new Map<string, { room: Room; until: number }>();
  readonly #visits = new Map<string, Visit>();

  constructor(deps: DoorsDeps) {
    this.#deps = deps;
  }

  /** A secret for one browser. */
  secretFor(room: Room): string {
    const { clock, newId } = this.#deps;
    const secret = newId() + newId();
    this.#secrets.set(secret, { room, until: clock.monotonic() + SECRET_LIFETIME_MS });
    return secret;
  }

  /** Whether this secret still opens a room. */
  isOpen(secret: string): boolean {
    return (this.#secrets.get(secret)?.until ?? 0) > this.#deps.clock.monotonic();
  }

  /** What the browser's cookie is from now on; undefined for a secret that was used, is old, or was never given. */
  enter(secret: string): string | undefined {
    const { clock, newId } = this.#deps;
    const found = this.#secrets.get(secret);
    this.#secrets.delete(secret);
    if (found === undefined || found.until <= clock.monotonic()) return undefined;
    const visit = newId() + newId();
    this.#visits.set(visit, { room: found.room, seenAt: clock.monotonic() });
    return visit;
  }

  /** The room that this cookie leads to. */
  roomOf(cookie: string | undefined): Room | undefined {
    const { clock } = this.#deps;
    const visit = cookie === undefined ? undefined : this.#visits.get(cookie);
    if (visit === undefined || clock.monotonic() - visit.seenAt > VISIT_LIFETIME_MS) return undefined;
    visit.seenAt = clock.monotonic();
    return visit.room;
  }
}
