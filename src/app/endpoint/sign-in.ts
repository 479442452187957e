import { randomBytes } from "node:crypto";
import * as z from "zod";
import { failureOf } from "../../log.ts";
import type { Rate } from "../../mcp/http/rate.ts";
import { type Credential, Grants } from "../../mcp/http/sign-in/grants.ts";
import { Seals } from "../../mcp/http/sign-in/sealing.ts";
import type { Platform } from "../../platform.ts";
import { remembered } from "../../store/remembered.ts";
import { type Store, scoped } from "../../store/store.ts";
import { GrantedAuth, type Renewals, type UserAuth } from "./credentials.ts";
import { type GrantFiles, openGrantFiles } from "./grant-files.ts";

interface SignInStateDeps {
  store: Store;
  /** True if the store outlives this process. Otherwise the home's files keep the grants. */
  isShared: boolean;
  /**
   * The signing key that the operator chose. If undefined, one is created in the home, or, if the home cannot be
   * written, for this process only.
   */
  stateKey: Uint8Array | undefined;
  home: string;
  renewals: Renewals;
  /** The name of this replica, which holds the lease of a renewal. */
  holder: string;
  platform: Platform;
  /** Counts a program's token requests among its person's requests. */
  rate: Rate;
}

const KEY_BYTES = 32;
const ENDED = "grant-ended";
const endedShape = z.object({ account: z.string(), id: z.string() });

/** Holds the grants and the key of sign-in, and announces the end of a grant to all replicas. */
export class SignInState {
  readonly grants: Grants;
  readonly seals: Seals;
  readonly #deps: SignInStateDeps;
  readonly #files: GrantFiles | undefined;
  readonly #leave: () => void;
  #endedHere: (account: string, id: string) => Promise<void> = async () => {};

  constructor(deps: SignInStateDeps, files: GrantFiles | undefined) {
    const { store, stateKey, rate, platform } = deps;
    const { clock } = platform;
    this.#deps = deps;
    this.#files = files;
    this.seals = new Seals(files?.key ?? stateKey ?? randomBytes(KEY_BYTES), randomBytes);
    this.grants = new Grants({
      ...{ store: files ?? remembered(scoped(store, "sign-in:"), clock), seals: this.seals },
      ...{ random: randomBytes, clock },
      counted: (account) => rate.count(scoped(store, `user:${account}:`)),
      ended: (account, id) => this.#ended(account, id),
    });
    this.#leave = store.subscribe(ENDED, (message) => {
      const read = endedShape.safeParse(message).data;
      if (read !== undefined) void this.#endedHere(read.account, read.id).catch((error) => this.#note(error));
    });
  }

  /** Calls `listener` for each grant that ends from now on, here or at another replica. There is one listener. */
  onEnded(listener: (account: string, id: string) => Promise<void>): void {
    this.#endedHere = listener;
  }

  /**
   * Creates the auth of a user. It begins with this credential, and takes up the grants of the user's programs as they
   * come.
   */
  authOf(credential: Credential & { token: string }): UserAuth {
    const { renewals, store, holder, platform } = this.#deps;
    return new GrantedAuth(credential, {
      ...{ renewals, store, holder, platform },
      refused: async (ids) => {
        for (const id of ids) await this.grants.end(credential.account, id);
      },
    });
  }

  close(): void {
    this.#leave();
    this.#files?.close();
  }

  async #ended(account: string, id: string): Promise<void> {
    await this.#endedHere(account, id);
    await this.#deps.store.publish(ENDED, { account, id }).catch((error) => this.#note(error));
  }

  #note(error: unknown): void {
    this.#deps.platform.log.warn("grant_end_untold", { error: failureOf(error) });
  }
}

/** Opens the grants, which are in the store if it is shared and in the home otherwise. */
export async function openSignIn(deps: SignInStateDeps): Promise<SignInState> {
  return new SignInState(deps, deps.isShared ? undefined : await openGrantFiles(deps));
}
