/**
 * Who may say yes to what (contract §6, agent layer §3): which questions there are, where each is put before the person,
 * and which word counts. `QUESTIONS` is the rule; whatever asks or takes an answer goes by the functions below, and the
 * tables of `docs/confirmation.md` are written from it.
 */

import type { Display } from "./chat-wire.ts";

/** Where a question is put before somebody. `argument`: their AI shows it, and passes their word on in a call. */
export const SURFACES = ["form", "page", "terminal", "argument"] as const;
export type Surface = (typeof SURFACES)[number];

/**
 * Whose a decision is: a person's, by where it came from, or the program's own at the deadline or at its end. `client`: it
 * cancelled a background task, and nobody can know whether its person or its model wanted that.
 */
export const DECIDERS = [...SURFACES, "client", "guard", "shutdown"] as const;
export type DecidedBy = (typeof DECIDERS)[number];

/**
 * Whose words a text is. `person`: typed on the page or in the terminal. `client`: it came back in a form of the
 * client's, or from the page that it draws in the chat, and it can fill in both as well as its person can.
 */
export const AUTHORS = ["network", "ai", "person", "client"] as const;
export type Author = (typeof AUTHORS)[number];

/**
 * Why a browser's word is a person's: this program opened it itself (`own_window`), their client did with an address
 * that no model was given (`elicited`), or they have let it in before (`known`).
 */
export const BROWSER_PROOFS = ["own_window", "elicited", "known"] as const;
export type BrowserProof = (typeof BROWSER_PROOFS)[number];

/**
 * How a word came. Without `browser` a page tells nothing of who sits there. `drawn`: the page was drawn by a client in its
 * chat, and that is what it says of its display.
 */
export interface Hand {
  surface: Surface;
  browser?: BrowserProof | undefined;
  drawn?: Display | undefined;
}

/** A client's cancel does not say whose wish it is, so it counts no more than its model's word. */
export const surfaceOf = (by: Surface | "client"): Surface => (by === "client" ? "argument" : by);

/** A surface; a page by the client that draws it, or by what proves its browser, or as `page` where nothing does. */
type Way = Surface | BrowserProof | "in_chat";

function wayOf({ surface, browser, drawn }: Hand): Way {
  if (surface !== "page") return surface;
  return drawn === undefined ? (browser ?? surface) : "in_chat";
}

/** Who writes what comes so; never what somebody says of it. */
const WRITERS: Readonly<Record<Way, Author>> = {
  form: "client",
  in_chat: "client",
  own_window: "person",
  elicited: "person",
  known: "person",
  page: "person",
  terminal: "person",
  argument: "ai",
};
export const writerOf = (by: Hand): Author => WRITERS[wayOf(by)];

/**
 * Under what a word is given. `isTainted`: the AI of the person may have read text of others. `passesNoWord`: the client came
 * in by a sign-in that does not let its AI pass on what its person says.
 */
export interface Given {
  isStrict: boolean;
  isTainted: boolean;
  passesNoWord?: boolean;
}

/** When a word counts; `passed_on`: by an AI that may do so, until it has read text of others. */
const RULES = {
  always: () => true,
  auto: ({ isStrict }: Given) => !isStrict,
  passed_on: ({ isStrict, isTainted, passesNoWord = false }: Given) => !isStrict && !isTainted && !passesNoWord,
  passed_on_always: ({ isTainted, passesNoWord = false }: Given) => !isTainted && !passesNoWord,
  never: () => false,
} as const;
type Rule = keyof typeof RULES;

/** What a client is or has, as far as it matters for who may ask. */
export const TRAITS = ["forms", "pages", "elicitation", "terminal", "command_line", "no_deciding_tool"] as const;
export type Trait = (typeof TRAITS)[number];
export type Client = ReadonlySet<Trait>;

interface Row {
  /** Where it is asked, the best first. */
  asks: readonly Surface[];
  /** An AI may pass the person's word on, except in a client with one of these. */
  exceptFrom: readonly Trait[];
  counts: Readonly<Record<Way, Rule>>;
}

/** A client's hook can fill in a form, read the address that the client is given to open, and press in its own frame. */
const OWN_HAND = {
  own_window: "always",
  known: "always",
  terminal: "always",
  elicited: "auto",
  in_chat: "auto",
  page: "never",
} as const;
/** What only takes back is taken from whoever the page has let in. */
const ANY_HAND = { ...OWN_HAND, elicited: "always", in_chat: "always", page: "always" } as const;

