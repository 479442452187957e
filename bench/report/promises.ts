import { least, type Measured, median, named, p95 } from "./figures.ts";

/** A figure that is promised, and what it came to. Ratios are to the floor in the same run. */
export interface Promised {
  figure: string;
  /** Median, p95 and minimum as they are shown. */
  measured: string;
  atMost: string;
  isKept: boolean;
}

const times = (value: number) => `${value.toFixed(2)} ×`;
const ms = (values: readonly number[]) =>
  `${[median(values), p95(values), least(values)].map((value) => value.toFixed(1)).join(" / ")} ms`;

/** Ratio of medians and of minima; the promise is about the medians. */
function ratio(figure: string, ours: readonly number[], floor: readonly number[], most: number): Promised {
  const of = median(ours) / median(floor);
  const measured = `${ms(ours)}; ${times(of)} / ${times(least(ours) / least(floor))}`;
  return { figure, measured, atMost: `${most} ×`, isKept: of <= most };
}

/** As many digits as it takes to see on which side of the aim a value is. */
function digitsOf(value: number, aim: number): number {
  if (Number.isInteger(value)) return 0;
  const least = value < 10 ? 2 : 0;
  return [0, 1, 2, 3].find((digits) => digits >= least && Number(value.toFixed(digits)) !== aim) ?? 3;
}

const amount = (figure: string, value: number, most: number, unit: string): Promised => ({
  figure,
  measured: `${value.toFixed(digitsOf(value, most))} ${unit}`,
  atMost: `${most} ${unit}`,
  isKept: value <= most,
});

export function promises({ starts, calls, bytes, watching, history, http, users }: Measured): Promised[] {
  const loop = named(starts.figures, "a loop by hand").starts;
  const library = named(starts.figures, "the SDK with zod and ky, the same read").starts;
  const own = named(starts.figures, "towow-mcp").starts;
  const reading = named(starts.figures, "towow-mcp, reading from the network").starts;
  const ky = named(calls, "ky, the same GET");
  const sdk = named(calls, "the SDK, the same GET by ky");
  const read = named(calls, "towow_get_negotiation");
  const status = named(calls, "towow_status");
  const rate = (name: string) => named(http.rows, name).perSecond;
  const cached = rate("towow-mcp, a cached read (list of scenes)");
  const read32 = rate("towow-mcp, a read from the backend");
  const all = [...own, ...reading];
  return [
    ratio(
      "start → `tools/list` answered",
      own.map((it) => it.listedMs),
      loop.map((it) => it.listedMs),
      1.4,
    ),
    ratio(
      "start → first read from the network",
      reading.map((it) => it.calledMs),
      library.map((it) => it.calledMs),
      1.6,
    ),
    amount("resident after `tools/list`", median(all.map((it) => it.residentListedMb)), 50, "MB"),
    amount("resident after the first read", median(reading.map((it) => it.residentCalledMb)), 95, "MB"),
    amount("installed size", starts.bytes / 1e6, 4.8, "MB"),
    amount("packages installed", starts.packages, 1, "package"),
    amount("names, descriptions and input schemas of all tools, normal", bytes.normal, 4_500, "bytes"),
    amount("names, descriptions and input schemas of all tools, developer", bytes.developer, 11_000, "bytes"),
    amount("a second `towow_status`, nothing new: text", bytes.repeatedStatus.text, 400, "bytes"),
    ratio(
      "a read tool beside the SDK with the same GET by ky, one at a time",
      read.sequentialMs,
      sdk.sequentialMs,
      1.5,
    ),
    ratio("a read tool beside the SDK with the same GET by ky, 50 at once", read.atOnceMs, sdk.atOnceMs, 1.5),
    ratio("`towow_status` beside raw ky, one at a time", status.sequentialMs, ky.sequentialMs, 2),
    amount("backend reads of an 18 s negotiation", watching.wokenByFeed.requests, 24, "reads"),
    amount("median delay of news, with the feed", watching.wokenByFeed.medianDelayMs / 1000, 0.3, "s"),
    ...historyPromises(history),
    atLeast(
      "HTTP, 32 at once, beside the SDK's handler with the same GET",
      read32,
      rate("the SDK's own handler, the same GET by ky"),
      0.85,
    ),
    atLeast("HTTP, 32 at once, beside bare node:http", cached, rate("bare node:http, JSON in and out"), 0.1),
    ...usersPromises(users),
  ];
}

/** A home with ten thousand negotiations, beside one with none. */
function historyPromises({ full, empty }: Measured["history"]): Promised[] {
  const about = "a home with 10,000 negotiations";
  return [
    ratio(`${about} beside an empty one: start`, full.start, empty.start, 1.2),
    ratio("… `towow_status`", full.status, empty.status, 1.2),
    ratio("… a demand", full.demand, empty.demand, 1.2),
    amount("… an unknown id", median(full.unknownId), 30, "ms"),
    amount("… `towow://negotiations`", median(full.resource), 150, "ms"),
    amount("… `towow-mcp list`", median(full.list) / 1000, 1, "s"),
    amount("… resident, more than an empty one", median(full.residentMb) - median(empty.residentMb), 15, "MB"),
  ];
}

/** Many users at one endpoint, at a part of the rate that the SDK's own handler holds. */
function usersPromises({ users, perSecond, p99Ms, failed, residentMb }: Measured["users"]): Promised[] {
  const about = `\`serve\` with ${users.toLocaleString("en")} users, ${Math.round(perSecond)} mixed calls a second`;
  return [
    amount(`${about}: errors`, failed, 0, "errors"),
    amount("… p99", p99Ms, 250, "ms"),
    amount("… resident", residentMb, 500, "MB"),
  ];
}

function atLeast(figure: string, perSecond: number, floor: number, least: number): Promised {
  const of = perSecond / floor;
  return {
    figure,
    measured: `${Math.round(perSecond)} a second; ${times(of)}`,
    atMost: `at least ${least} ×`,
    isKept: of >= least,
  };
}
