import type { Step } from "../scripted-model.ts";
import type { Place } from "./place.ts";

/** The rows of the table: where a person is stopped. */
export type Row = "start" | "call" | "profile" | "text" | "second";

/** What a person does when the screen shows something. The first that fits is done, at most `times` (1). */
export interface Rule {
  see: RegExp;
  /** tmux's names. */
  keys?: readonly string[];
  type?: string;
  /** What else the person does then, elsewhere: a yes on the page that was opened, or in a terminal of their own. */
  elsewhere?: "page" | "terminal";
  row?: Row;
  /** What it is, for the table. */
  shows?: string;
  times?: number;
  /** Not done any more once this holds. */
  until?: (place: Place) => boolean;
  /** Before anything is pressed, in milliseconds. */
  afterMs?: number;
}

/** One client, as it is driven. */
export interface DrivenClient {
  id: string;
  title: string;
  /** The npm package, with its version. */
  npm: string;
  /** Packages that it needs beside it. */
  beside?: readonly string[];
  /** The client itself puts questions before the person; else their AI asks in the chat. */
  asks: boolean;
  prepare: (place: Place) => Promise<{ command: readonly string[]; env?: Record<string, string>; rows?: number }>;
  /** A demand goes on in the background, and the model is woken with its result. */
  inBackground?: true;
  /** Where a text is decided on that no form of the client shows whole. */
  long: "page" | "terminal" | "chat";
  /** In order of precedence. What all clients share, the chat, is added. */
  rules: readonly Rule[];
  /** Behind what the composer is ready for a line. */
  ready: RegExp;
  /** How a question is closed without an answer; absent where there is none. */
  later?: Rule;
  /** A run without a person. */
  headless: (place: Place) => Promise<{ command: readonly string[]; env?: Record<string, string> }>;
}

export const PROFILE_SHOWN = "PROFILE-SHOWN. Is this right, and which name should others see?";
export const TEXT_SHOWN = "TEXT-SHOWN. Shall it be broadcast?";
export const PAGE_OPENED = "ON-YOUR-PAGE. Decide there, and tell me when it is done.";
export const TERMINAL_NEEDED = "IN-YOUR-TERMINAL. Decide there, and tell me when it is done.";
export const PLAN_SHOWN = "THERE-IS-A-PLAN.";

const SCENE = "AI 创业合伙人";
const RAW = "I am an engineer; I built a forecast for a hospital.";
export const PROFILE = {
  skills: ["TypeScript", "Python", "recommender systems"],
  bio: "Full-stack engineer; built a queue forecast for a hospital.",
  experience: "8 years",
  capabilities: ["a prototype in two weeks"],
};

/** The person's profile under their name, as it is published. */
const PROFILE_CALL = { scene: SCENE, display_name: "Lin", profile_data: PROFILE };

const hashIn = (text = "") => /profile_hash[\\"]+:\s*[\\"]+([\w-]+)/.exec(text)?.[1];
const idsIn = (text = "") => ({
  negotiation_id: /neg_[\w-]+/.exec(text)?.[0],
  confirmation_id: /confirmation_id["\\: ]+([\w-]+)/.exec(text)?.[1],
});

export interface Script {
  /** The client asks the person; else the model does, in the chat. */
  asks: boolean;
  /** The text needs the person's terminal. */
  inTerminal: boolean;
  inBackground: boolean;
  /** The person puts the question about the text off. */
  isLater: boolean;
  intent: string;
  /** What the person wants behind the first plan. */
  second?: string | undefined;
}

/** What the model does, from the person's words to the plan. */
export function modelSteps({ asks, inTerminal, inBackground, isLater, intent, second }: Script): Step[] {
  const chat = (say: string): Step[] => (asks ? [] : [{ say }]);
  const join: Step = () => ({ tool: "towow_join", input: PROFILE_CALL });
  const joinShown: Step = (results) => {
    const profile_hash = hashIn(results.at(-1)?.text);
    return { tool: "towow_join", input: { ...PROFILE_CALL, ...(profile_hash && { profile_hash }) } };
  };
  const decide: Step = (results) => {
    const { negotiation_id, confirmation_id } = idsIn(results.at(-1)?.text);
    const input = { negotiation_id, ...(confirmation_id && { confirmation_id }), decision: "accept" };
    return { tool: "towow_demand", input };
  };
  const planned: Step = inBackground
    ? { say: "It goes on in the background." }
    : { tool: "towow_status", input: { wait: "done" } };
  // After others' text was read the result says where the person decides.
  const elsewhere: Step = (results) =>
    /page that has opened/.test(results.at(-1)?.text ?? "") ? { say: PAGE_OPENED } : { say: TERMINAL_NEEDED };
  const toSecond: Step[] = [{ tool: "towow_demand", input: { intent: second } }, ...(asks ? [] : [elsewhere]), planned];
  const toPlan: Step[] = [
    ...(inTerminal ? [{ say: TERMINAL_NEEDED }] : []),
    ...(asks ? [] : [decide]),
    planned,
    ...(second === undefined ? [] : toSecond),
    { say: PLAN_SHOWN },
  ];
  return [
    { tool: "towow_join", input: { scene: SCENE, raw_content: RAW } },
    join,
    ...chat(PROFILE_SHOWN),
    ...(asks ? [] : [joinShown]),
    { tool: "towow_demand", input: { intent } },
    ...chat(TEXT_SHOWN),
    ...(isLater && !asks ? [{ say: "Fine, it waits." }] : toPlan),
  ];
}
