/**
 * Decides who may say yes to what (contract §6, agent layer §3): which questions there are, where each is put before
 * the person, and which answer counts. `QUESTIONS` is the rule. Everything that asks or takes an answer uses the
 * functions below, and the tables of `docs/confirmation.md` are generated from `QUESTIONS`.
 */

import type { Display } from "./chat-wire.ts";

/**
 * A place where a question is put before a person. With `argument` the person's AI shows the question and passes the
 * answer on in a tool's arguments. A {@link Hand} adds who sits at the surface.
 */
export const SURFACES = ["form", "page", "terminal", "argument"] as const;
export type Surface = (typeof SURFACES)[number];

/**
 * Who made a decision. A person is named by the surface by which their decision came. `guard` is a program that
 * withdraws before the deadline, and `shutdown` is a program that withdraws at its own end. With `client` the client
 * cancelled a background task, and nobody can know whether its person or its model wanted that. What was decided is a
 * `DecisionKind` (negotiation/facts.ts).
 */
export const DECIDERS = [...SURFACES, "client", "guard", "shutdown"] as const;
export type DecidedBy = (typeof DECIDERS)[number];

/**
 * Who wrote a text. `network` is the backend, and `ai` is the person's AI. With `person` the text was typed on the page
 * or in the terminal. With `client` it came back in one of the client's forms or from the page that the client draws in
 * the chat, and a client can fill in both as well as its person can.
 */
export const AUTHORS = ["network", "ai", "person", "client"] as const;
export type Author = (typeof AUTHORS)[number];

/**
 * Why an answer from a browser counts as a person's. This program opened the browser (`own_window`), the client opened
 * the browser with an address that no model was given (`elicited`), or the person has let the browser in before
 * (`known`).
 */
export const BROWSER_PROOFS = ["own_window", "elicited", "known"] as const;
export type BrowserProof = (typeof BROWSER_PROOFS)[number];

/**
 * What is known about where an answer came from. `browser` is the reason why a page's answer counts as a person's, and
 * without that reason nothing is known about who sits at the page. `drawn` is given if a client drew the page in its
 * chat, and is what the page says about its display.
 */
export interface Hand {
  surface: Surface;
  browser?: BrowserProof | undefined;
  drawn?: Display | undefined;
}

/**
 * Returns the surface of a decision. A client's cancel counts no more than its model's word, because nobody can know
 * whether the person or the model wanted it.
 */
export const surfaceOf = (by: Surface | "client"): Surface => (by === "client" ? "argument" : by);

/**
 * A {@link Hand} in one word, by which `QUESTIONS` holds the rule for an answer. A page becomes `in_chat` if a client
 * drew it, otherwise the proof of its browser, and stays `page` only if there is no such proof. The ways in which a
 * person can still decide are a `WayToDecide` (ways.ts).
 */
type Way = Surface | BrowserProof | "in_chat";

function wayOf({ surface, browser, drawn }: Hand): Way {
  if (surface !== "page") return surface;
  return drawn === undefined ? (browser ?? surface) : "in_chat";
}

/** The author of the words that arrive by each way, whatever anybody claims about them. */
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
 * The circumstances of an answer, apart from the way by which it came. With `isStrict` the confirmation policy is
 * `strict`. With `isTainted` the person's AI may have read text of others. With `passesNoWord` the client's sign-in
 * does not let its AI pass on what the person says.
 */
export interface Given {
  isStrict: boolean;
  isTainted: boolean;
  passesNoWord?: boolean;
}

/**
 * The rules by which an answer counts. Under `auto` it counts unless the policy is strict. Under `passed_on` an AI may
 * pass the person's word on, but not under a strict policy, after the AI has read text of others, or against the
 * client's sign-in. Under `passed_on_always` an AI may do so under a strict policy as well.
 */
const RULES = {
  always: () => true,
  auto: ({ isStrict }: Given) => !isStrict,
  passed_on: ({ isStrict, isTainted, passesNoWord = false }: Given) => !isStrict && !isTainted && !passesNoWord,
  passed_on_always: ({ isTainted, passesNoWord = false }: Given) => !isTainted && !passesNoWord,
  never: () => false,
} as const;
type Rule = keyof typeof RULES;

/** The traits of a client that decide which surfaces may ask. */
export const TRAITS = ["forms", "pages", "elicitation", "terminal", "command_line", "no_deciding_tool"] as const;
export type Trait = (typeof TRAITS)[number];
export type Client = ReadonlySet<Trait>;

interface Row {
  /** The surfaces that may ask, the best first. */
  asks: readonly Surface[];
  /** The traits of clients in which an AI may not pass the person's word on. */
  exceptFrom: readonly Trait[];
  counts: Readonly<Record<Way, Rule>>;
}

