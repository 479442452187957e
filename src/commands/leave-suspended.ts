import { nanoid } from "nanoid";
import type { Clock } from "../clock.ts";
import { createTaintFile } from "../home/taint-file.ts";

/**
 * Returns until when `on_unconfirmed: leave` is suspended in this home because others' text was read, in milliseconds since the
 * epoch. The result is infinite if the time cannot be known, and undefined if `leave` is followed.
 */
export async function leaveSuspendedUntil(home: string, clock: Clock): Promise<number | undefined> {
  const until = await createTaintFile(home, nanoid).until();
  return until !== undefined && until > clock.now() ? until : undefined;
}
