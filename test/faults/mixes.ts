import type { FaultRoute } from "../../mock-backend/main.ts";

/** What may go wrong in one kind of run. */
export interface Mix {
  name: string;
  /** Chance that a request meets a fault, by route. */
  faults: Partial<Record<FaultRoute, number>>;
  /** Chance that a request is lost on its way to the backend, by route. */
  lost?: Partial<Record<FaultRoute, number>>;
  /** Stretches in which nothing answers. */
  blackouts?: boolean;
  /** Stretches in which everything is answered with one status, of 4xx or 5xx. */
  bursts?: boolean;
  /**
   * Reads alone are slow or fail, and programs that end get the time that they need: at all times, or for a while, around
   * deadlines and the ends of programs above all.
   */
  reads?: "always slow" | "for a while";
  /** Processes killed between two of their steps, and replaced. */
  kills?: boolean;
  /** Processes stand still for seconds to minutes, and go on. */
  stops?: boolean;
  /** When other programs see that one is dead or stands still. */
  seen?: "late" | "never";
  /** Ends as at stdin's end, and replaced. */
  shutdowns?: boolean;
  /** The formulated text changes while it is asked about. */
  changes?: boolean;
  /** Client cancellations. */
  aborts?: boolean;
  leave?: boolean;
  /** The machine's clock is set, minutes to an hour, either way. */
  clockJumps?: boolean;
  /** The machine sleeps for seconds to minutes. */
  sleeps?: boolean;
  /** After which the backend confirms by itself, while programs think that it is 300 s. */
  deadlineMs?: number;
  /** The backend stands still for a while, past deadlines too, and goes on. */
  standstills?: boolean;
  /** Somebody confirms in another window, now and then with another text. */
  others?: boolean;
  /** Everybody exits, the encoder or the formulation fails, the Center opens a sub-negotiation. */
  edges?: boolean;
  /** The backend wants tokens, which live for two minutes, and forgets them now and then. */
  tokens?: boolean;
}

const EVERY: FaultRoute[] = ["submit", "confirm", "action", "get"];
const all = (p: number) => Object.fromEntries(EVERY.map((route) => [route, p]));

export const MIXES: readonly Mix[] = [
  { name: "none", faults: {} },
  { name: "text changes, aborts", faults: {}, changes: true, aborts: true },
  { name: "submit 40 %", faults: { submit: 0.4 }, aborts: true },
  { name: "confirm 50 %", faults: { confirm: 0.5 } },
  { name: "action 50 %", faults: { action: 0.5 } },
  { name: "get 30 %", faults: { get: 0.3 }, changes: true },
  { name: "every route 15 %", faults: all(0.15), changes: true, aborts: true },
  { name: "blackouts", faults: {}, blackouts: true },
  { name: "kills", faults: {}, kills: true },
  { name: "kills, changes, 10 %", faults: all(0.1), kills: true, changes: true, aborts: true },
  { name: "stops", faults: {}, stops: true },
  { name: "stops, kills, shutdowns, 10 %", faults: all(0.1), stops: true, kills: true, shutdowns: true },
  { name: "stops and kills that show late", faults: {}, stops: true, kills: true, shutdowns: true, seen: "late" },
  { name: "stops and kills that never show", faults: {}, stops: true, kills: true, shutdowns: true, seen: "never" },
  { name: "shutdowns", faults: {}, shutdowns: true },
  { name: "shutdowns, kills, 15 %", faults: all(0.15), shutdowns: true, kills: true, aborts: true },
  {
    name: "everything, leave",
    faults: all(0.15),
    kills: true,
    shutdowns: true,
    changes: true,
    aborts: true,
    leave: true,
  },
  { name: "clock jumps", faults: {}, clockJumps: true, aborts: true },
  { name: "clock jumps, kills, 10 %", faults: all(0.1), clockJumps: true, kills: true },
  { name: "the machine sleeps", faults: {}, sleeps: true, aborts: true },
  { name: "the machine sleeps, kills, 10 %", faults: all(0.1), sleeps: true, kills: true },
  { name: "tokens expire", faults: {}, tokens: true, kills: true },
  { name: "bursts of 4xx and 5xx", faults: {}, bursts: true, changes: true, aborts: true },
  { name: "bursts, kills, 10 %", faults: all(0.1), bursts: true, kills: true },
  { name: "a shorter deadline than ours", faults: {}, deadlineMs: 90_000, kills: true },
  { name: "the engine stands still", faults: {}, standstills: true, aborts: true },
  { name: "the engine stands still, leave", faults: {}, standstills: true, leave: true },
  { name: "somebody else confirms", faults: {}, others: true, shutdowns: true },
  { name: "edges of the engine", faults: {}, edges: true, kills: true, aborts: true },
  { name: "tokens expire, 15 %", faults: { ...all(0.15), token: 0.3 }, tokens: true, blackouts: true },
  { name: "slow reads, shutdowns", faults: {}, reads: "always slow", shutdowns: true, aborts: true },
  { name: "slow reads, kills, lost confirms", faults: {}, lost: { confirm: 0.7 }, reads: "always slow", kills: true },
  {
    name: "reads in trouble, changes, kills",
    faults: {},
    reads: "for a while",
    changes: true,
    shutdowns: true,
    kills: true,
  },
  {
    name: "reads in trouble, all confirms lost",
    faults: {},
    lost: { confirm: 1 },
    reads: "for a while",
    shutdowns: true,
  },
];
