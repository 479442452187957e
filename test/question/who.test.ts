import { describe, expect, it } from "vitest";
import {
  type Answer,
  BROWSER_PROOFS,
  type Client,
  type Given,
  type Hand,
  provesPerson,
  QUESTIONS,
  type QuestionName,
  SURFACES,
  surfacesFor,
  type Trait,
  whyNotCounted,
  whyOwnHand,
} from "../../src/question/who.ts";

/** The whole product: question × way × client × policy × taint. What must hold is written here once more, by hand. */
const NAMES = Object.keys(QUESTIONS) as QuestionName[];
/** A page that a client draws in its chat: like one that it opens, it may be pressed by the client itself. */
const IN_CHAT: Hand = { surface: "page", browser: "elicited", drawn: "in_view" };
const HANDS: Hand[] = SURFACES.flatMap((surface): Hand[] =>
  surface === "page"
    ? [{ surface }, ...BROWSER_PROOFS.map((browser) => ({ surface, browser })), IN_CHAT]
    : [{ surface }],
);
const TRAITS: Trait[] = ["forms", "pages", "elicitation", "terminal", "command_line", "no_deciding_tool"];
const CLIENTS: Client[] = Array.from(
  { length: 2 ** TRAITS.length },
  (_, bits) => new Set(TRAITS.filter((_trait, index) => bits & (1 << index))),
);
const GIVENS: Given[] = [false, true].flatMap((isStrict) =>
  [false, true].map((isTainted) => ({ isStrict, isTainted })),
);

const isAboutOthers = (question: QuestionName) => question.startsWith("others");
/** Only takes back, or sends nothing. */
const isFree = (question: QuestionName) =>
  question === "withdrawal" || question === "others_withdrawal" || question === "review";
/** Nobody but the person can have answered so. */
const isOwnHand = ({ surface, browser }: Hand) =>
  surface === "terminal" || browser === "own_window" || browser === "known";

/** What must be, of a word that answers exactly what was asked. */
function expected(question: QuestionName, by: Hand, { isStrict, isTainted }: Given): boolean {
  if (isOwnHand(by)) return true;
  if (question === "refusal") return by.surface === "form" || by.browser !== undefined || by.drawn !== undefined;
  if (by.drawn !== undefined)
    return isFree(question) || expected(question, { surface: "form" }, { isStrict, isTainted });
  if (by.surface === "page") return isFree(question) || (by.browser !== undefined && !isStrict);
  if (isAboutOthers(question) || question === "review") return false;
  if (question === "withdrawal") return true;
  if (by.surface === "form") return question !== "ai_text" && !isStrict;
  if (question === "own_text") return false;
  return !isTainted && (question === "scene" || !isStrict);
}

/** What whoever tried is told: that it is not theirs, that text of others was read, or that a person's own hand is wanted. */
function reason(question: QuestionName, { surface, browser, drawn }: Hand, { isStrict, isTainted }: Given): string {
  if (isAboutOthers(question) && (surface !== "page" || browser === undefined || drawn !== undefined)) return "not_own";
  const isByAi = surface === "argument" && question !== "own_text" && question !== "review" && question !== "refusal";
  return isByAi && isTainted && !isStrict ? "tainted" : "strict";
}

const WORDS = NAMES.flatMap((question) => HANDS.flatMap((by) => GIVENS.map((given) => ({ question, by, given }))));
const nameOf = ({ question, by, given }: (typeof WORDS)[number]) =>
  `${question} · ${by.drawn ?? by.browser ?? by.surface} · ${given.isStrict ? "strict" : "auto"}${given.isTainted ? ", after" : ""}`;

describe("which word counts", () => {
  it.each(WORDS.map((word) => [nameOf(word), word] as const))("%s", (_, { question, by, given }) => {
    const isEnough = expected(question, by, given);
    expect(whyOwnHand(question, by, given)).toBe(isEnough ? undefined : reason(question, by, given));
    const answer: Answer = { question, by, given, isUnused: true, about: { asked: "this", answered: "this" } };
    expect(whyNotCounted(answer) === undefined).toBe(isEnough);
    // Whoever says it: what was answered before, and what answers something else or nothing, never counts.
    expect(whyNotCounted({ ...answer, isUnused: false })).toBeDefined();
    for (const about of [
      { asked: "this", answered: "that" },
      { asked: "this", answered: undefined },
      { asked: undefined, answered: "this" },
      { asked: undefined, answered: undefined },
    ])
      expect(whyNotCounted({ ...answer, about })).toBeDefined();
  });

  it("a stricter policy, and text of others, never let more through", () => {
    const refused = WORDS.filter(({ question, by, given }) => whyOwnHand(question, by, given) !== undefined);
    expect(refused.length).toBeGreaterThan(0);
    for (const { question, by, given } of refused)
      for (const more of [{ isStrict: true }, { isTainted: true }])
        expect(whyOwnHand(question, by, { ...given, ...more })).toBeDefined();
  });

  it("what a browser proves is the same for the page and for its answer", () => {
    for (const browser of BROWSER_PROOFS)
      for (const given of GIVENS)
        for (const question of NAMES.filter((name) => !isFree(name) && name !== "refusal"))
          expect(whyOwnHand(question, { surface: "page", browser }, given) === undefined).toBe(
            provesPerson(browser, given.isStrict),
          );
  });
});

describe("which surface may ask", () => {
  it.each(NAMES)("%s: each client, policy and state of taint", (question) => {
    for (const client of CLIENTS)
      for (const given of GIVENS) {
        const surfaces = surfacesFor(question, client, given);
        const said = `${[...client].join(" ")} ${JSON.stringify(given)}`;
        expect(new Set(surfaces).size, said).toBe(surfaces.length);
        // None that the client has not, and none whose word would not count.
        expect(surfaces.includes("form") && !client.has("forms"), said).toBe(false);
        expect(surfaces.includes("page") && !client.has("pages"), said).toBe(false);
        expect(surfaces.includes("terminal") && !client.has("terminal"), said).toBe(false);
        for (const surface of surfaces)
          if (surface !== "page") expect(expected(question, { surface }, given), said).toBe(true);
        // A text is decided on by an AI's word only where nothing else can ask.
        const isText = question === "text" || question === "ai_text";
        const asksItself = ["pages", "forms", "command_line", "no_deciding_tool"] as const;
        const isBare = !asksItself.some((trait) => client.has(trait));
        const isByAi = isText
          ? isBare
          : question === "profile"
            ? !client.has("pages") && !client.has("elicitation")
            : (question === "stop" || question === "scene") && !client.has("pages");
        expect(surfaces.includes("argument"), said).toBe(isByAi && expected(question, { surface: "argument" }, given));
      }
  });
});
