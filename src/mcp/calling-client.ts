import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { startsServerEachCall, surfaceOf } from "../ask/client-forms.ts";
import type { CallingClient } from "../ask/context.ts";
import { type ClientAnswer, isPersons, type Pending, type Question } from "../ask/questions.ts";
import type { Settings } from "../home/settings.ts";
import { once } from "../once.ts";
import { drawsPages } from "../question/chat-wire.ts";
import type { Mode } from "../session/session.ts";
import type { Tool } from "../tools/define.ts";
import { toolNamed } from "../tools/index.ts";
import { isListed, mayRun } from "../tools/policy.ts";
import type { ServerDeps } from "./server-deps.ts";

const DECIDING = ["towow_demand", "towow_confirm"].map(toolNamed);
const ASKING = [...DECIDING, ...["towow_join", "towow_register_agent"].map(toolNamed)];
/** A client calls itself as it likes, and may call itself anew with each request. UTF-16 units, and names. */
const MAX_NAME_LENGTH = 200;
const MAX_UNSEEN = 50;
const nameOf = ({ name }: Tool) => name;

interface Calling {
  settings: Settings;
  mode: Mode;
  /** Whether there is an address that the person could open. */
  hasPages: boolean;
  /** What the client brings with this call, where it is a later round of one that asked. */
  answer: ClientAnswer | undefined;
}

/** What the client of a call can do for its person, as it declares and as it was seen to do. */
export function callingClient(
  ctx: ServerContext,
  server: Server,
  {
    session,
    fromCommandLine,
    passesNoWord,
    chat,
  }: Pick<ServerDeps, "session" | "fromCommandLine" | "passesNoWord" | "chat">,
  { settings, mode, hasPages, answer }: Calling,
): CallingClient {
  const isCommandLine = fromCommandLine === true;
  const client = clientOf(server, ctx);
  const name = `${client?.name} ${client?.version}`.slice(0, MAX_NAME_LENGTH);
  const surface = surfaceOf(client);
  const pageUnseen = () => {
    const [oldest] = session.pagesUnseen;
    if (session.pagesUnseen.size >= MAX_UNSEEN && oldest !== undefined) session.pagesUnseen.delete(oldest);
    session.pagesUnseen.add(name);
  };
  if (answer?.action === "unseen" && answer.surface === "page") pageUnseen();
  const opensPages = surface.pages === "opened" && !session.pagesUnseen.has(name);
  const elicitation = capabilitiesOf(server, ctx)?.elicitation;
  const decidingTools = once(() => decidingToolsIn(mode, settings));
  return {
    declaresElicitation: elicitation !== undefined,
    showsForms: showsForms(elicitation),
    canOpenPage: hasPages && elicitation?.url !== undefined && opensPages,
    surface,
    mayAskMore: questionsAsked(ctx) < MAX_QUESTIONS,
    drawsPages: chat !== undefined && drawsPages(capabilitiesOf(server, ctx)),
    mayRunInBackground: followsTasks(declaredWith(ctx)) && !isCommandLine,
    get decidingTools() {
      return decidingTools();
    },
    isCommandLine,
    passesNoWord: passesNoWord?.() ?? false,
    startsServer: !isCommandLine && ctx.http === undefined,
    lifetime: isCommandLine ? "command" : ctx.http === undefined && startsServerEachCall(client) ? "call" : "session",
    pageUnseen,
  };
}

/** The tools that take a decision, as far as they may be called in this mode. */
const decidingToolsIn = (mode: Mode, settings: Settings): string[] => runnable(DECIDING, mode, settings);

/** The tools at whose results a client draws the page: those, and what sends a profile. */
export const askingToolsIn = (mode: Mode, settings: Settings): string[] => runnable(ASKING, mode, settings);

const runnable = (tools: readonly Tool[], mode: Mode, settings: Settings): string[] =>
  tools.filter((tool) => isListed(tool, mode, settings) && mayRun(tool, settings)).map(nameOf);

/** As the request declares them, else as the session did. */
export function capabilitiesOf(server: Server, ctx: ServerContext): ClientCapabilities | undefined {
  return declaredWith(ctx) ?? server.getClientCapabilities();
}

/**
 * What the request itself declares, as it does in the 2026 era. A session of the 2025 era has no task as an answer to a
 * call: its client would read an empty result.
 */
function declaredWith(ctx: ServerContext): ClientCapabilities | undefined {
  const envelope = ctx.mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY];
}

/** As the request names its client, else as the session did. */
function clientOf(server: Server, ctx: ServerContext): { name: string; version: string } | undefined {
  const envelope = ctx.mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: { name: string; version: string } } | undefined;
  return envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
}

/** An empty `elicitation` means forms; one that names only `url` does not. */
const showsForms = (elicitation: ClientCapabilities["elicitation"]): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

/** Background tasks, as the extension of the 2026 era has them. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Whether the client of this request follows background tasks. */
export const followsTasks = (capabilities: ClientCapabilities | undefined): boolean =>
  capabilities?.extensions?.[TASKS_EXTENSION] !== undefined;

/** A question as it goes to a client: a form, or a page that it opens. */
export function requestOf(question: Question, elicitationId: string | undefined) {
  const { message } = question;
  if (!("url" in question))
    return inputRequired.elicit({ mode: "form", message, requestedSchema: question.schema as never });
  return inputRequired.elicitUrl({ message, url: question.url, ...(elicitationId !== undefined && { elicitationId }) });
}

/** What travels with a question: only which one it is, and of which backend (contract §6, "re-entry"). */
export interface PendingState {
  origin?: string;
  about: Pending;
  surface: "form" | "page";
  /** When it went out, ms since the epoch; absent in what an older program asked. */
  asked_at?: number;
  /** How many questions this call has asked, this one included; absent as above. */
  asked?: number;
  /** How much this call has said of how far it is; absent as above. */
  told?: number;
}

/** What one call asks at most: the SDK's client gives a call up after ten rounds, and says so in words of its own. */
export const MAX_QUESTIONS = 9;

/** The key of the one question that a call asks. */
export const QUESTION_KEY = "decision";

/** How many questions this call has asked so far. */
export const questionsAsked = (ctx: ServerContext): number => ctx.mcpReq.requestState<PendingState>()?.asked ?? 0;

/** How many times this call has said so far how far it is: the number that goes with it rises across its rounds. */
export const progressSent = (ctx: ServerContext): number => ctx.mcpReq.requestState<PendingState>()?.told ?? 0;

/** The person's answer, when this is a later round of a call that asked. `now`: milliseconds since the epoch. */
export function answerOf(ctx: ServerContext, now: number): (ClientAnswer & Pick<PendingState, "origin">) | undefined {
  const state = ctx.mcpReq.requestState<PendingState>();
  if (state === undefined) return undefined;
  const { asked_at: askedAt, ...asked } = state;
  const response = inputResponse(ctx.mcpReq.inputResponses, QUESTION_KEY);
  if (response.kind !== "elicit") return { ...asked, action: "missing", content: undefined };
  const { action, content } = response;
  const afterMs = askedAt === undefined ? undefined : now - askedAt;
  return { ...asked, action: isPersons(action, afterMs) ? action : "unseen", content, afterMs };
}
