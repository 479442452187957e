import type { Negotiation, Participant } from "../backend/contract.ts";
import { excessOf, jsonIn } from "../json.ts";
import { type AgentState, agentState } from "../negotiation/backend-states.ts";

/**
 * This file describes who takes part in a negotiation, and what each agent offers. Pure, and without words of a
 * language.
 */

export interface Agent {
  id: string;
  name: string;
  /** The agent's initials, at most two characters. */
  initials: string;
  state: AgentState;
  score: number;
  scoreText: string;
  /** The capabilities that the agent's offer lists. Empty if there is no offer. */
  capabilities: readonly string[];
  /** Null if the agent has made no offer. */
  offer: Offer | null;
}

/** An offer as a person reads it: its words, and the rest of its contents as terms and values. Both may be empty. */
export interface Offer {
  text: string;
  facts: readonly { term: string; value: string }[];
}

/**
 * Describes the agents in the backend's order. `isOver` says that the negotiation has ended, so that no more offers
 * can come.
 */
export const agentsOf = ({ participants }: Pick<Negotiation, "participants">, isOver: boolean): Agent[] =>
  participants.map((participant) => agentOf(participant, isOver));

/** Describes one agent in the same way. An agent that has left shows no offer, even if it made one. */
export function agentOf(participant: Participant, isOver: boolean): Agent {
  const { agent_id: id, display_name, resonance_score: score, offer_content, offer_capabilities } = participant;
  const state = agentState(participant, isOver);
  const hasOffer = state === "offered";
  const name = display_name.trim() === "" ? id : display_name;
  return {
    id,
    name,
    initials: initialsOf(name),
    state,
    score,
    scoreText: scoreText(score),
    capabilities: hasOffer ? [...new Set(offer_capabilities)].filter((text) => text.trim() !== "") : [],
    offer: hasOffer ? offerOf(offer_content) : null,
  };
}

/** Sorts agents by resonance, the strongest first. Agents with the same score keep their order. */
export const byResonance = <T extends Pick<Agent, "score">>(agents: readonly T[]): T[] =>
  agents.toSorted((a, b) => b.score - a.score);

const ORDER: Readonly<Record<AgentState, number>> = { offered: 0, waiting: 1, none: 2, left: 3 };

/** Puts agents with an offer before those without one, and sorts each group by resonance. */
export const offersFirst = <T extends Pick<Agent, "score" | "state">>(agents: readonly T[]): T[] =>
  byResonance(agents).sort((a, b) => ORDER[a.state] - ORDER[b.state]);

/** Writes a score in a few characters, even one far outside 0–1. */
export const scoreText = (score: number): string =>
  Math.abs(score) < 10 ? score.toFixed(2) : score.toExponential(0).replace("+", "");

const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;

/**
 * Returns the first letters of a name's first and last word, or the last two characters of a Chinese, Japanese or
 * Korean name.
 */
export function initialsOf(name: string): string {
  const wide = name.match(WIDE);
  if (wide !== null) return wide.slice(-2).join("");
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => [...(word ?? "").toUpperCase()][0] ?? "").join("") || "·";
}

/** The keys under which an offer that is an object may hold its words. */
const WORDS = ["content", "text", "offer", "message", "summary", "description"];
/**
 * The deepest and largest JSON that is read as data. Larger JSON is shown as text, because nobody writes so much by
 * hand.
 */
const MOST = { depth: 32, values: 2_000 };
/** The fence in which models usually wrap their JSON. */
const FENCE = "```";

/** Splits what an agent offers, a text or any JSON, into its words and the rest as terms and values. */
export function offerOf(content: unknown): Offer {
  const value = structured(content);
  if (Array.isArray(value) && value.every(isPlain)) return { text: value.map(String).join("\n"), facts: [] };
  if (typeof value !== "object" || value === null) return { text: isPlain(value) ? String(value) : "", facts: [] };
  const entries = entriesOf(value);
  const words = WORDS.map((key) => entries.find(([name, one]) => name === key && typeof one === "string"));
  const [key, text] = words.find((entry) => entry !== undefined) ?? [];
  const facts = entries.flatMap(([name, one]) => (name === key ? [] : factsIn(one, [name])));
  return { text: key === undefined ? "" : String(text), facts };
}

/** Returns the entries of an object, or the items of a list named by their numbers. */
const entriesOf = (value: object): [string, unknown][] =>
  Array.isArray(value) ? value.map((one, i) => [String(i + 1), one]) : Object.entries(value);

/** Parses a text that is a JSON object or list. Any other value stays as it is, even words that begin with a bracket. */
export function structured(text: unknown): unknown {
  if (typeof text !== "string") return text;
  const inner = withoutFence(text.trim());
  if (!/^[{[]/.test(inner) || excessOf(inner, MOST) !== undefined) return text;
  return jsonIn(inner) ?? text;
}

const withoutFence = (text: string): string =>
  text.startsWith(FENCE) && text.endsWith(FENCE) ? text.slice(text.indexOf("\n") + 1, -FENCE.length).trim() : text;

function factsIn(value: unknown, path: readonly string[]): Offer["facts"] {
  const fact = (text: string) => (text.trim() === "" ? [] : [{ term: path.join(" · "), value: text }]);
  if (isPlain(value)) return fact(String(value));
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value) && value.every(isPlain)) return fact(value.map(String).join(", "));
  return entriesOf(value).flatMap(([name, one]) => factsIn(one, [...path, name]));
}

const isPlain = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

/** Joins the words and the facts of an offer into one text. */
export const offerText = ({ text, facts }: Offer): string =>
  [text, ...facts.map(({ term, value }) => `${term}: ${value}`)].filter((line) => line.trim() !== "").join("\n");
