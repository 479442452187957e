import {
  type Client,
  type Given,
  type Hand,
  QUESTIONS,
  type QuestionName,
  type Surface,
  surfacesFor,
  type Trait,
  whyOwnHand,
} from "../../src/question/who.ts";
import { table } from "./markdown.ts";

/** How somebody comes to a page that asks. */
export const PAGES = {
  window: "the page, in the window that the server opens",
  elicited: "the page, at the address that the client opens",
  known: "the page, in a browser that you have let in",
  foreign: "the same page, by a form of another website",
  link: "a link from a result, opened in another browser",
  fetched: "the same link, fetched by a program",
  stranger: "an endpoint's page, opened without signing in",
  another: "the same, by somebody who has signed in there as another person",
  signed: "the same, by its person, signed in after them",
} as const;
/** Who else may try, in both tables. */
export const CLIENTS = {
  argument: "an argument, from a client without a surface",
  second: "the same, from a second program of the home",
  other: "the same, from another user's home",
  origin: "the same, at another backend",
  form: "a form, also one that a hook of the client fills in",
  ...PAGES,
} as const;
/** What a client says of the question that opens a page: none of it decides. */
export const ABOUT_PAGE = {
  done: "the question that opens the page, answered “I'm done”",
  declined: "the same, declined",
} as const;
export const TEXT_SURFACES = {
  ...CLIENTS,
  ...ABOUT_PAGE,
  chat: "the page that the client draws in the chat",
  twoTexts: "an argument that accepts, beside another text",
  task: "a form of a background task",
  unshown: "the same, for a question that was not shown",
  formless: "the same, from a client that declared no forms",
  asForm: "a background task's question about a page, answered as a form",
  command: "`towow-mcp call`",
  terminal: "`towow-mcp confirm`, in a terminal",
} as const;
export const SEND_SURFACES = {
  ...CLIENTS,
  ...ABOUT_PAGE,
  parts: "forms, one after the other, which show what is too long for one",
  hash: "the hash of what was shown, from a client that shows forms",
  command: "`towow-mcp call`, without a terminal",
  cancel: "`towow-mcp cancel --yes`, without a terminal",
  terminal: "`towow-mcp call`, in a terminal",
} as const;
type TextRow = keyof typeof TEXT_SURFACES;
type SendRow = keyof typeof SEND_SURFACES;

/** What comes so, as the program takes it; what is missing here proves nobody, or answers nothing that was asked. */
const HANDS: Partial<Record<TextRow | SendRow, Hand>> = {
  argument: { surface: "argument" },
  second: { surface: "argument" },
  form: { surface: "form" },
  task: { surface: "form" },
  parts: { surface: "form" },
  window: { surface: "page", browser: "own_window" },
  elicited: { surface: "page", browser: "elicited" },
  known: { surface: "page", browser: "known" },
  signed: { surface: "page", browser: "known" },
  chat: { surface: "page", browser: "elicited", drawn: "in_view" },
  cancel: { surface: "argument" },
  command: { surface: "argument" },
  terminal: { surface: "terminal" },
};
const TRAITS_OF: Partial<Record<TextRow | SendRow, readonly Trait[]>> = {
  hash: ["forms", "elicitation"],
  command: ["command_line"],
  cancel: ["command_line"],
};

/** Whether what comes so has it done. An argument only where the client may pass one on. */
function hasItDone(question: QuestionName, row: TextRow | SendRow, given: Given): boolean {
  const by = HANDS[row];
  if (by === undefined || whyOwnHand(question, by, given) !== undefined) return false;
  const client: Client = new Set(TRAITS_OF[row]);
  return (
    by.surface !== "argument" || question === "withdrawal" || surfacesFor(question, client, given).includes("argument")
  );
}

const POLICIES = { auto: false, strict: true } as const;
type Policy = keyof typeof POLICIES;
const givenUnder = (policy: Policy, isTainted: boolean): Given => ({ isStrict: POLICIES[policy], isTainted });
const policies = Object.keys(POLICIES) as Policy[];
const both = [false, true] as const;

const AUTHORS = { network: "text", ai: "ai_text", person: "text" } as const;
type Author = keyof typeof AUTHORS;

