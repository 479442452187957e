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
 * Does the background work of a program that keeps running. It takes up what killed programs left behind, and notices
 * what other programs of the home begin.
 */
export class Background {
  readonly #deps: BackgroundDeps;
  #stays = false;
  #stop = () => {};

  constructor(deps: BackgroundDeps) {
    this.#deps = deps;
  }

  /** True once the program has said that it keeps running. A one-shot command never says so. */
  get stays(): boolean {
    return this.#stays;
  }

  /** Begins to work for the home's person after `afterMs` milliseconds, by default a few seconds. */
  begin(user: User, afterMs?: number): void {
    const { live, backends, peers, clock } = this.#deps;
    this.#stays = true;
    /**
     * Returns the negotiations at the backend that is configured now, or undefined under `dry_run`, because nothing was
     * sent under it.
     */
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
