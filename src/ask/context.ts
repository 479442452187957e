import type { Negotiation } from "../backend/contract.ts";
import type { Settings } from "../home/settings.ts";
import { progressText } from "../negotiation/describe.ts";
import type { Negotiations } from "../negotiation/service.ts";
import type { Lifetime, PersonsBrowser } from "../question/ways.ts";
import type { Status } from "../result/tool-result.ts";
import { type SanitizedMeta, sanitizeOptions } from "../safety/sanitize/options.ts";
import type { CallSession } from "../session/session.ts";
import type { Texts } from "../text/index.ts";
import type { Warning } from "../text/warnings.ts";
import type { Asked } from "./asked.ts";
import type { ClientSurface } from "./client-forms.ts";
import type { Opening } from "./page/open-page.ts";
import type {
  ApprovalPages,
  AskedAtResult,
  AskedPermission,
  ClientAnswer,
  DecisionAnswer,
  Question,
} from "./questions.ts";

/** Describes what the calling client can do for its person. */
export interface CallingClient {
  /** The client says that it asks its person, in whatever way. */
  declaresElicitation: boolean;
  /** The client can put a form before the person. */
  showsForms: boolean;
  /** The client can open a page for the person. */
  canOpenPage: boolean;
  /** The client says that it draws a page at a result. Not every client that says so does. */
  drawsPages: boolean;
  /** This is known about how the client shows a question. */
  surface: ClientSurface;
  /** This call may ask another question. Otherwise it ends with the pause open, and the next call asks again. */
  mayAskMore: boolean;
  /** This call may be answered with a background task, which asks the person by itself. */
  mayRunInBackground: boolean;
  /** These tools take a decision and may be called by the client. The first is the one to name. */
  decidingTools: readonly string[];
  /** The client is a command line: its calls never decide a pause, and no page outlives them (contract §6). */
  isCommandLine: boolean;
  /** The client's sign-in does not let its AI pass on what its person says. */
  passesNoWord: boolean;
  /** The client started this server and ends it when it wants. */
  startsServer: boolean;
  /** Says how long the called program lives. */
  lifetime: Lifetime;
  /** Notes that the client declined a page that nobody can have seen. No further page is offered to it. */
  pageUnseen: () => void;
}

/** A call brings these so that a question can be put to its person. */
export interface AskContext {
  settings: Settings;
  texts: Texts;
  /** A session keeps what it knows of negotiations under this origin, which is that of the call's backend. */
  origin: string;
  negotiations: Negotiations;
  session: CallSession;
  client: CallingClient;
  /** Returns the person's own id at the backend. */
  userId: () => Promise<string>;
  /** Returns a scene's name as a question may show it, or undefined where it cannot be shown. */
  sceneName: (sceneId: string) => Promise<string | undefined>;
  /** A question of this session has named the backend's host. */
  isHostNamed: boolean;
  /** When this program ends, it withdraws what it submitted and nobody has decided on. */
  withdrawsAtEnd: boolean;
  /** Puts a question before the person at this terminal; absent without one. */
  askAtTerminal?: ((wanted: AtTerminal) => Promise<boolean>) | undefined;
  /**
   * Keeps a call under a short id, so that the person can make it in a terminal. Absent where they have no terminal
   * for this home.
   */
  keepSend?: ((id: string, send: { tool: string; args: Record<string, unknown> }) => Promise<void>) | undefined;
  /** Absent where there is no address that the person could open. */
  pages: ApprovalPages | undefined;
  browser: PersonsBrowser;
  /** Opens an address in the person's own browser. */
  openBrowser: (url: string) => Promise<Opening>;
  /** The person's answer about a formulated text, when this call runs again after that question. */
  decision?: DecisionAnswer;
  /** The person's answer on whether this may be sent, when this call runs again after that question. */
  permission?: ClientAnswer;
  /** This call ends without an answer to this: a page that the client draws at its result asks, too. */
  askAtResult: (asked: AskedAtResult) => void;
  progress: (message: string) => void;
  signal: AbortSignal;
  /** Returns the milliseconds since this round of the call began. */
  elapsedMs: () => number;
  /** Formats a moment (ms since the epoch) as the person reads it. */
  timeOfDay: (atMs: number) => string;
  now: () => number;
  /** Returns the milliseconds of a clock that nobody sets. */
  monotonic: () => number;
}

/** A yes-or-no question, and what the person should check twice. */
export interface AtTerminal {
  title: string;
  text: string;
  beside: readonly string[];
}

/** The person must agree to this text before it is sent. */
export interface PermissionRequest {
  question: AskedPermission;
  title: string;
  /** The page asks the same with this. */
  asked: Asked;
  /** This is everything that would be sent, as a person reads it. */
  text: string;
  /** Forms use these lines where no page can be opened. */
  inLines?: readonly string[];
  /** Two short rows say what it is where the page itself shows all of it. Without them the title says it. */
  inRows?: readonly [string, string];
  /** This never leaves unseen: where no surface shows it, the AI is given it to show before it may send it. */
  shownFirst?: {
    /** This is all that is sent. */
    sent: unknown;
    /** This is the same for reading, without any words of others. */
    text: string;
    /** This call names this hash for what it was given. */
    named: string | undefined;
    /** Builds the result that gives it. `hash` is for the call that sends it. */
    data: (hash: string) => unknown;
    /** JSON pointers to what others wrote in it: names, cut. */
    foreign?: string[];
  };
}

/** Marks what others wrote in a result. */
export interface Foreign {
  /** JSON pointers to the fields of `data` that others wrote. */
  foreign?: string[];
  /** False where this is no text of other agents: only names cut to their bound, or the person's own demand. */
  taints?: false;
}

/** A handler gives back a result, or a question that must be put to the person first. */
export type HandlerResult<Data> =
  | ({
      data: Data | null;
      summary: string;
      status?: Exclude<Status, "error">;
      warnings?: Warning[];
      meta?: SanitizedMeta;
      /** This is the whole where `data` is shortened. A later call can refer to it (agent layer §5). */
      kept?: unknown;
    } & Foreign)
  | { ask: Question }
  /** The call goes on in the background, as the task of this negotiation. */
  | { task: string };

/**
 * Waits within the budget until something holds, and reports each change to the person on the way (contract §5). The
 * call's answer reports the change that ends the wait. Running out of budget is a normal result.
 */
export async function waitUntil(
  id: string,
  until: (snapshot: Negotiation) => boolean,
  ctx: AskContext,
  budgetMs = ctx.settings.wait_budget_s * 1000,
): Promise<Negotiation> {
  // A slow submit leaves less time: many clients give a call up after a minute.
  const leftMs = Math.max(0, Math.min(budgetMs, ctx.settings.wait_budget_s * 1000 - ctx.elapsedMs()));
  const { snapshot } = await ctx.negotiations.wait(id, {
    until,
    budgetMs: leftMs,
    onChange: (n, endsWait) => {
      if (endsWait) return;
      const said = ctx.negotiations.says(ctx.negotiations.stageInMemory(id, n), n);
      ctx.progress(progressText(said, ctx.texts, sanitizeOptions(ctx.settings)));
    },
  });
  return snapshot;
}
