import { TokenRejected } from "./errors.ts";

/** Where the bearer comes from. Both may reject with a TowowError, or with the signal's reason. */
export interface Auth {
  /** The token for this backend, renewed ahead of its end; `undefined` where the backend issues none. */
  bearer(signal?: AbortSignal): Promise<string | undefined>;
  /** A token newer than the one that failed; `undefined` when there is none to be had. */
  renew(failed: string | undefined, signal?: AbortSignal): Promise<string | undefined>;
}

/**
 * What a request does about a 401: it asks once for another token, and is repeated with that. Gives undefined for every
 * other failure, for a second 401, and where there is no other token: then the failure stands.
 */
export function renewOnce(auth: Auth, signal: AbortSignal | undefined) {
  let isRenewed = false;
  return async (bearer: string | undefined, failure: unknown): Promise<string | undefined> => {
    if (!(failure instanceof TokenRejected) || isRenewed) return undefined;
    isRenewed = true;
    const fresh = await auth.renew(bearer, signal);
    if (fresh === undefined || fresh === bearer) throw failure;
    return fresh;
  };
}
