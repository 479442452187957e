import type { Ending } from "../../src/negotiation/says.ts";

/** What people live through with a demand, and the doors that they come by: each journey runs once at each door. */

export const DOORS = {
  argument: "an argument of a tool, from a client without a surface",
  form2025: "a form, in a client of the 2025 era",
  form2026: "a form, in a client of the 2026 era",
  task: "a form of a background task",
  page: "the page that asks",
  room: "the room",
  terminal: "`towow-mcp confirm`, at a terminal",
  http: "a form, in a session at the HTTP endpoint",
  call: "`towow-mcp call`",
} as const;
export type DoorName = keyof typeof DOORS;

export type Decision = "accept" | "change" | "reject";
export type Step =
  | "join"
  /** A demand comes to its question; a journey's second one is another demand. */
  | "demand"
  /** The question is put again, as a person finds it. */
  | "again"
  | Decision
  /** What asks is closed, undecided. */
  | "leave"
  | "look"
  | "cancel"
  /** The program dies, and another one of the same home takes over. */
  | "restart"
  | `elsewhere ${Decision}`
  | "a stranger's"
  /** Nothing that withdraws arrives, so that the backend goes on by itself at its deadline. */
  | "no withdrawal arrives"
  | "away"
  | "back"
  | "its answer is lost"
  | "agents think"
  | "an agent leaves"
  | "others confirm"
  | "formulated anew"
  | "the deadline passes"
  | "to its end";

export interface Journey {
  steps: readonly Step[];
  /** What the backend's journal holds in the end, of the last demand. */
  out?: "formulated" | "own" | "others" | undefined;
  by?: "user" | "timeout" | "other" | undefined;
  cancelled?: true;
  /** How it is told in the end; undefined where nothing is. */
  ends?: Ending;
  intent?: string;
  config?: Record<string, unknown>;
  /** Where it makes no sense, and why. */
  not?: Partial<Record<DoorName, string>>;
}

const NO_YES = "it sends no yes: its person confirms at a terminal";
const ONE_QUESTION = "it only decides: demands come by other doors";
const IS_DECIDED_THERE = "whose it is no program can know: its person decides on it there, see the next";
const ASKED_THERE_ONLY = "it is refused there, see the one before";

