import * as z from "zod";
import type { BrowserProof } from "../question/who.ts";
import { showInvisible } from "../safety/invisible.ts";
import { personalKinds } from "../safety/pii/named-only.ts";
import { quotable } from "../safety/quotable.ts";
import type { Texts } from "../text/index.ts";
import { joinList } from "../text/join.ts";
import type { Asked } from "./asked.ts";
import { cutToRow, type FormGeometry, fitsRow, MIN_FORM, mayFit, showsInField, showsMessage } from "./form-geometry.ts";

/** A question to the person: a form of their client, or a page that it opens. */
export type Question = { about: Pending; message: string } & ({ schema: FormSchema } | { url: string });

/** What a question is about; all of it that travels through the client, signed. */
export type Pending = FormulationPending | PermissionPending;

/** May something be sent, or stopped? Named as programs before this one named it. */
export interface PermissionPending {
  kind: "send";
  approval_id: string;
  /** Set where forms show it one after the other: this is the one that was asked. `hash`: of all of them. */
  part?: { number: number; of: number; hash: string };
}

export interface FormulationPending {
  kind: "formulation";
  negotiation_id: string;
  confirmation_id: string;
  /** The form asks for the person's own text, not for a decision. */
  asks?: "text";
  /** The text that the person typed, where the form asks about that instead of the backend's. */
  own_text?: string;
}

/** Where a text that no form can show whole is put before the person. */
export interface ApprovalPages {
  /** A page that asks about this negotiation. */
  open(request: PageRequest): Promise<PageAddresses>;
  /** A page that asks whether something may be sent. */
  openPermission(request: PermissionPageRequest): Promise<PageAddresses>;
}

/** The addresses of one page; what each of them proves, `page/visitor.ts` says. */
export interface PageAddresses {
  /** For the client to open in the person's browser (URL elicitation). */
  forClient: string;
  /** For a result, which a model reads: it leads to the way to decide, and decides nothing by itself. */
  forResult: string;
}

/** What a yes does: something is sent, or a negotiation is stopped. */
export type PermissionKind = "send" | "stop";

/** Something that leaves the machine only if the person says yes. */
export interface PermissionPageRequest {
  id: string;
  kind: PermissionKind;
  asked: Asked;
  title: string;
  /** All of it, as the person reads it. */
  text: string;
  /** The backend's host. */
  host: string;
  /** Until when it is asked, as the person reads times. */
  until: string;
  lang: "zh" | "en";
  isOpen: () => Promise<boolean>;
  decide: (verdict: "accept" | "reject", browser: BrowserProof, takenOut?: readonly string[]) => Promise<void>;
}

export interface PageRequest {
  negotiationId: string;
  /** A text by the person's AI that would be sent instead: the page shows it whole, and says whose it is. */
  candidate?: string | undefined;
  /** They want to change the text first: the page begins with its editor open. */
  toChange?: true | undefined;
  lang: "zh" | "en";
}

interface FormSchema {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

/** The answer as the client sent it: untrusted. */
export interface ClientAnswer {
  about: Pending;
  surface: "form" | "page";
  /** `unseen`: declined sooner than a person can have read it. */
  action: "accept" | "decline" | "cancel" | "missing" | "unseen";
  content: unknown;
  /** How long the question had been shown, in milliseconds; absent where that is not known. */
  afterMs?: number | undefined;
}

/** No person answers a question within this time after it was shown, in milliseconds: their client did. */
const PERSON_MS = 300;

/** Whether a person may have given this answer, so many milliseconds after the question was shown. */
export const isPersons = (action: "accept" | "decline" | "cancel", shownMs: number | undefined): boolean =>
  action !== "decline" || shownMs === undefined || shownMs >= PERSON_MS;

/**
 * What is told of a form that was declined: what was seen, which is what its client did. Some clients decline by themselves,
 * or for a person who meant to close the form.
 */
export const declinedSentence = (shownMs: number | undefined, { form }: Texts): string | undefined =>
  shownMs === undefined ? undefined : form.declined((shownMs / 1_000).toFixed(1));

const decisionSchema = z.object({ decision: z.enum(["accept", "edit", "reject"]) });
const ownTextSchema = z.object({ confirmed_text: z.string() });

/** What a form about a text says, or undefined when it says nothing that can be acted on. Nothing beside it counts. */
export const readDecision = (content: unknown) => decisionSchema.safeParse(content).data?.decision;

/** What the person typed into the form that asks for their own text. */
export const readOwnText = (content: unknown) => ownTextSchema.safeParse(content).data?.confirmed_text;

/** What stands beside a text, each a few words. */
export interface Beside {
  /** By when the person must decide. */
  decideBy?: string | undefined;
  /** The backend's host, where the person would not expect it. */
  host?: string | undefined;
  /** They want to change it first. */
  toChange?: true | undefined;
  /** Where else the person can decide, when no browser can be opened here. */
  terminal?: string | undefined;
  /** Its words are those of the person's AI. */
  isByAi?: boolean;
  /** It is the demand as it was submitted. */
  isUnchanged?: boolean;
  askedAgain?: AskedAgain | undefined;
  /** To whom and as whom it goes, where that is not the usual. */
  unusual?: readonly string[];
}

/**
 * Why a question that looks like the one before is asked again: the text is another one, the answer had no effect, or
 * it decided nothing.
 */
export type AskedAgain = "changed" | "failed" | "undecided";

type Form = { message: string; schema: FormSchema };

interface FormAsk {
  title: string;
  /** The yes names the host, where it must be named: the description has no room for it. */
  choices: readonly (readonly [value: "accept" | "edit" | "reject", title: string])[];
}

/**
 * A form whose message is the text alone, with one choice; what stands beside the text is the choice's description.
 * Undefined where a form would not show all of it: then nothing is asked in a form. Whose words it is stands there if there
 * is room.
 */
function formAbout(
  text: string,
  texts: Texts,
  { decideBy, isByAi, isUnchanged, unusual = [] }: Beside,
  shows: FormGeometry,
  { title, choices }: FormAsk,
): Form | undefined {
  const { form } = texts;
  if (!mayFit(text, shows)) return undefined;
  const message = showInvisible(text);
  if (!showsMessage(message, shows)) return undefined;
  const kinds = piiKinds(text, texts);
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
    // The oldest form of a titled choice: every client that shows forms knows it.
    enum: choices.map(([value]) => value),
    enumNames: choices.map(([, title]) => title),
  };
  return { message, schema: { type: "object", properties: { decision }, required: ["decision"] } };
}

