import * as z from "zod";
import type { BrowserProof, QuestionName } from "../question/who.ts";
import { showInvisible } from "../safety/invisible.ts";
import { personalKinds } from "../safety/pii/named-only.ts";
import { quotable } from "../safety/quotable.ts";
import type { Texts } from "../text/index.ts";
import { joinList } from "../text/join.ts";
import type { Asked } from "./asked.ts";
import { cutToRow, type FormGeometry, fitsMessage, fitsRow, MIN_FORM, mayFit } from "./client-forms.ts";
import { wholeInForm } from "./whole.ts";

/**
 * A question as it reaches the person. It is a form of their client, a page that the client opens, or the page that the
 * client draws.
 */
export type Question = { about: Pending; message: string } & ({ schema: FormSchema } | { url: string } | Drawn);
type Drawn = { isDrawn: true };

/** What a question is about. All of it travels through the client, signed. */
export type Pending = FormulationPending | PermissionPending;

/** A question whether something may be sent or stopped. The field names are those of earlier versions. */
export interface PermissionPending {
  kind: "send";
  approval_id: string;
  /** The part that was asked about, if forms show a text in parts one after the other. `hash` covers all parts. */
  part?: { number: number; of: number; hash: string };
}

export interface FormulationPending {
  kind: "formulation";
  negotiation_id: string;
  confirmation_id: string;
  /** Set if the form asks for the person's own text and not for a decision. */
  asks?: "text";
  /** The text that the person typed, if the form asks about it instead of the backend's. */
  own_text?: string;
}

/** Opens pages, which show a person a text that no form can show whole. */
export interface ApprovalPages {
  /** Opens a page that asks about this negotiation. */
  open(request: PageRequest): Promise<PageAddresses>;
  /** Opens a page that asks whether something may be sent or stopped. */
  openPermission(request: PermissionPageRequest): Promise<PageAddresses>;
}

/** The addresses of one page. `page/visitor.ts` says what each of them proves. */
export interface PageAddresses {
  /** The address that the client opens in the person's browser (URL elicitation). */
  forClient: string;
  /**
   * The address that stands in a result, which a model reads. The address only shows how to decide, and decides nothing
   * by itself.
   */
  forResult: string;
}

/** The effect of a yes, which sends something or stops a negotiation. */
export type PermissionKind = "send" | "stop";

/** A request for something that is sent or stopped only if the person says yes. */
export interface PermissionPageRequest {
  id: string;
  kind: PermissionKind;
  asked: Asked;
  title: string;
  /** The whole text, as the person reads it. */
  text: string;
  host: string;
  /** The time until which the question is open, as the person reads times. */
  until: string;
  lang: "zh" | "en";
  isOpen: () => Promise<boolean>;
  decide: (verdict: "accept" | "reject", browser: BrowserProof, takenOut?: readonly string[]) => Promise<void>;
}

/** The same question for the page that a client draws at a result. */
export interface AskedAtResult extends Pick<PermissionPageRequest, "id" | "asked" | "host" | "until" | "isOpen"> {
  question: AskedPermission;
  /**
   * Returns the addresses where the person can decide instead. It is absent if there is no address that they could
   * open.
   */
  open?: (() => Promise<PageAddresses>) | undefined;
}

/** The longest question that a ticket carries, as JSON in UTF-16 units. A longer one gets no ticket. */
const MAX_ASKED_LENGTH = 50_000;

/** Returns the part of a question that its ticket carries, or undefined if the question is too long for a ticket. */
export function heldByTicket({ id, question, asked, host, until }: Omit<AskedAtResult, "isOpen" | "open">) {
  const held = { id, question, asked, host, until };
  return JSON.stringify(held).length > MAX_ASKED_LENGTH ? undefined : held;
}

export type AskedPermission = Extract<QuestionName, "profile" | "scene" | "stop" | "others_stop">;

export interface PageRequest {
  negotiationId: string;
  /** A text by the person's AI that would be sent instead. The page shows it whole, and says who wrote it. */
  candidate?: string | undefined;
  /** Set if the person wants to change the text first, so that the page begins with its editor open. */
  toChange?: true | undefined;
  lang: "zh" | "en";
}