/** Who may say yes to the text of a demand. */
export function whoSaysYes(): string {
  const cellOf = (row: TextRow, given: Given): string => {
    const yes = (Object.keys(AUTHORS) as Author[]).filter((author) => hasItDone(AUTHORS[author], row, given));
    return yes.length === 3 ? "yes" : yes.length === 0 ? "no" : yes.join(", ");
  };
  const rows = (Object.keys(TEXT_SURFACES) as TextRow[]).map((row) => [
    TEXT_SURFACES[row],
    ...policies.flatMap((policy) => both.map((isTainted) => cellOf(row, givenUnder(policy, isTainted)))),
  ]);
  return table(["surface", "auto", "auto, after", "strict", "strict, after"], rows);
}

const DEEDS = {
  profile: "a profile",
  scene: "a scene",
  stop: "a cancel after the broadcast",
  withdrawal: "a withdrawal",
} as const;
type Deed = keyof typeof DEEDS;

/** What asks nobody has no form and no page; what is another home's is asked about what this one has. */
function applies(deed: Deed, row: SendRow): boolean {
  if (row === "other" || row === "origin") return deed === "stop" || deed === "withdrawal";
  if (row === "parts" || row === "hash") return deed === "profile";
  if (row === "cancel") return deed === "stop" || deed === "withdrawal";
  return deed !== "withdrawal" || !(row === "form" || row in PAGES || row in ABOUT_PAGE);
}

/** Who may have anything else done. */
export function whoHasItDone(): string {
  const cellOf = (deed: Deed, row: SendRow): string => {
    if (!applies(deed, row)) return "–";
    // A scene that is not asked about needs no answer.
    const isAsked = (given: Given) =>
      deed !== "scene" || whyOwnHand(deed, { surface: "argument" }, given) !== undefined;
    const can = (given: Given) => !isAsked(given) || hasItDone(deed, row, given);
    const where = policies.flatMap((policy) => {
      const [before, after] = both.map((isTainted) => can(givenUnder(policy, isTainted)));
      return before ? [after ? policy : `${policy}, before`] : [];
    });
    const words: Record<string, string> = { "auto,strict": "yes", "auto, before,strict, before": "before", "": "no" };
    return words[where.join()] ?? where.join("; ");
  };
  const deeds = Object.keys(DEEDS) as Deed[];
  const rows = (Object.keys(SEND_SURFACES) as SendRow[]).map((row) => [
    SEND_SURFACES[row],
    ...deeds.map((deed) => cellOf(deed, row)),
  ]);
  return table(["surface", ...deeds.map((deed) => DEEDS[deed])], rows);
}

const ASKED: Readonly<Record<QuestionName, string | undefined>> = {
  text: "the text of a demand",
  own_text: "which text you want instead",
  ai_text: "a text by your AI in its place",
  others_text: "the text of a demand that was not submitted here",
  profile: "a profile",
  scene: "a scene, after text of others",
  stop: "a cancel after the broadcast",
  others_stop: "a cancel of what was not submitted here",
  refusal: undefined,
  withdrawal: undefined,
  others_withdrawal: undefined,
  review: "a second look at a result",
};
const WORDS: Readonly<Record<Surface, string>> = {
  form: "a form",
  page: "the page",
  terminal: "the terminal of a command",
  argument: "your AI",
};
const EXCEPT: Readonly<Record<Trait, string>> = {
  forms: "shows forms",
  pages: "opens pages",
  elicitation: "asks its person in any way",
  terminal: "has a terminal",
  command_line: "is a command line",
  no_deciding_tool: "is given no tool that decides",
};

/** Where each question is put before the person, the best first. */
export function whereAsked(): string {
  const untainted = givenUnder("auto", false);
  const rows = (Object.keys(ASKED) as QuestionName[]).flatMap((question) => {
    const what = ASKED[question];
    if (what === undefined) return [];
    const { asks, exceptFrom } = QUESTIONS[question];
    const counts = (surface: Surface) =>
      surface === "page" || whyOwnHand(question, { surface }, untainted) === undefined;
    const surfaces: readonly Surface[] = asks.filter((surface) => surface !== "argument" || question !== "scene");
    const except = surfaces.includes("argument") ? exceptFrom.map((trait) => EXCEPT[trait]).join("; ") : "";
    return [
      [
        what,
        surfaces
          .filter(counts)
          .map((surface) => WORDS[surface])
          .join(", "),
        except,
      ],
    ];
  });
  return table(["what is asked", "where, the best first", "your AI is not enough in a client that"], rows);
}
