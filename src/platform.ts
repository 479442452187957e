import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** What a program's parts use of the process that runs them. Tests hand in one that they drive. */
export interface Platform {
  clock: Clock;
  log: Log;
  /** Returns fresh unguessable text of letters, digits, `_` and `-`. */
  newId(): string;
  /** Returns a number in [0, 1), uniformly. Repetitions of many processes are spread out by it. */
  random(): number;
}
