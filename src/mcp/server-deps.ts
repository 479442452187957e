import type { Opening } from "../ask/page/open-page.ts";
import type { AskedAtResult } from "../ask/questions.ts";
import type { Clock } from "../clock.ts";
import type { LiveSettings } from "../home/live-settings.ts";
import type { Log } from "../log.ts";
import type { PageAnswer, PageCall } from "../question/chat-wire.ts";
import type { PersonsBrowser } from "../question/ways.ts";
import type { Session } from "../session/session.ts";
import type { Texts } from "../text/index.ts";
import type { Warning } from "../text/warnings.ts";
import type { ToolContext } from "../tools/define.ts";
import type { Account, Accounts } from "./account.ts";
import type { PromptDeps } from "./prompts.ts";

/** What is the same for everybody whom the program serves. */
export interface Program {
  version: string;
  clock: Clock;
  log: Log;
  newId: () => string;
  /** At least 32 random bytes: signs what a client carries between the rounds of a question. */
  stateKey: Uint8Array;
  instructions: string;
  /** The text of `prompts/<name>.<lang>.md`. */
  prompt: PromptDeps["prompt"];
  timeOfDay: (atMs: number) => string;
  /** The page in the chat; absent where the program has none. */
  chat?: ChatPages | undefined;
  /** Called for each call that ended, for counting. */
  onCall?: (done: { tool: string; status: string; code?: string | undefined; seconds: number }) => void;
  /** The call that the running code belongs to, where those that run are counted. */
  counted?: () => CountedCall | undefined;
}

/** A call that counts while it runs. */
export interface CountedCall {
  /** It waits from now on, for its person or the network, until the returned function is called. */
  beginWait(): () => void;
  /** It is over: it counts no more, and neither does its message. Once. */
  free(): void;
}

/** What is one person's. */
interface Persons {
  live: LiveSettings;
  accounts: Accounts;
  session: Session;
  browser: PersonsBrowser;
  openBrowser: (url: string) => Promise<Opening>;
  /** Codes that are true of the installation now. */
  notices: () => Promise<Warning[]>;
}

/** How they come to it. */
interface Way {
  /** True where there is no session beyond this request: what is chosen is kept for the user. */
  sessionless?: boolean;
  /** The client is `towow-mcp call`: see {@link CallingClient.isCommandLine}. */
  fromCommandLine?: true;
  /** See {@link CallingClient.passesNoWord}; asked with each call, as its person may change it meanwhile. */
  passesNoWord?: () => boolean;
  /** The sentences of one language, where a person reads results themselves; by default an AI does. */
  textsOf?: ((lang: "zh" | "en") => Texts) | undefined;
  /** See {@link ToolContext.withdrawsAtEnd}. */
  withdrawsAtEnd?: boolean;
  /** See {@link ToolContext.askAtTerminal}. */
  askAtTerminal?: ToolContext["askAtTerminal"];
  /** See {@link ToolContext.keepSend}. */
  keepSend?: ToolContext["keepSend"];
  /**
   * How clients follow negotiations: by `resources/subscribe` on this server, or by the 2026 era's `listen`, which the
   * endpoint serves for it. Absent where neither can be.
   */
  resourceUpdates?: "session" | "listen";
}

/** Everything that a server stands on; it does no input or output of its own. */
export interface ServerDeps extends Program, Persons, Way {}

/** The question as a page that a client draws in its chat (MCP Apps), at the result that waits for its person. */
export interface ChatPages {
  /** The page: one file that loads nothing. */
  html: () => Promise<string>;
  /** What its room answers. */
  answer(call: PageCall, about: ChatAbout): Promise<PageAnswer>;
}

/** What a ticket is about: the text of one demand, or one question whether something may be sent or stopped. */
export type TicketAbout = { demand: string } | { permission: Omit<AskedAtResult, "isOpen" | "open"> };

/** What a ticket opens, for the person whose key has signed it. */
export interface ChatAbout {
  ticketId: string;
  about: TicketAbout;
  account: Account;
  deps: Pick<ServerDeps, "live" | "accounts" | "session" | "clock" | "log" | "newId" | "browser">;
}
