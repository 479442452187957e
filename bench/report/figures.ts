import type { CallFigures } from "../calls/calls.ts";
import type { measureHistory } from "../history/history.ts";
import type { measureHttp } from "../http/load.ts";
import type { UsersFigures } from "../http/users.ts";
import type { measureBytes } from "../lists.ts";
import type { StartFigures } from "../start/starts.ts";
import type { measureWatching } from "../watching/watch.ts";

/** What one run measured. */
export interface Measured {
  starts: { figures: StartFigures[]; bytes: number; packages: number };
  calls: CallFigures[];
  bytes: Awaited<ReturnType<typeof measureBytes>>;
  watching: Awaited<ReturnType<typeof measureWatching>>;
  history: Awaited<ReturnType<typeof measureHistory>>;
  http: Awaited<ReturnType<typeof measureHttp>>;
  users: UsersFigures;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
/** The value that 95 of 100 are not above; of twenty runs, the second longest. */
export const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;
export const least = (values: readonly number[]): number => Math.min(...values);

/** The one of a name. @throws where nothing was measured under it */
export function named<T extends { name: string } | { label: string }>(rows: readonly T[], name: string): T {
  const found = rows.find((row) => ("name" in row ? row.name : row.label) === name);
  if (found === undefined) throw new Error(`nothing was measured under ${name}`);
  return found;
}

interface Summary {
  median: number;
  p95: number;
  least: number;
  count: number;
}

/** What was measured, for programs: every series of numbers as its median, p95 and minimum, the rest as it is. */
export function summarised(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isSeries = value.length > 0 && value.every((one) => typeof one === "number");
    return isSeries ? summaryOf(value) : value.map(summarised);
  }
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, summarised(inner)]));
}

const summaryOf = (values: readonly number[]): Summary => ({
  median: median(values),
  p95: p95(values),
  least: least(values),
  count: values.length,
});
