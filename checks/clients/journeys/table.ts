import type { Row } from "./client.ts";
import { INTENTS, type Journey, type Kind, type Outcome } from "./journey.ts";
import type { Stop } from "./person.ts";

/** What was seen of one client. */
export interface Travelled {
  title: string;
  version: string;
  journeys: Partial<Record<Kind, Journey>>;
}

/** How each journey must end; a run without a person may neither join nor broadcast. */
const ENDS: Readonly<Record<Kind, readonly Outcome[]>> = {
  plan: ["plan"],
  long: ["plan"],
  later: ["waits"],
  headless: ["nothing was sent", "withdrawn"],
  second: ["plan"],
};

/** Whether a journey went as it must; one that was not made has not. */
export const arrived = (kind: Kind, journey: Journey | undefined): boolean =>
  journey !== undefined && ENDS[kind].includes(journey.outcome) && journey.joined === (kind !== "headless");

const SAID: Readonly<Record<Outcome, string>> = {
  plan: "plan",
  waits: "it waits, and nothing is sent",
  withdrawn: "the demand is withdrawn",
  broadcast: "broadcast",
  "nothing was sent": "nothing is sent",
};

const stopsAt = (journey: Journey | undefined, row: Row): Stop[] =>
  journey?.stops.filter((stop) => stop.row === row) ?? [];
const shown = (journey: Journey | undefined, row: Row): string =>
  [...new Set(stopsAt(journey, row).map(({ shows }) => shows))].join("; ") || "nothing";
const ended = (kind: Kind, journey: Journey | undefined): string =>
  arrived(kind, journey) ? SAID[journey!.outcome] : `**${journey?.outcome ?? "not made"}**`;

const ROWS: readonly (readonly [step: string, cell: (of: Travelled["journeys"]) => string])[] = [
  ["it starts", ({ plan }) => shown(plan, "start")],
  ["a tool is called", ({ plan }) => shown(plan, "call")],
  ["the profile", ({ plan }) => shown(plan, "profile")],
  ["a text that its forms show", ({ plan }) => `${shown(plan, "text")} → ${ended("plan", plan)}`],
  [
    `a text of ${INTENTS.long.split("=")[1]!.length - 2} characters`,
    ({ long }) => `${shown(long, "text")} → ${ended("long", long)}`,
  ],
  ["put off", ({ later }) => `${stopsAt(later, "text").at(-1)?.shows ?? "nothing"}: ${ended("later", later)}`],
  ["nobody there", ({ headless }) => `no profile; ${ended("headless", headless)}`],
  ["stops, calls apart", ({ plan }) => String(plan?.stops.filter(({ row }) => row !== "call").length ?? 0)],
];

const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

/** Steps × clients. */
export function journeysTable(clients: readonly Travelled[]): string {
  return [
    line(["", ...clients.map(({ title, version }) => `${title} ${version}`)]),
    line(["---", ...clients.map(() => "---")]),
    ...ROWS.map(([step, cell]) => line([step, ...clients.map(({ journeys }) => cell(journeys))])),
  ].join("\n");
}

const hand = (journey: Journey | undefined, at: number): string => {
  const by = journey?.decidedBy[at];
  return by === undefined ? "**not sent**" : (HANDS[by] ?? by);
};
const HANDS: Readonly<Record<string, string>> = {
  form: "in the form",
  page: "on the page",
  terminal: "in the terminal",
  argument: "passed on by the AI",
};

/** Clients × a first mission and a second demand behind its plan: what each shows, and whose hand it was. */
export function missionsTable(clients: readonly Travelled[]): string {
  const rows = clients.map(({ title, version, journeys: { second } }) => [
    `${title} ${version}`,
    second?.joined ? shown(second, "profile") : "**not joined**",
    `${shown(second, "text")}: ${hand(second, 0)}`,
    `${shown(second, "second")}: ${hand(second, 1)}`,
    ended("second", second),
  ]);
  const head = ["", "joins", "a demand", "a second one, after the plan was read", "ends"];
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

/** What did not go as it must, one line each. */
export const failures = ({ title, journeys }: Travelled, kinds: readonly Kind[]): string[] =>
  kinds
    .filter((kind) => !arrived(kind, journeys[kind]))
    .map((kind) => {
      const { outcome, joined, screen } = journeys[kind] ?? {};
      return `${title}, ${kind}: ${outcome}, joined ${joined}\n${screen}`;
    });
