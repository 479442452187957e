import { nanoid } from "nanoid";
import { systemClock } from "../clock.ts";
import { createTaintFile } from "../home/taint-file.ts";

/**
 * Until when `on_unconfirmed: leave` is not followed in this home, because text of others was read: ms since the epoch,
 * infinite where nobody can tell, undefined where it is followed.
 */
export async function leaveSuspendedUntil(home: string): Promise<number | undefined> {
  const until = await createTaintFile(home, nanoid).until();
  return until !== undefined && until > systemClock.now() ? until : undefined;
}
