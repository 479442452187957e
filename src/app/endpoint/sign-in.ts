import { randomBytes } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../../clock.ts";
import { failureOf, type Log } from "../../log.ts";
import type { Rate } from "../../mcp/http/rate.ts";
import { type Credential, Grants } from "../../mcp/http/sign-in/grants.ts";
import { Seals } from "../../mcp/http/sign-in/sealing.ts";
import { remembered } from "../../store/remembered.ts";
import { type Store, scoped } from "../../store/store.ts";
import { createGrantedAuth, type Renewals, type UserAuth } from "./credentials.ts";
import { openGrantPlaces } from "./grant-places.ts";

interface SignInStateDeps {
  store: Store;
  /** True if the store outlives this process. If so, the home keeps nothing. */
  isShared: boolean;
  /**
   * The signing key that the operator chose. If undefined, one is created in the home, or, if the home cannot be
   * written, for this process only.
   */
  stateKey: Uint8Array | undefined;
  home: string;
  clock: Clock;
  log: Log;
  /** Counts a program's token requests among its person's requests. */
  rate: Rate;
  /** Called when a grant has ended, here or at another replica. */
  ended: (account: string, id: string) => Promise<void>;
}

/** What sign-in keeps from one request to the next. */
export interface SignInState {
  grants: Grants;
  seals: Seals;
  authsWith: (renewals: Renewals, holder: string) => (credential: Credential & { token: string }) => UserAuth;
  close(): void;
}

const KEY_BYTES = 32;
const ENDED = "grant-ended";
const endedShape = z.object({ account: z.string(), id: z.string() });

export async function openSignIn(deps: SignInStateDeps): Promise<SignInState> {
  const { store, isShared, stateKey, home, clock, log, rate, ended } = deps;
  const places = isShared ? undefined : await openGrantPlaces({ home, stateKey, clock, log });
  const seals = new Seals(places?.key ?? stateKey ?? randomBytes(KEY_BYTES), randomBytes);
  const kept = places?.store ?? remembered(scoped(store, "sign-in:"), clock);
  const note = (error: unknown) => log.warn("grant_end_untold", { error: failureOf(error) });
  const leave = store.subscribe(ENDED, (message) => {
    const read = endedShape.safeParse(message).data;
    if (read !== undefined) void ended(read.account, read.id).catch(note);
  });
  const grants = new Grants({
    ...{ store: kept, seals, random: randomBytes, clock },
    counted: (account) => rate.count(scoped(store, `user:${account}:`)),
    async ended(account, id) {
      await ended(account, id);
      await store.publish(ENDED, { account, id }).catch(note);
    },
  });
  return {
    grants,
    seals,
    authsWith: (renewals, holder) => (credential) =>
      createGrantedAuth(credential, {
        ...{ renewals, store, holder, clock, log },
        async refused(ids) {
          for (const id of ids) await grants.end(credential.account, id);
        },
      }),
    close() {
      leave();
      places?.close();
    },
  };
}
