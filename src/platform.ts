import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** What the parts of a program use of the process that runs them. Tests hand in a platform that they control. */
export interface Platform {
  clock: Clock;
  log: Log;
  /** Returns fresh unguessable text of letters, digits, `_` and `-`. */
  newId(): string;
  /** Returns a uniform random number in [0, 1), which spreads out the repetitions of many processes. */
  random(): number;
}
