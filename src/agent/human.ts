import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import * as z from "zod";
import type { Texts } from "../text/index.ts";
import { findPii } from "./privacy.ts";
import { showInvisible } from "./visible.ts";

/** What a client's form shows for sure: three lines of a hundred-column terminal (clients, rule 3). */
const FORM_LINES = 3;
const FORM_COLUMNS = 76;

/** Whether a person sees the whole text in a form (contract §6, "seen means seen whole"). */
export function fitsForm(text: string): boolean {
  const shown = asTerminalsCount(showInvisible(text));
  if (stringWidth(shown) > FORM_LINES * FORM_COLUMNS) return false;
  return wrapAnsi(shown, FORM_COLUMNS, { hard: true, trim: false }).split("\n").length <= FORM_LINES;
}

/**
 * For measuring only: a tab as the eight columns that it may take, and every letter and picture by itself, because
 * many terminals do not draw a joined cluster (a family, a Hindi conjunct, loose jamo) in the width of one.
 */
const asTerminalsCount = (text: string): string =>
  text
    .replaceAll("\t", " ".repeat(8))
    .replaceAll("\u200D", "")
    .replaceAll(/(?=\p{L})(?<=\p{L}\p{M}*)/gu, "\u200B");

/** A question to the person: a form of their client, or a page that it opens. */
export type Question = { about: Pending; message: string } & ({ schema: FormSchema } | { url: string });

/** What a question is about; all of it that travels through the client, signed. */
export type Pending =
  | { kind: "formulation"; negotiation_id: string; confirmation_id: string }
  | { kind: "send"; approval_id: string };

/** Where a text that no form can show whole is put before the person. */
export interface ApprovalPages {
  /** The address of a page that asks about this negotiation. */
  open(request: PageRequest): Promise<string>;
  /** The address of a page that asks whether something may be sent. */
  openSend(request: SendRequest): Promise<string>;
}

/** Something that leaves the machine only if the person says yes. */
export interface SendRequest {
  id: string;
  title: string;
  /** All of it, as the person reads it. */
  text: string;
  /** What the person should look at twice, in one sentence. */
  findings?: string | undefined;
  host: string | undefined;
  lang: "zh" | "en";
  isOpen: () => Promise<boolean>;
  decide: (verdict: "accept" | "reject") => Promise<void>;
}

export interface PageRequest {
  negotiationId: string;
  /** The backend's host, where it is not the one of the config file. */
  host: string | undefined;
  lang: "zh" | "en";
}

export interface FormSchema {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

/** The answer as the client sent it: untrusted. */
export interface FormAnswer {
  about: Pending;
  surface: "form" | "page";
  action: "accept" | "decline" | "cancel" | "missing";
  content: unknown;
}

const answerSchema = z.object({
  decision: z.enum(["accept", "edit", "reject"]),
  confirmed_text: z.string().optional().catch(undefined),
});

/** What a filled form says, or undefined when it says nothing that can be acted on. */
export const readAnswer = (content: unknown) => answerSchema.safeParse(content).data;

/** The form of the pause. A text that fits stands first and whole; a longer one was shown whole in a result before. */
export function askForm(text: string, texts: Texts, extra: { decideBy?: string; host?: string }) {
  const shown = showInvisible(text);
  const message = fitsForm(text) ? shown : texts.form.long([...text].length, firstWords(shown));
  const { form } = texts;
  return {
    message: [message, piiSentence(text, texts), extra.decideBy, extra.host && form.host(extra.host)]
      .filter(Boolean)
      .join("\n"),
    schema: {
      type: "object",
      properties: {
        decision: {
          type: "string",
          title: form.decision,
          description: form.decisionHelp,
          // The oldest form of a titled choice: every client that shows forms knows it.
          enum: ["accept", "edit", "reject"],
          enumNames: [form.accept, form.edit, form.reject],
        },
        confirmed_text: { type: "string", title: form.text, description: form.textHelp },
      },
      required: ["decision"],
    } satisfies FormSchema,
  };
}

/** The message beside the page's address. */
export const askPage = (text: string, texts: Texts, decideBy: string | undefined): string =>
  [texts.form.page([...text].length, firstWords(showInvisible(text))), piiSentence(text, texts), decideBy]
    .filter(Boolean)
    .join("\n");

function firstWords(text: string): string {
  const line = text.split("\n")[0] ?? "";
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (stringWidth(cut + segment) > FORM_COLUMNS - 14) return `${cut}…`;
    cut += segment;
  }
  return cut;
}

/** The form that asks whether something may be sent. */
export const askSend = (text: string, texts: Texts, findings: string | undefined) => ({
  message: [showInvisible(text), findings].filter(Boolean).join("\n"),
  schema: {
    type: "object",
    properties: {
      decision: {
        type: "string",
        title: texts.form.decision,
        enum: ["accept", "reject"],
        enumNames: [texts.page.sendAccept, texts.page.sendReject],
      },
    },
    required: ["decision"],
  } satisfies FormSchema,
});

/** An answer to a question about a formulated text. */
export type DecisionAnswer = FormAnswer & { about: { kind: "formulation" } };

/** The personal data in a text that is about to leave, named in one sentence; the text itself is never altered. */
export function piiSentence(text: string, { pii }: Texts): string | undefined {
  const kinds = new Set(findPii(text).map(({ kind }) => pii.kinds[kind]));
  return kinds.size === 0 ? undefined : pii.found([...kinds].join(", "));
}
