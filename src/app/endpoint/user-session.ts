import { nanoid } from "nanoid";
import { createSession, type Session, type SessionDeps } from "../../session/session.ts";
import { scoped } from "../../store/store.ts";
import { rememberedSha256, sha256 } from "../hash.ts";

/**
 * What one session of a user keeps, behind the user's own part of the store. Without an id it is the one that requests
 * without a session share.
 */
export function createUserSession(
  { store, ...parts }: Pick<SessionDeps, "store" | "tainted" | "ledger" | "clock" | "log">,
  sessionId?: string,
): Session {
  const own = sessionId === undefined ? store : scoped(store, `session:${sha256(sessionId)}:`);
  return createSession({ ...parts, id: nanoid(), store: own, newId: nanoid, hash: rememberedSha256 });
}
