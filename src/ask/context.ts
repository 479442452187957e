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

/** What the calling client can do for its person. */
export interface CallingClient {
  /** True if the client says that it can ask its person, in whatever way. */
  declaresElicitation: boolean;
  /** True if the client can put a form before the person. */
  showsForms: boolean;
  /** True if the client can open a page for the person. */
  canOpenPage: boolean;
  /** True if the client says that it draws a page at a result. Not every client that says so does. */
  drawsPages: boolean;
  /** True if the client says that it draws that page instead of a form, while its call waits. */
  drawsForms: boolean;
  /** What is known about how the client shows a question. */
  surface: ClientSurface;
  /**
   * True if this call may ask another question. If not, the call ends while the person has not decided, and the next
   * call asks again.
   */
  mayAskMore: boolean;
  /** True if this call may be answered with a background task, which asks the person by itself. */
  mayRunInBackground: boolean;
  /** The tools that take a decision and that the client may call. Sentences name only the first of them. */
  decidingTools: readonly string[];
  /**
   * True if the client is a command line. Its calls never decide on a text, and its pages end with the call (contract
   * §6).
   */
  isCommandLine: boolean;
  /** True if the client's sign-in keeps its AI from passing on what the person says. */
  passesNoWord: boolean;
  /** True if the client started this server and ends it when it wants. */
  startsServer: boolean;
  /** How long the called program lives. */
  lifetime: Lifetime;
  /** Notes that the client declined a page that nobody can have seen. No further page is offered to it. */
  pageUnseen: () => void;
}

/** Everything that is needed to put a question to the person of a call. */
export interface AskContext {
  settings: Settings;
  texts: Texts;
  /** The origin of the call's backend. A session stores what it knows of negotiations under it. */
  origin: string;
  negotiations: Negotiations;
  session: CallSession;
  client: CallingClient;
  /** Returns the person's own id at the backend. */
  userId: () => Promise<string>;
  /** Returns a scene's name as a question may show it, or undefined if it cannot be shown. */
  sceneName: (sceneId: string) => Promise<string | undefined>;
  /** True if a question of this session has already named the backend's host. */
  isHostNamed: boolean;
  /** True if this program, when it ends, withdraws each demand that it submitted and that nobody has decided on. */
  withdrawsAtEnd: boolean;
  /** Puts a question before the person at this terminal. It is absent if there is no terminal. */
  askAtTerminal?: ((wanted: AtTerminal) => Promise<boolean>) | undefined;
  /**
   * Keeps a call under a short id, so that the person can make it in a terminal. It is absent if they have no terminal
   * for this home.
   */
  keepSend?: ((id: string, send: { tool: string; args: Record<string, unknown> }) => Promise<void>) | undefined;
  /** Opens pages. It is absent if there is no address that the person could open. */
  pages: ApprovalPages | undefined;
  browser: PersonsBrowser;
  openBrowser: (url: string) => Promise<Opening>;
  /** The person's answer about a formulated text, if this call runs again after that question. */
  decision?: DecisionAnswer;
  /** The person's answer on whether something may be sent or stopped, if this call runs again after that question. */
  permission?: ClientAnswer;
  /**
   * Notes a question that this call leaves without an answer. A page that the client draws at the call's result also
   * asks it.
   */
  askAtResult: (asked: AskedAtResult) => void;
  progress: (message: string) => void;
  signal: AbortSignal;
  /** Returns the milliseconds since this round of the call began. */
  elapsedMs: () => number;
  /** Formats a moment (ms since the epoch) as the person reads it. */
  timeOfDay: (atMs: number) => string;
  now: () => number;
  /** Returns the time of the monotonic clock, in milliseconds. */
  monotonic: () => number;
}

/** A yes-or-no question, and what the person should check twice. */
export interface AtTerminal {
  title: string;
  text: string;
  beside: readonly string[];
}

/** What the person must agree to before it is sent or stopped. */
export interface PermissionRequest {
  question: AskedPermission;
  title: string;
  /** The same question as data, from which a page draws it. */
  asked: Asked;
  /** Everything that would be sent, as a person reads it. */
  text: string;
  /** The lines that forms use if no page can be opened. */
  inLines?: readonly string[];
  /**
   * Two short rows that say what is asked, for the message beside a page that shows all of it. By default the title
   * says it.
   */
  inRows?: readonly [string, string];
  /**
   * Set for data that are never sent unseen. If no surface can show them, the AI is given the text to show, and may
   * send the data only after that.
   */
  shownFirst?: {
    sent: unknown;
    /** The data as a text to read, without any words of others. */
    text: string;
    /** The hash that this call names to prove that the AI was given the text. */
    named: string | undefined;
    /** Returns the data of the result that gives the text to the AI. `hash` is for the call that sends it. */
    data: (hash: string) => unknown;
    /** JSON pointers to the names in the result's data that others wrote. These names are cut. */
    foreign?: string[];
  };
}

/** Marks what others wrote in a result. */
export interface Foreign {
  /** JSON pointers to the fields of `data` that others wrote. */
  foreign?: string[];
  /** False if this is no text by other agents, but only names cut to their length or the person's own demand. */
  taints?: false;
}

/** What a handler returns: a result, a question that must be put to the person first, or a task. */
export type HandlerResult<Data> =
  | ({
      data: Data | null;
      summary: string;
      status?: Exclude<Status, "error">;
      warnings?: Warning[];
      meta?: SanitizedMeta;
      /** The whole data, if `data` is shortened. A later call can refer to the whole (agent layer §5). */
      kept?: unknown;
    } & Foreign)
  | { ask: Question }
  /** The call goes on in the background, as the task of this negotiation. */
  | { task: string };

/**
 * Waits within the budget until a condition holds, and reports each change to the person meanwhile (contract §5). The
 * change that ends the wait is reported by the call's answer. Running out of budget is a normal result.
 */
export async function waitUntil(
  id: string,
  until: (snapshot: Negotiation) => boolean,
  ctx: AskContext,
  budgetMs = ctx.settings.wait_budget_s * 1000,
): Promise<Negotiation> {
  // A slow submit leaves less time, because many clients give up a call after a minute.
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