/** The form of the pause, or undefined where it would not show the text whole. */
export const pauseForm = (text: string, texts: Texts, beside: Beside, shows: FormGeometry) =>
  formAbout(text, texts, beside, shows, {
    title: beside.askedAgain === undefined ? texts.form.broadcast : texts.form[beside.askedAgain],
    choices: [
      ["accept", beside.host === undefined ? texts.form.accept : texts.form.acceptTo(beside.host)],
      ["edit", texts.form.edit],
      ["reject", texts.form.reject],
    ],
  });

/** The form that asks whether something may be sent or stopped, or undefined where it would not show all of it. */
export const permissionForm = (kind: PermissionKind, text: string, texts: Texts, beside: Beside, shows: FormGeometry) =>
  formAbout(text, texts, beside, shows, {
    title: texts.form.decision,
    choices: permissionChoices(kind, texts, beside),
  });

const permissionChoices = (kind: PermissionKind, { page, form }: Texts, { host }: Beside): FormAsk["choices"] => [
  ["accept", host === undefined ? page[kind].accept : form.allowAt[kind](host)],
  ["reject", page[kind].reject],
];

/** The form about one of the parts that a text is shown in; only the last one asks for the yes. */
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

/** What stands above that form's field; undefined where the form would not show the AI's text whole. */
export function offeredBeside(text: string, { form }: Texts, shows: FormGeometry): string | undefined {
  if (!mayFit(text, shows)) return undefined;
  const message = form.ownTextBeside(quotable(text));
  return showsMessage(message, shows) ? message : undefined;
}

/**
 * The form for a text of the person's own, after "change it first". A text by their AI, which was kept for this moment,
 * stands above the field and never in it: what goes out is what they type.
 */
export const ownTextForm = (texts: Texts, shows: FormGeometry, kept: string | undefined): Form => ({
  message: (kept && offeredBeside(kept, texts, shows)) ?? texts.form.ownText,
  schema: {
    type: "object",
    properties: {
      confirmed_text: { type: "string", title: texts.form.ownTextTitle, description: texts.form.ownTextHelp },
    },
    required: ["confirmed_text"],
  },
});

/** Whether a person sees all of what they typed into a form's field. */
export const showsTyped = (text: string, shows: FormGeometry): boolean =>
  showInvisible(text) === text && showsInField(text, shows);

/** The message beside the page's address: what, whose, where to and until when, a short row each. */
export function pageMessage(text: string, texts: Texts, beside: Beside, by: string): string {
  const { pageQuestion: say } = texts;
  const { decideBy, host, terminal, toChange, askedAgain, isUnchanged, unusual = [] } = beside;
  const whose = isUnchanged ? say.unchanged : by;
  const again = askedAgain && texts.form[askedAgain];
  const what = (toChange ? say.change : again ? say.again(again) : say.what)(inOneRow(text));
  const holds = piiKinds(text, texts) === undefined ? undefined : say.holds;
  const row = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(" · ");
  // Of a demand that does not go where its person expects, the message says that before whose words it is.
  if (unusual.length > 0) return inRows([what, ...unusual, host && say.toHost(host), decideBy]);
  // Four rows are shown. Where all of it must be said, whose words they are is left to the page, if there is no room.
  if (host !== undefined && terminal !== undefined)
    return inRows([what, row(holds ?? whose, decideBy), say.toHost(host), terminal]);
  return inRows([what, row(whose, holds), host === undefined ? (terminal ?? say.toScene) : say.toHost(host), decideBy]);
}

/** The same for something that may be sent: its title says what. */
export const permissionPageMessage = (
  about: readonly string[],
  text: string,
  texts: Texts,
  host: string | undefined,
): string =>
  inRows([...about, piiSentence(text, texts), host && texts.pageQuestion.toHost(host), texts.pageQuestion.readThere]);

/** Of a long text only its beginning is made ready: a row shows no more. */
const inOneRow = (text: string): string => quotable(text.slice(0, MIN_FORM.pageColumns * 4));

const inRows = (rows: (string | undefined)[]): string =>
  rows
    .filter((row) => row !== undefined)
    .slice(0, MIN_FORM.pageRows)
    .map((row) => cutToRow(showInvisible(row), MIN_FORM.pageColumns))
    .join("\n");

export type DecisionAnswer = ClientAnswer & { about: { kind: "formulation" } };

/** The personal data in a text that is about to leave, named in one sentence; the text itself is never altered. */
export function piiSentence(text: string, texts: Texts): string | undefined {
  const kinds = piiKinds(text, texts);
  return kinds && texts.pii.found(kinds);
}

function piiKinds(text: string, { pii, lang }: Texts): string | undefined {
  const kinds = personalKinds(text).map((kind) => pii.kinds[kind]);
  return kinds.length === 0 ? undefined : joinList(kinds, lang);
}
