import type { Report } from "./report.ts";
import type { Stalls } from "./stalls.ts";

/** What all runs share. */
export interface Bench {
  /** The folder of the built package. */
  root: string;
  report: Report;
  stalls: Stalls;
  /** Seconds until the backend confirms by itself. */
  deadlineS: number;
  /** Whether every run waits for the deadline. */
  toTheEnd: boolean;
}
