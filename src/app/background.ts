import type { Clock } from "../clock.ts";
import type { LiveSettings } from "../home/live-settings.ts";
import { firstRecoveryMs } from "../negotiation/registry.ts";
import type { HomeBackends } from "./home-backends.ts";
import type { Peers } from "./peers.ts";
import type { User } from "./user.ts";

export interface BackgroundDeps {
  live: LiveSettings;
  backends: Pick<HomeBackends, "identityAt">;
  peers: Peers;
  clock: Clock;
}

/**
 * The work that a program which stays does besides its calls: it looks after what killed programs left, and sees what
 * others of the home begin.
 */
export class Background {
  readonly #deps: BackgroundDeps;
  #stays = false;
  #stop = () => {};

  constructor(deps: BackgroundDeps) {
    this.#deps = deps;
  }

  /** True once the program has said that it stays. A one-shot command never does. */
  get stays(): boolean {
    return this.#stays;
  }

  /** Begins to work for the home's person, by default after a few seconds. */
  begin(user: User, afterMs?: number): void {
    const { live, backends, peers, clock } = this.#deps;
    this.#stays = true;
    /** Returns what is to be looked after, at the backend that is configured now. */
    const negotiations = () => (live.current().profile === "dry_run" ? undefined : user.account().negotiations);
    const recover = () => negotiations()?.recoverSoon();
    const lookAround = () => negotiations()?.lookAround();
    this.#stop = clock.after(afterMs ?? firstRecoveryMs(live.current().confirm_deadline_s * 1000), () => {
      peers.begin({
        origin: () => user.account().origin,
        account: () => backends.identityAt(user.account().origin).account(),
        mayKeep() {
          const { profile, on_unconfirmed } = live.current();
          return profile !== "dry_run" && profile !== "offline" && on_unconfirmed === "cancel";
        },
        onChange: lookAround,
      });
      recover();
      lookAround();
      this.#stop = live.onChange(() => {
        recover(); // A change of the settings may have configured a backend.
        peers.announce();
      });
    });
  }

  async end(): Promise<void> {
    this.#stop(); // Otherwise the recovery would begin again and keep the program alive.
    await this.#deps.peers.end();
  }
}