interface FormSchema {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

/** The answer as the client sent it. It is untrusted. */
export interface ClientAnswer {
  about: Pending;
  surface: "form" | "page";
  /** True if the client drew the page instead of a form. */
  isDrawn?: boolean | undefined;
  /** `unseen` means that the question was declined sooner than a person can have read it. */
  action: "accept" | "decline" | "cancel" | "missing" | "unseen";
  content: unknown;
  /** How long the question had been shown, in milliseconds. The field is absent if that is not known. */
  afterMs?: number | undefined;
}

/** An answer that comes sooner than this, in milliseconds, is the client's own, because no person answers so fast. */
const PERSON_MS = 300;

/** Returns whether a person may have given this answer, `shownMs` after the question was shown. */
export const isPersons = (action: "accept" | "decline" | "cancel", shownMs: number | undefined): boolean =>
  action !== "decline" || shownMs === undefined || shownMs >= PERSON_MS;

/**
 * Says after how many seconds a form was declined, if that is known. Some clients decline by themselves, or when a
 * person only meant to close the form.
 */
export const declinedSentence = (shownMs: number | undefined, { form }: Texts): string | undefined =>
  shownMs === undefined ? undefined : form.declined((shownMs / 1_000).toFixed(1));

const decisionSchema = z.object({ decision: z.enum(["accept", "edit", "reject"]) });
const ownTextSchema = z.object({ confirmed_text: z.string() });

/** Reads the decision in a form about a text. Returns undefined if the form holds none. No other field counts. */
export const readDecision = (content: unknown) => decisionSchema.safeParse(content).data?.decision;

/** Reads what the person typed into the form that asks for their own text. */
export const readOwnText = (content: unknown) => ownTextSchema.safeParse(content).data?.confirmed_text;

/** The short notes that stand beside a text in a question. */
export interface Beside {
  /** The time by which the person must decide. */
  decideBy?: string | undefined;
  /** The backend's host, if the person would not expect it. */
  host?: string | undefined;
  /** Set if the person wants to change the text first. */
  toChange?: true | undefined;
  /** The command with which the person can decide in a terminal, if no browser can be opened here. */
  terminal?: string | undefined;
  /** The texts in which personal data are looked for, each by itself. By default this is the whole text. */
  searched?: readonly string[];
  /** True if the words are those of the person's AI. */
  isByAi?: boolean;
  /** True if the text is the demand as it was submitted. */
  isUnchanged?: boolean;
  askedAgain?: AskedAgain | undefined;
  /** Sentences on where and under which id the demand goes, if that is unusual. */
  unusual?: readonly string[];
}

/**
 * Why a question is asked again that looks like the one before. The text differs (`changed`), the answer had no effect
 * (`failed`), or it decided nothing (`undecided`).
 */
export type AskedAgain = "changed" | "failed" | "undecided";

type Form = { message: string; schema: FormSchema };

interface FormAsk {
  title: string;
  /** The choices. The yes names the host if a question must name it, because the description has no room for that. */
  choices: readonly (readonly [value: "accept" | "edit" | "reject", title: string])[];
}

/**
 * Returns a form whose message is the text alone, with one choice. The choice's description holds what stands beside
 * the text, and whose words it is if there is room. Returns undefined if a form would not show everything.
 */
function formAbout(
  text: string,
  texts: Texts,
  { decideBy, searched = [text], isByAi, isUnchanged, unusual = [] }: Beside,
  shows: FormGeometry,
  { title, choices }: FormAsk,
): Form | undefined {
  const { form } = texts;
  const message = wholeInForm(text, shows);
  if (message === undefined) return undefined;
  const kinds = piiKinds(searched, texts);
  const needed = [...unusual, decideBy, kinds && form.holds(kinds)];
  const whose = isUnchanged ? form.unchanged : isByAi && form.byAi;
  const description = [[...needed, whose], needed]
    .map((parts) => parts.filter(Boolean).join(" · "))
    .find((line) => fitsRow(line, shows.descriptionColumns));
  if (description === undefined || !choices.every(([, choice]) => fitsRow(choice, shows.choiceColumns)))
    return undefined;
  return choiceForm(message, { title, choices }, description);
}

function choiceForm(message: string, { title, choices }: FormAsk, description = ""): Form {
  const decision = {
    type: "string",
    title,
    ...(description !== "" && { description }),
    // Every client that shows forms knows this oldest shape of a titled choice.
    enum: choices.map(([value]) => value),
    enumNames: choices.map(([, title]) => title),
  };
  return { message, schema: { type: "object", properties: { decision }, required: ["decision"] } };
}

/**
 * Returns the form that asks about a text that waits for its decision, or undefined if the form would not show the
 * whole text.
 */
export const pauseForm = (text: string, texts: Texts, beside: Beside, shows: FormGeometry) =>
  formAbout(text, texts, beside, shows, {
    title: beside.askedAgain === undefined ? texts.form.broadcast : texts.form[beside.askedAgain],
    choices: [
      ["accept", beside.host === undefined ? texts.form.accept : texts.form.acceptTo(beside.host)],
      ["edit", texts.form.edit],
      ["reject", texts.form.reject],
    ],
  });

/**
 * Returns the form that asks whether something may be sent or stopped, or undefined if it would not show everything.
 */
export const permissionForm = (kind: PermissionKind, text: string, texts: Texts, beside: Beside, shows: FormGeometry) =>
  formAbout(text, texts, beside, shows, {
    title: texts.form.decision,
    choices: permissionChoices(kind, texts, beside),
  });

const permissionChoices = (kind: PermissionKind, { page, form }: Texts, { host }: Beside): FormAsk["choices"] => [
  ["accept", host === undefined ? page[kind].accept : form.allowAt[kind](host)],
  ["reject", page[kind].reject],
];

/** Returns the form about one part of a text. Only the last part asks for the yes. */
export function partForm(
  parts: readonly string[],
  number: number,
  kind: PermissionKind,
  texts: Texts,
  beside: Beside,
): Form {
  const { form, page } = texts;
  const isLast = number === parts.length;
  const on: FormAsk["choices"] = [
    ["accept", form.readOn],
    ["reject", page[kind].reject],
  ];
  const choices = isLast ? permissionChoices(kind, texts, beside) : on;
  return choiceForm(parts[number - 1] ?? "", { title: form.part(number, parts.length), choices });
}

/**
 * Returns the message that shows the AI's text above the field of {@link ownTextForm}, or undefined if the form would
 * not show that text whole.
 */
export function aiTextBeside(text: string, { form }: Texts, shows: FormGeometry): string | undefined {
  if (!mayFit(text, shows)) return undefined;
  const message = form.ownTextBeside(quotable(text));
  return fitsMessage(message, shows) ? message : undefined;
}

/**
 * Returns the form for the person's own text, after "change it first". The text by their AI that was kept for this
 * moment stands above the field and never in it, because only what they type goes out.
 */
export const ownTextForm = (texts: Texts, shows: FormGeometry, kept: string | undefined): Form => ({
  message: (kept && aiTextBeside(kept, texts, shows)) ?? texts.form.ownText,
  schema: {
    type: "object",
    properties: {
      confirmed_text: { type: "string", title: texts.form.ownTextTitle, description: texts.form.ownTextHelp },
    },
    required: ["confirmed_text"],
  },
});

/**
 * Returns the message beside the page's address. Its short rows say what is asked, whose words it is, where it goes,
 * and until when.
 */
export function pageMessage(text: string, texts: Texts, beside: Beside, by: string): string {
  const { pageQuestion: say } = texts;
  const { decideBy, host, terminal, toChange, askedAgain, isUnchanged, unusual = [] } = beside;
  const whose = isUnchanged ? say.unchanged : by;
  const again = askedAgain && texts.form[askedAgain];
  const what = (toChange ? say.change : again ? say.again(again) : say.what)(inOneRow(text));
  const holds = piiKinds([text], texts) === undefined ? undefined : say.holds;
  const row = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(" · ");
  // If a demand does not go where the person expects, the message says that before it says whose words it is.
  if (unusual.length > 0) return inRows([what, ...unusual, host && say.toHost(host), decideBy]);
  // Only four rows are shown. If both the host and the terminal command must be named, only the page may have room for
  // whose words it is.
  if (host !== undefined && terminal !== undefined)
    return inRows([what, row(holds ?? whose, decideBy), say.toHost(host), terminal]);
  return inRows([what, row(whose, holds), host === undefined ? (terminal ?? say.toScene) : say.toHost(host), decideBy]);
}

/**
 * Returns the message beside the address of a page that asks whether something may be sent or stopped. `about` holds
 * the rows that say what would be sent or stopped.
 */
export const permissionPageMessage = (
  about: readonly string[],
  searched: readonly string[],
  texts: Texts,
  host: string | undefined,
): string =>
  inRows([
    ...about,
    piiSentence(searched, texts),
    host && texts.pageQuestion.toHost(host),
    texts.pageQuestion.readThere,
  ]);

/** Returns a text in one row. A row shows only the beginning of a long text, so no more than that is prepared. */
const inOneRow = (text: string): string => quotable(text.slice(0, MIN_FORM.pageColumns * 4));

const inRows = (rows: (string | undefined)[]): string =>
  rows
    .filter((row) => row !== undefined)
    .slice(0, MIN_FORM.pageRows)
    .map((row) => cutToRow(showInvisible(row), MIN_FORM.pageColumns))
    .join("\n");

export type DecisionAnswer = ClientAnswer & { about: { kind: "formulation" } };

/** Names the personal data in texts that are about to be sent, in one sentence. The texts themselves are never altered. */
export function piiSentence(searched: readonly string[], texts: Texts): string | undefined {
  const kinds = piiKinds(searched, texts);
  return kinds && texts.pii.found(kinds);
}

function piiKinds(searched: readonly string[], { pii, lang }: Texts): string | undefined {
  const kinds = new Set(searched.flatMap(personalKinds));
  return kinds.size === 0
    ? undefined
    : joinList(
        [...kinds].map((kind) => pii.kinds[kind]),
        lang,
      );
}
