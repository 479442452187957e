import type { Formulated, Rendering } from "../../negotiation/display.ts";
import type { KnownBrowsers } from "../../session/known-browsers.ts";
import type { Texts } from "../../text/index.ts";
import type { SendRequest } from "../questions.ts";
import type { Opened } from "./admission.ts";

/** Whose page it is, and how they show that it is them. */
export interface PageOwner {
  /** Told apart from the owners of other pages on the same site. */
  id: string;
  isStrict: () => boolean;
  browsers: KnownBrowsers;
  /** Where they sign in on the page, having no terminal here: whether this is their token. */
  isToken?: (token: string) => boolean;
}

interface BasePage {
  texts: Texts;
  owner: PageOwner;
  opened?: Opened;
  /** How often a window was opened by way of an address that others may see. */
  windows?: number;
  /** How often somebody has signed in with a wrong token. */
  wrongTokens?: number;
}

/** A page that asks whether something may be sent at all: yes or no. */
export interface SendPage extends BasePage {
  kind: "send";
  request: SendRequest;
  isOpen(): Promise<boolean>;
  decide(verdict: "accept" | "reject"): Promise<void>;
}

/** What the page shows of one question; the backend's text raw. */
export interface Shown extends Formulated {
  /** The question that this page asks: what is decided is what was shown, nothing newer. */
  confirmationId: string;
  host: string | undefined;
  deadline: string | undefined;
  /** A text by the person's AI that would be sent instead. */
  candidate?: string | undefined;
}

/** A page that asks about a formulated text. */
export interface FormulationPage extends BasePage {
  kind: "formulation";
  negotiationId: string;
  /** The texts that were shown on this page, each of them whole. */
  rendered: Rendered;
  /** Reads the question as it stands now; undefined when there is nothing to decide any more. */
  question(): Promise<Shown | undefined>;
  /** Carries a decision out. `changed` when the text is another one by now. */
  decide(decision: PageDecision): Promise<Verdict>;
}

export type PageDecision = { confirmationId: string } & (
  | { kind: "reject"; by: "page" }
  | { kind: "accept"; rendering: Rendering }
  | { kind: "edit"; rendering: Rendering; text: string; candidate: string | undefined }
);

/** One page that waits for a person. */
export type OpenPage = SendPage | FormulationPage;

export type Verdict =
  | { kind: "accept" | "edit" }
  /** Rejected, or gone on without this decision; the message says which, and who had been reached by then. */
  | { kind: "over"; message: string }
  | { kind: "changed" }
  | { kind: "failed"; message: string };

/** What was rendered, by hash: only that can be sent. */
export class Rendered {
  readonly #hash: (text: string) => string;
  readonly #hashes = new Set<string>();

  constructor(hash: (text: string) => string) {
    this.#hash = hash;
  }

  add(text: string): void {
    this.#hashes.add(this.#hash(text));
  }

  /** Undefined for a text that was not rendered. */
  hashOf(text: string): string | undefined {
    const hash = this.#hash(text);
    return this.#hashes.has(hash) ? hash : undefined;
  }
}
