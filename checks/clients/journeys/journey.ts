// One journey: a real client in a terminal, a script for its model, and a person who answers what is on the screen.
import { openPane } from "../pane.ts";
import { type DrivenClient, modelSteps, type Rule } from "./client.ts";
import { answer, CHAT, CHAT_LATER, NAMED, type Stop } from "./person.ts";
import { openPlace, type Place } from "./place.ts";
import { ran } from "./programs.ts";

/** A short text; one that no form shows whole; a question that is closed; a run without a person; a second demand behind the plan. */
export const KINDS = ["plan", "long", "later", "headless", "second"] as const;
export type Kind = (typeof KINDS)[number];

/** What became of the demand, as the backend and the model's last result know it. */
export type Outcome = "plan" | "waits" | "withdrawn" | "broadcast" | "nothing was sent";

export interface Journey {
  stops: Stop[];
  outcome: Outcome;
  joined: boolean;
  seconds: number;
  /** By whose hand each demand went out, in order. */
  decidedBy: string[];
  /** The last that was seen. */
  screen: string;
  /** What the model was given, call by call. */
  results: string[];
}

const PROMPT = "Join the scene with my résumé, and find me a product designer.";
const SHORT = "I need a product designer who knows hospital software.";
/** 1,517 characters. */
const LONG =
  `${SHORT} ${"We plan the queues of a hospital, and what we show must be read at a glance. ".repeat(19)}`.trim();
export const INTENTS: Readonly<Record<Kind, string>> = {
  plan: SHORT,
  long: `${SHORT} [[formulated=${LONG}]]`,
  later: SHORT,
  headless: SHORT,
  second: SHORT,
};
export const SECOND = "Now I need an accountant for a small studio.";
/** A client that looks ready may still be starting its servers, and loses what is typed. */
const PROMPT_AFTER_MS = 3_500;

/** Takes one journey with a client. `bin`: where its program is. */
export async function travel(client: DrivenClient, kind: Kind, bin: string): Promise<Journey> {
  const inTerminal = kind === "long" && client.long === "terminal";
  const inBackground = client.inBackground === true && kind !== "headless";
  // Without a person nobody answers the AI either: it goes on, and what it may do alone is seen.
  const asks = client.asks || kind === "headless";
  const isLater = kind === "later";
  const second = kind === "second" ? SECOND : undefined;
  const script = { asks, inTerminal, inBackground, isLater, intent: INTENTS[kind], second };
  const place = await openPlace(bin, modelSteps(script));
  const from = Date.now();
  try {
    const seen = kind === "headless" ? await alone(client, place) : await accompanied(client, kind, place);
    return { ...seenAt(place, kind), ...seen, seconds: (Date.now() - from) / 1000 };
  } finally {
    await place.close();
  }
}

/** What the backend and the model know of it at the end. */
export function seenAt(place: Place, kind: Kind): Pick<Journey, "outcome" | "joined" | "results" | "decidedBy"> {
  const results = place.model.results().map(({ text }) => text);
  const joined = place.mock.journal.some(({ method, path, status }) => isRegistration(method, path) && status === 201);
  return { outcome: outcomeOf(place, kind), joined, results, decidedBy: place.decidedBy() };
}

const isRegistration = (method: string, path: string): boolean => method === "POST" && /\/agents$/.test(path);

function outcomeOf({ mock }: Place, kind: Kind): Outcome {
  const negotiation = mock.negotiations()[kind === "second" ? 1 : 0];
  if (negotiation === undefined) return "nothing was sent";
  if (negotiation.cancelled) return "withdrawn";
  if (negotiation.confirmCount === 0) return "waits";
  return negotiation.plan_output === null ? "broadcast" : "plan";
}

/** Behind a plan the client's own surfaces ask once more; where it has none, the person is sent to a terminal for the first time. */
const withSecond = (rules: readonly Rule[]): Rule[] => [
  ...rules.map((rule): Rule => (rule.elsewhere === "terminal" ? { ...rule, row: "second", shows: NAMED } : rule)),
  ...rules
    .filter((rule) => rule.row === "text" && !CHAT.includes(rule))
    .map((rule): Rule => ({ ...rule, row: "second" })),
];
async function accompanied(client: DrivenClient, kind: Kind, place: Place) {
  const { command, env, rows } = await client.prepare(place);
  const size = rows === undefined ? {} : { rows };
  const pane = openPane(command, { cwd: place.project, env: { ...place.env, ...env }, folder: place.folder, ...size });
  try {
    const isTaken = () => place.model.tools().length > 0;
    const prompt: Rule = {
      see: client.ready,
      type: PROMPT,
      keys: ["Enter"],
      afterMs: PROMPT_AFTER_MS,
      times: 8,
      until: isTaken,
    };
    const later = kind === "later" ? [client.later ?? CHAT_LATER] : [];
    const known = [...later, ...CHAT, ...client.rules];
    const rules = [...(kind === "second" ? withSecond(known) : known), prompt];
    const stops = await answer(pane, rules, place, kind === "later" ? "text" : undefined);
    return { stops, screen: pane.screen() };
  } finally {
    pane.close();
  }
}

async function alone(client: DrivenClient, place: Place) {
  const { command, env } = await client.headless(place);
  const [program, ...args] = command as [string, ...string[]];
  const screen = await ran(program, args, { env: { ...place.env, ...env }, cwd: place.project });
  return { stops: [], screen };
}