export const JOURNEYS: Readonly<Record<string, Journey>> = {
  "joins a scene": {
    steps: ["join"],
    not: { terminal: ONE_QUESTION, task: "a join is no task: it is asked as by a form of the 2026 era" },
  },
  "says yes": {
    steps: ["demand", "accept", "to its end"],
    ...{ out: "formulated", by: "user", ends: "plan" },
    not: { call: NO_YES },
  },
  "changes the text first": {
    steps: ["demand", "change", "to its end"],
    ...{ out: "own", by: "user", ends: "plan" },
    not: { call: NO_YES },
  },
  "says no": { steps: ["demand", "reject", "to its end"], cancelled: true, ends: "rejected" },
  "closes it, comes back, and says yes": {
    steps: ["demand", "leave", "again", "accept", "to its end"],
    ...{ out: "formulated", by: "user", ends: "plan" },
    not: { call: NO_YES },
  },
  "never answers": {
    steps: ["demand", "leave", "the deadline passes", "to its end"],
    cancelled: true,
    ends: "withdrawn",
  },
  "wants silence to broadcast it": {
    steps: ["demand", "leave", "the deadline passes", "to its end"],
    config: { on_unconfirmed: "leave" },
    ...{ out: "formulated", by: "timeout", ends: "plan" },
  },
  "says yes too late": {
    steps: ["demand", "no withdrawal arrives", "the deadline passes", "accept", "to its end"],
    ...{ out: "formulated", by: "timeout", ends: "plan" },
    not: { call: NO_YES },
  },
  "changes it too late": {
    steps: ["demand", "no withdrawal arrives", "the deadline passes", "change", "to its end"],
    ...{ out: "formulated", by: "timeout", ends: "plan" },
    not: { call: NO_YES },
  },
  "says no too late": {
    steps: ["demand", "no withdrawal arrives", "the deadline passes", "reject", "to its end"],
    ...{ out: "formulated", by: "timeout", ends: "plan" },
  },
  "said yes in another session": {
    steps: ["demand", "elsewhere accept", "reject", "to its end"],
    ...{ out: "formulated", by: "user", ends: "plan" },
  },
  "said no in another session": {
    steps: ["demand", "elsewhere reject", "accept", "to its end"],
    ...{ cancelled: true, ends: "rejected" },
    not: { call: NO_YES },
  },
  "the program is started again before the answer": {
    steps: ["demand", "restart", "again", "accept", "to its end"],
    ...{ out: "formulated", by: "user", ends: "plan" },
    not: {
      call: NO_YES,
      http: "one that ends withdraws what is undecided; one that is killed is in test/http/restart",
    },
  },
  "the program is started again behind a yes": {
    steps: ["demand", "accept", "restart", "to its end"],
    ...{ out: "formulated", by: "user", ends: "plan" },
    not: { call: NO_YES },
  },
  "the backend is away as a demand comes": { steps: ["away", "demand"], not: { terminal: ONE_QUESTION } },
  "the backend is away as the answer comes": {
    steps: ["demand", "away", "accept", "back", "again", "accept", "to its end"],
    ...{ out: "formulated", by: "user", ends: "plan" },
    not: { call: NO_YES, argument: "what a failing backend says is others' text, behind which no AI passes on a yes" },
  },
  "the answer to a yes is lost": {
    steps: ["demand", "its answer is lost", "accept", "to its end"],
    ...{ out: "formulated", by: "user", ends: "plan" },
    not: { call: NO_YES },
  },
  "a second demand": {
    steps: ["demand", "accept", "to its end", "demand", "change", "to its end"],
    ...{ out: "own", by: "user", ends: "plan" },
    not: { call: NO_YES, argument: "a plan is others' text, behind which no AI passes on a yes" },
  },
  "somebody else's negotiation": {
    steps: ["a stranger's", "accept"],
    not: { page: IS_DECIDED_THERE, room: IS_DECIDED_THERE, terminal: IS_DECIDED_THERE },
  },
  "a negotiation of the same person that was submitted in another home": {
    steps: ["a stranger's", "accept", "to its end"],
    ...{ out: "formulated", by: "user", ends: "plan" },
    not: Object.fromEntries(
      (["argument", "form2025", "form2026", "task", "http", "call"] as const).map((door) => [door, ASKED_THERE_ONLY]),
    ),
  },
  "somebody else confirms another text": {
    steps: ["demand", "others confirm", "accept", "to its end"],
    ...{ out: "others", by: "other", ends: "plan" },
    not: { call: NO_YES },
  },
  "another text stands there by the time of the yes": {
    steps: ["demand", "formulated anew", "accept", "again", "accept", "to its end"],
    ...{ out: "others", by: "user", ends: "plan" },
    not: { call: NO_YES },
  },
  "nobody resonates": {
    steps: ["demand", "accept", "to its end"],
    intent: "python [[resonate=none]]",
    ...{ out: "formulated", by: "user", ends: "no_participants" },
    not: { call: NO_YES },
  },
  "no plan can be written": {
    steps: ["demand", "accept", "to its end"],
    intent: "python [[center=fail]]",
    ...{ out: "formulated", by: "user", ends: "failed" },
    not: { call: NO_YES },
  },
  "an agent leaves without an offer": {
    steps: ["demand", "an agent leaves", "accept", "to its end"],
    intent: "python, design",
    ...{ out: "formulated", by: "user", ends: "plan" },
    not: { call: NO_YES },
  },
  "takes it back behind the yes": {
    steps: ["demand", "agents think", "accept", "cancel", "to its end"],
    ...{ out: "formulated", by: "user", cancelled: true, ends: "cancelled" },
    not: { call: NO_YES },
  },
};
