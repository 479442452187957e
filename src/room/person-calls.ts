import { UNKNOWN_CLIENT } from "../ask/client-surfaces.ts";
import type { CallingClient } from "../ask/context.ts";
import type { ClientAnswer, PageAddresses, SendRequest } from "../ask/questions.ts";
import { stopwatch } from "../clock.ts";
import type { Account } from "../mcp/account.ts";
import type { ServerDeps } from "../mcp/server-deps.ts";
import { textsForRoom } from "../text/for-room.ts";
import type { Library, ToolContext } from "../tools/define.ts";
import { toolNamed } from "../tools/index.ts";
import { loggedCall } from "../tools/logged-call.ts";
import { UnknownAddress } from "../tools/towow_docs_read.ts";
import { RoomToolFailed } from "./errors.ts";
import type { Lang } from "./person.ts";

/** What a person's services stand on: those of any other client of this user. */
export type PersonDeps = Pick<
  ServerDeps,
  "live" | "accounts" | "session" | "clock" | "log" | "newId" | "timeOfDay" | "prompt" | "notices"
> & { hash: (text: string) => string };

/** A room never closes a call that the person has begun. */
const NEVER = new AbortController().signal;
/** The page that is open. */
const HERE: PageAddresses = { forClient: "", forResult: "" };

/**
 * Calls a tool's own handler with the person as the one who acts: the same checks, the same gate and the same record as
 * for every other client. The room is this call's page: what a tool asks before it sends is what the person has before
 * them and has just agreed to by its button.
 * @throws RoomToolFailed with the sentence of the tool's error
 */
export async function callAsPerson<T>(
  name: string,
  args: Record<string, unknown>,
  account: Account,
  deps: PersonDeps,
  lang: Lang,
): Promise<T> {
  let asked: SendRequest | undefined;
  const first = contextOf(account, { ...deps, lang }, async (request) => {
    asked = request;
    return HERE;
  });
  let { called: outcome } = await loggedCall(name, args, first, deps);
  if ("ask" in outcome && outcome.ask.about.kind === "send" && asked !== undefined) {
    await asked.decide("accept");
    const permission: ClientAnswer = {
      about: outcome.ask.about,
      surface: "page",
      action: "accept",
      content: undefined,
    };
    ({ called: outcome } = await loggedCall(name, args, { ...first, permission }, deps));
  }
  if (!("result" in outcome)) throw new RoomToolFailed("unanswered", "");
  const { error, data, summary } = outcome.result;
  if (error !== null) throw new RoomToolFailed(error.code, summary);
  return data as T;
}

/** What is listed for a model narrows nobody in their own room; what may be sent, the profile, binds them all the same. */
const ALL_LISTED = { toolset: undefined, allow_tools: undefined, exclude_tools: undefined };

/** A person in the room has the page before them. */
const PERSON: CallingClient = {
  declaresElicitation: true,
  canAsk: false,
  canOpenPage: true,
  surface: UNKNOWN_CLIENT,
  mayAskMore: true,
  mayRunInBackground: false,
  decidingTools: ["towow_demand"],
  isCommandLine: false,
  startsServer: false,
  pageUnseen: () => {},
};

function contextOf(
  account: Account,
  { live, session, clock, newId, notices, prompt, timeOfDay, lang }: PersonDeps & { lang: Lang },
  openSend: (request: SendRequest) => Promise<PageAddresses>,
): ToolContext {
  const settings = { ...live.current(), lang };
  const requestId = newId();
  return {
    settings: { ...settings, ...ALL_LISTED },
    texts: textsForRoom(lang),
    mode: "developer",
    requestId,
    origin: account.origin,
    provider: account.provider,
    backend: () => account.backend(requestId),
    userId: account.userId,
    negotiations: account.negotiations.forCall({ requestId, signal: NEVER, budgetMs: settings.wait_budget_s * 1000 }),
    remember: account.remember,
    setMode: async () => {},
    transport: "room",
    // No model reads what the room shows its person.
    session: { ...session, isOwned: false, taint: { isTainted: async () => false, mark: async () => {} } },
    notices,
    client: PERSON,
    isHostNamed: true,
    withdrawsAtEnd: false,
    pages: { openSend, open: async () => HERE },
    browser: "elsewhere",
    openBrowser: async () => false,
    concerns: () => {},
    subject: () => undefined,
    progress: () => {},
    signal: NEVER,
    prompt: (name) => prompt(name, lang),
    library: NOTHING_TO_READ,
    toolNamed,
    timeOfDay,
    elapsedMs: stopwatch(clock),
    now: clock.now,
    monotonic: clock.monotonic,
  };
}

/** The room shows everything itself. */
const NOTHING_TO_READ: Library = {
  list: () => ({ resources: [], templates: [] }),
  async read(uri) {
    throw new UnknownAddress({ uri });
  },
};
