import { nanoid } from "nanoid";
import type { Clock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import type { Platform } from "../../src/platform.ts";

/** What a program uses of its process, on a test's clock. It logs nothing, and its jitter is none. */
export const platformWith = (clock: Clock, parts: Partial<Platform> = {}): Platform => ({
  clock,
  log: silentLog,
  newId: nanoid,
  random: () => 0.5,
  ...parts,
});