/**
 * The rules for answers that the person must give themselves. An answer from the client's own surface does not count
 * under a strict policy, because a client's hook can fill in a form, read the address that the client opens, and press
 * buttons in its frame.
 */
const OWN_HAND = {
  own_window: "always",
  known: "always",
  terminal: "always",
  elicited: "auto",
  in_chat: "auto",
  page: "never",
} as const;
/**
 * The rules for answers that only refuse something or take it back, and for reviews, which send nothing. Anybody whom
 * the page has let in may give such an answer.
 */
const ANY_HAND = { ...OWN_HAND, elicited: "always", in_chat: "always", page: "always" } as const;

export const QUESTIONS = {
  /** May the network's text, or the one that the person has typed, be broadcast? */
  text: {
    asks: ["form", "page", "argument"],
    exceptFrom: ["forms", "pages", "command_line", "no_deciding_tool"],
    counts: { ...OWN_HAND, form: "auto", argument: "passed_on" },
  },
  /** Which text does the person want instead? A page has an editor for it. */
  own_text: {
    asks: ["page", "form"],
    exceptFrom: [],
    counts: { ...OWN_HAND, form: "auto", argument: "never" },
  },
  /** May a text by the person's AI be broadcast in place of the network's? */
  ai_text: {
    asks: ["page", "argument"],
    exceptFrom: ["forms", "pages", "command_line", "no_deciding_tool"],
    counts: { ...OWN_HAND, in_chat: "never", form: "never", argument: "passed_on" },
  },
  /**
   * May a demand that no program of this home submitted be broadcast? Any model may name any id, so only a page in a
   * browser asks.
   */
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
  /** May this scene be created? A scene is no secret, but an instruction that others wrote must not create one. */
  scene: {
    asks: ["form", "argument", "terminal", "page"],
    exceptFrom: ["pages"],
    counts: { ...OWN_HAND, form: "auto", argument: "passed_on_always" },
  },
  /** May the broadcast be stopped? */
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
  /**
   * The person's no to a profile, a scene or a stop. A client that declines to open a page gives no such no, because
   * that only says that the page was not opened.
   */
  refusal: {
    asks: [],
    exceptFrom: [],
    counts: { ...ANY_HAND, page: "never", form: "always", argument: "never" },
  },
  /** The person's no to a demand that nobody has received yet, or whose stop has already been asked about. */
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
  /** Is a result that is worth a second look fine, or does it concern the person? */
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

/**
 * Returns the surfaces that may ask this client's person now, best first. If none may, the person has to find a page or
 * terminal.
 */
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

/** Why an answer does not count unless the person gives it themselves, on a page or in a terminal. */
export type OwnHandReason = "strict" | "tainted" | "not_own" | "not_passed_on";
/**
 * Why an answer does not count. With `used` somebody has answered before, and with `other` the answer is not about what
 * was asked.
 */
export type Refusal = OwnHandReason | "used" | "other";

/** Returns why an answer that comes by this way does not count, whatever it says, or undefined if it counts. */
export function whyOwnHand(question: QuestionName, by: Hand, given: Given): OwnHandReason | undefined {
  const rule = rowOf(question).counts[wayOf(by)];
  if (holds(rule, given)) return undefined;
  if (rule === "never" && question.startsWith("others")) return "not_own";
  const isPassedOn = rule === "passed_on" || rule === "passed_on_always";
  if (isPassedOn && given.passesNoWord) return "not_passed_on";
  return isPassedOn && !given.isStrict ? "tainted" : "strict";
}

/** Returns whether a browser's proof is enough to show that browser what is asked and to count its answer. */
export const provesPerson = (browser: BrowserProof, isStrict: boolean): boolean =>
  holds(OWN_HAND[browser], { isStrict, isTainted: true });

/** Returns why a yes from a page in the chat does not count, or undefined if it counts. */
export const whyNotInChat = (question: QuestionName, isStrict: boolean): OwnHandReason | undefined =>
  whyOwnHand(question, { surface: "page", drawn: "in_view" }, { isStrict, isTainted: true });

/** An answer as it arrives. */
export interface Answer {
  question: QuestionName;
  by: Hand;
  given: Given;
  /** True if nobody has answered before. */
  isUnused: boolean;
  /** The id or hash of what was asked and shown in full, and of what this answer is about. The two must be equal. */
  about: { asked: string | undefined; answered: string | undefined };
}

/** Returns why an answer does not count, or undefined if it counts. */
export function whyNotCounted({ question, by, given, isUnused, about }: Answer): Refusal | undefined {
  const why = whyOwnHand(question, by, given);
  if (why === "not_own") return why;
  if (!isUnused) return "used";
  if (about.asked === undefined || about.asked !== about.answered) return "other";
  return why;
}
