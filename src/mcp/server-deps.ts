import type { Opening } from "../ask/page/open-page.ts";
import type { AskedAtResult } from "../ask/questions.ts";
import type { LiveSettings } from "../home/live-settings.ts";
import type { Platform } from "../platform.ts";
import type { PageAnswer, PageCall } from "../question/chat-wire.ts";
import type { PersonsBrowser } from "../question/ways.ts";
import type { Session } from "../session/session.ts";
import type { Texts } from "../text/index.ts";
import type { Warning } from "../text/warnings.ts";
import type { ToolContext } from "../tools/define.ts";
import type { Account, Accounts } from "./account.ts";
import type { PromptDeps } from "./prompts.ts";

/** The dependencies that are the same for everybody whom the program serves. */
export interface Program extends Platform {
  version: string;
  /** At least 32 random bytes, which sign what a client carries between the rounds of a question. */
  stateKey: Uint8Array;
  instructions: string;
  /** Reads the text of `prompts/<name>.<lang>.md`. */
  prompt: PromptDeps["prompt"];
  timeOfDay: (atMs: number) => string;
  /** The page in the chat. The field is absent if the program has no such page. */
  chat?: ChatPages | undefined;
  /** Counts a call that has ended. */
  onCall?: (done: { tool: string; status: string; code?: string | undefined; seconds: number }) => void;
  /** Returns the call that the running code belongs to, if running calls are counted. */
  counted?: () => CountedCall | undefined;
}

/** A call that is counted while it runs. */
export interface CountedCall {
  /**
   * Marks the call as waiting for its person, or for answers from the network, until the returned function is called.
   */
  beginWait(): () => void;
  /** Ends the counting of the call and of its message. Only the first `free` has an effect. */
  free(): void;
}

/** The dependencies that belong to one person. */
interface Persons {
  live: LiveSettings;
  accounts: Accounts;
  session: Session;
  browser: PersonsBrowser;
  openBrowser: (url: string) => Promise<Opening>;
  /** Returns the codes of the notices that are true of the installation now. */
  notices: () => Promise<Warning[]>;
}

/** The dependencies that follow from the way in which the person reaches the server. */
interface Way {
  /** True if no session outlives this request, so that a mode that the user chooses is saved in the settings. */
  sessionless?: boolean;
  /** True if the client is `towow-mcp call`. See {@link CallingClient.isCommandLine}. */
  fromCommandLine?: true;
  /**
   * Returns {@link CallingClient.passesNoWord} for each call anew, because the person may change the setting meanwhile.
   */
  passesNoWord?: () => boolean;
  /**
   * Returns the texts of one language, for a server that a person reads directly. By default the texts are worded for
   * an AI.
   */
  textsOf?: ((lang: "zh" | "en") => Texts) | undefined;
  /** See {@link ToolContext.withdrawsAtEnd}. */
  withdrawsAtEnd?: boolean;
  /** See {@link ToolContext.askAtTerminal}. */
  askAtTerminal?: ToolContext["askAtTerminal"];
  /** See {@link ToolContext.keepSend}. */
  keepSend?: ToolContext["keepSend"];
  /**
   * How clients follow negotiations. With `session` they use `resources/subscribe` on this server, and with `listen`
   * the request of the 2026 era, which the transport serves. The field is absent if clients cannot follow negotiations.
   */
  resourceUpdates?: "session" | "listen";
}

/** All dependencies of a server. The server does no input or output of its own. */
export interface ServerDeps extends Program, Persons, Way {}

/** The page that puts the question in a client's chat (MCP Apps), beside the result that waits for the person. */
export interface ChatPages {
  /** Returns the page, one HTML file that loads nothing. */
  html: () => Promise<string>;
  /** Answers a call of the page. */
  answer(call: PageCall, about: ChatAbout): Promise<PageAnswer>;
}

/**
 * The subject of a ticket, which is the text of one demand, or one question whether something may be sent or stopped.
 */
export type TicketAbout = { demand: string } | { permission: Omit<AskedAtResult, "isOpen" | "open"> };

/** The services that a ticket opens, for the person whose key has signed it. */
export interface ChatAbout {
  ticketId: string;
  about: TicketAbout;
  account: Account;
  deps: Pick<ServerDeps, "live" | "accounts" | "session" | "browser" | keyof Platform>;
}
