import type { Settings } from "../home/settings.ts";
import type { Negotiations } from "../negotiation/service.ts";
import type { Lifetime, PersonsBrowser } from "../question/ways.ts";
import type { QuestionName } from "../question/who.ts";
import type { Status } from "../result/tool-result.ts";
import type { SanitizedMeta } from "../safety/sanitize/options.ts";
import type { CallSession } from "../session/session.ts";
import type { Texts } from "../text/index.ts";
import type { Warning } from "../text/warnings.ts";
import type { Asked } from "./asked.ts";
import type { Opening } from "./page/windows.ts";
import type { ApprovalPages, ClientAnswer, DecisionAnswer, Question } from "./questions.ts";
import type { ClientSurface } from "./seen-clients.ts";

/** What the client that calls can do for its person. */
export interface CallingClient {
  /** Whether it says that it asks its person, in whatever way. */
  declaresElicitation: boolean;
  /** Whether it can put a form before the person. */
  showsForms: boolean;
  /** Whether it can open a page for the person. */
  canOpenPage: boolean;
  /** Whether it says that it draws a page at a result. Not every one that says so does. */
  drawsPages: boolean;
  /** What is known of how it shows a question. */
  surface: ClientSurface;
  /** Whether this call may ask another question; else it ends with the pause open, and the next call asks again. */
  mayAskMore: boolean;
  /** Whether this call may be answered with a background task, which asks the person by itself. */
  mayRunInBackground: boolean;
  /** The tools that take a decision, as far as it may call them; the first is the one to name. */
  decidingTools: readonly string[];
  /** It is a command line: its calls never decide a pause, and no page outlives them (contract §6). */
  isCommandLine: boolean;
  /** Its sign-in does not let its AI pass on what its person says. */
  passesNoWord: boolean;
  /** It has started this server, which ends when it wants. */
  startsServer: boolean;
  /** How long the program lives that it calls. */
  lifetime: Lifetime;
  /** It has declined a page that nobody can have seen: it is asked for none from then on. */
  pageUnseen: () => void;
}

/** What a call must bring so that a question can be put to its person. */
export interface AskContext {
  settings: Settings;
  texts: Texts;
  /** The origin of this call's backend: what a session keeps of negotiations is kept under it. */
  origin: string;
  negotiations: Negotiations;
  session: CallSession;
  client: CallingClient;
  /** The person's own id there. */
  userId: () => Promise<string>;
  /** What a scene is called, as a question may show it; undefined where that cannot be shown. */
  sceneName: (sceneId: string) => Promise<string | undefined>;
  /** A question of this session has named the backend's host. */
  isHostNamed: boolean;
  /** What this program submitted and nobody has decided on is withdrawn when it ends. */
  withdrawsAtEnd: boolean;
  /** Puts a question before the person at this terminal; absent without one. */
  askAtTerminal?: ((wanted: AtTerminal) => Promise<boolean>) | undefined;
  /** Keeps a call under a short id, for the person to make it in a terminal; absent where they have none of this home's. */
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
  progress: (message: string) => void;
  signal: AbortSignal;
  /** Since this round of the call began, in milliseconds. */
  elapsedMs: () => number;
  /** A moment (ms since the epoch) as the person reads it. */
  timeOfDay: (atMs: number) => string;
  now: () => number;
  /** Milliseconds of a clock that nobody sets. */
  monotonic: () => number;
}

/** A question of yes or no, and what the person should look at twice. */
export interface AtTerminal {
  title: string;
  text: string;
  beside: readonly string[];
}

type AskedPermission = Extract<QuestionName, "profile" | "scene" | "stop" | "others_stop">;

/** A text that the person must agree to before it is sent. */
export interface PermissionRequest {
  question: AskedPermission;
  title: string;
  /** The same for its page. */
  asked: Asked;
  /** Everything that would be sent, as a person reads it. */
  text: string;
  /** The same line by line, for forms where no page can be opened. */
  inLines?: readonly string[];
  /** What it is, in two short rows, where the page itself shows all of it; else the title says it. */
  inRows?: readonly [string, string];
  /** It never leaves unseen: where no surface shows it, the AI is given it to show before it may send it. */
  shownFirst?: {
    /** All that is sent. */
    sent: unknown;
    /** The same to be read, without any word of others. */
    text: string;
    /** The hash that this call names of what it was given. */
    named: string | undefined;
    /** What a result holds that gives it; `hash` is for the call that sends it. */
    data: (hash: string) => unknown;
    /** JSON pointers to what of it others wrote: names, cut. */
    foreign?: string[];
  };
}

/** What of a result others wrote. */
export interface Foreign {
  /** JSON pointers to the fields of `data` that others wrote. */
  foreign?: string[];
  /** False where that is no text of other agents: names cut to their bound, or the person's own demand. */
  taints?: false;
}

/** What a handler gives back: a result, or a question that must be put to the person first. */
export type HandlerResult<Data> =
  | ({
      data: Data | null;
      summary: string;
      status?: Exclude<Status, "error">;
      warnings?: Warning[];
      meta?: SanitizedMeta;
      /** The whole, where `data` is shortened: a later call can refer to it (agent layer §5). */
      kept?: unknown;
    } & Foreign)
  | { ask: Question }
  /** It goes on in the background, as the task of this negotiation. */
  | { task: string };
