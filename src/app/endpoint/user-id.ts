import { scrypt } from "node:crypto";
import { promisify } from "node:util";

/**
 * The id of somebody who names none, always the same for a token at a backend. It is public in the network, so it must
 * not help to guess the token: hence a slow hash, for the caller to keep, and not on the thread that serves everybody.
 */
export async function deriveUserId(backendUrl: string, token: string): Promise<string> {
  const salt = `towow-user-id\n${new URL(backendUrl).origin}`;
  const hash = (await promisify(scrypt)(token, salt, 16)) as Buffer;
  return `u-${hash.toString("hex")}`;
}