export const QUESTIONS = {
  /** May the network's text be broadcast, or the one that the person has typed? */
  text: {
    asks: ["form", "page", "argument"],
    exceptFrom: ["forms", "pages", "command_line", "no_deciding_tool"],
    counts: { ...OWN_HAND, form: "auto", argument: "passed_on" },
  },
  /** Which text the person wants instead: a page has an editor. */
  own_text: {
    asks: ["page", "form"],
    exceptFrom: [],
    counts: { ...OWN_HAND, form: "auto", argument: "never" },
  },
  /** A text by the person's AI, in the place of the network's. */
  ai_text: {
    asks: ["page", "argument"],
    exceptFrom: ["forms", "pages", "command_line", "no_deciding_tool"],
    counts: { ...OWN_HAND, in_chat: "never", form: "never", argument: "passed_on" },
  },
  /** May the text of a demand be broadcast that was not submitted here? Any model may name any id, so a page in a browser alone asks. */
  others_text: {
    asks: ["page"],
    exceptFrom: [],
    counts: { ...OWN_HAND, in_chat: "never", form: "never", argument: "never" },
  },
  /** May this profile be sent? */
  profile: {
    asks: ["form", "terminal", "argument", "page"],
    exceptFrom: ["pages", "elicitation"],
    counts: { ...OWN_HAND, form: "auto", argument: "passed_on" },
  },
  /** A scene is no secret; but an order that others wrote must not make one. */
  scene: {
    asks: ["form", "argument", "terminal", "page"],
    exceptFrom: ["pages"],
    counts: { ...OWN_HAND, form: "auto", argument: "passed_on_always" },
  },
  /** May what is broadcast be stopped? */
  stop: {
    asks: ["form", "argument", "terminal", "page"],
    exceptFrom: ["pages"],
    counts: { ...OWN_HAND, form: "auto", argument: "passed_on" },
  },
  others_stop: {
    asks: ["terminal", "page"],
    exceptFrom: [],
    counts: { ...OWN_HAND, in_chat: "never", form: "never", argument: "never" },
  },
  /** A no to a demand: nobody has received it yet, or its stop has been asked about. */
  withdrawal: {
    asks: [],
    exceptFrom: [],
    counts: { ...ANY_HAND, form: "always", argument: "always" },
  },
  others_withdrawal: {
    asks: [],
    exceptFrom: [],
    counts: { ...ANY_HAND, form: "never", argument: "never" },
  },
  /** What of a result the person should look at a second time. */
  review: {
    asks: ["page", "terminal"],
    exceptFrom: [],
    counts: { ...ANY_HAND, form: "never", argument: "never" },
  },
} as const satisfies Record<string, Row>;

export type QuestionName = keyof typeof QUESTIONS;

const rowOf = (question: QuestionName): Row => QUESTIONS[question];
const holds = (rule: Rule, given: Given): boolean => RULES[rule](given);
const waysOf = (surface: Surface): readonly Way[] => (surface === "page" ? BROWSER_PROOFS : [surface]);

/** Which surfaces may ask here and now, the best first; none: the person has to find a page or a terminal of their own. */
export function surfacesFor(question: QuestionName, client: Client, given: Given): Surface[] {
  const { asks, exceptFrom, counts } = rowOf(question);
  const has: Readonly<Record<Surface, boolean>> = {
    form: client.has("forms"),
    page: client.has("pages"),
    terminal: client.has("terminal"),
    argument: !exceptFrom.some((trait) => client.has(trait)),
  };
  return asks.filter((surface) => has[surface] && waysOf(surface).some((way) => holds(counts[way], given)));
}

/** Why a word does not count: it needs the person's own hand, for one of four reasons, or it is no answer to what was asked. */
export type OwnHandReason = "strict" | "tainted" | "not_own" | "not_passed_on";
export type Refusal = OwnHandReason | "used" | "other";

/** Why a word that comes so is not enough, whatever it answers; undefined where it is. */
export function whyOwnHand(question: QuestionName, by: Hand, given: Given): OwnHandReason | undefined {
  const rule = rowOf(question).counts[wayOf(by)];
  if (holds(rule, given)) return undefined;
  if (rule === "never" && question.startsWith("others")) return "not_own";
  const isPassedOn = rule === "passed_on" || rule === "passed_on_always";
  if (isPassedOn && given.passesNoWord) return "not_passed_on";
  return isPassedOn && !given.isStrict ? "tainted" : "strict";
}

/** Returns whether what a browser proves is enough to show it what is asked, and to take its word. */
export const provesPerson = (browser: BrowserProof, isStrict: boolean): boolean =>
  holds(OWN_HAND[browser], { isStrict, isTainted: true });

/** Why a yes from a page that a client draws in its chat is not enough; undefined where it is. */
export const whyNotInChat = (question: QuestionName, isStrict: boolean): OwnHandReason | undefined =>
  whyOwnHand(question, { surface: "page", drawn: "in_view" }, { isStrict, isTainted: true });

/** An answer as it arrives. */
export interface Answer {
  question: QuestionName;
  by: Hand;
  given: Given;
  /** Nobody has answered before. */
  isUnused: boolean;
  /** By id or hash: what was asked and shown here, all of it, and what this answers. */
  about: { asked: string | undefined; answered: string | undefined };
}

/** Why an answer does not count; undefined where it does. */
export function whyNotCounted({ question, by, given, isUnused, about }: Answer): Refusal | undefined {
  const why = whyOwnHand(question, by, given);
  if (why === "not_own") return why;
  if (!isUnused) return "used";
  if (about.asked === undefined || about.asked !== about.answered) return "other";
  return why;
}
