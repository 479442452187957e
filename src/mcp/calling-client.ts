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
import { drawsForms, drawsPages, type PageTicket, type TICKET_META } from "../question/chat-wire.ts";
import type { Mode } from "../session/session.ts";
import type { Tool } from "../tools/define.ts";
import { toolNamed } from "../tools/index.ts";
import { isListed, mayRun } from "../tools/policy.ts";
import { QUESTION_LINK } from "./chat-page.ts";
import type { ServerDeps } from "./server-deps.ts";

const DECIDING = ["towow_demand", "towow_confirm"].map(toolNamed);
const ASKING = [...DECIDING, ...["towow_join", "towow_register_agent"].map(toolNamed)];
/**
 * The longest client name that is kept, in UTF-16 units, and the most names that a session keeps. A client may choose
 * any name, and a new name with each request.
 */
const MAX_NAME_LENGTH = 200;
const MAX_UNSEEN = 50;
const nameOf = ({ name }: Tool) => name;

interface Calling {
  settings: Settings;
  mode: Mode;
  /** True if there is an address that the person could open. */
  hasPages: boolean;
  /**
   * The answer that the client brings with this call. The field is undefined unless an earlier round of the call asked
   * the person.
   */
  answer: ClientAnswer | undefined;
}

/** Returns what the client of a call can do for its person, as far as the client declares or has shown it. */
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
  const capabilities = capabilitiesOf(server, ctx);
  const elicitation = capabilities?.elicitation;
  const decidingTools = once(() => decidingToolsIn(mode, settings));
  return {
    declaresElicitation: elicitation !== undefined,
    showsForms: showsForms(elicitation),
    canOpenPage: hasPages && elicitation?.url !== undefined && opensPages,
    surface,
    mayAskMore: questionsAsked(ctx) < MAX_QUESTIONS,
    drawsPages: chat !== undefined && drawsPages(capabilities),
    drawsForms:
      chat !== undefined &&
      drawsForms(capabilities) &&
      showsForms(elicitation) &&
      !session.pagesUnseen.has(name) &&
      askingToolsIn(mode, settings).length > 0,
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

/** Returns the names of the tools that take a decision and may be called in this mode. */
const decidingToolsIn = (mode: Mode, settings: Settings): string[] => runnable(DECIDING, mode, settings);

/** Returns the names of the tools that take a decision or send a profile. A client draws the page at their results. */
export const askingToolsIn = (mode: Mode, settings: Settings): string[] => runnable(ASKING, mode, settings);

const runnable = (tools: readonly Tool[], mode: Mode, settings: Settings): string[] =>
  tools.filter((tool) => isListed(tool, mode, settings) && mayRun(tool, settings)).map(nameOf);

/** Returns the capabilities that the request declares, or else those of the session. */
export function capabilitiesOf(server: Server, ctx: ServerContext): ClientCapabilities | undefined {
  return declaredWith(ctx) ?? server.getClientCapabilities();
}

/**
 * Returns the capabilities that the request itself declares, as it does in the 2026 era. The capabilities of a 2025-era
 * session do not count for tasks, because its client would take a task for an empty result.
 */
function declaredWith(ctx: ServerContext): ClientCapabilities | undefined {
  const envelope = ctx.mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY];
}

/** Returns the client that the request names, or else the client of the session. */
function clientOf(server: Server, ctx: ServerContext): { name: string; version: string } | undefined {
  const envelope = ctx.mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: { name: string; version: string } } | undefined;
  return envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
}

/**
 * Returns whether the client shows forms. An empty `elicitation` means forms, but an `elicitation` with `url` alone
 * does not.
 */
const showsForms = (elicitation: ClientCapabilities["elicitation"]): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

/** The extension of the 2026 era for background tasks. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Returns whether the client of this request follows background tasks. */
export const followsTasks = (capabilities: ClientCapabilities | undefined): boolean =>
  capabilities?.extensions?.[TASKS_EXTENSION] !== undefined;

/**
 * The form of a question for which the client draws the page. The form has no field, because the page decides with its
 * ticket and the content of such a form does not count.
 */
const EMPTY_FORM = { type: "object", properties: {} };

/**
 * Builds a question as it goes to a client. The question is a form, a page that the client opens, or the page that the
 * client draws with this ticket.
 */
export function requestOf(
  question: Question,
  elicitationId: string | undefined,
  ticket: { [TICKET_META]?: PageTicket } = {},
) {
  const { message } = question;
  if ("url" in question)
    return inputRequired.elicitUrl({
      message,
      url: question.url,
      ...(elicitationId !== undefined && { elicitationId }),
    });
  if ("schema" in question)
    return inputRequired.elicit({ mode: "form", message, requestedSchema: question.schema as never });
  const _meta = { ...QUESTION_LINK, ...ticket };
  return inputRequired.elicit({ mode: "form", message, requestedSchema: EMPTY_FORM as never, _meta });
}

/**
 * The state that travels with a question. The state says which question was asked, how, and at which backend, and
 * nothing about the answer (contract §6, "re-entry").
 */
export interface PendingState {
  origin?: string;
  about: Pending;
  surface: "form" | "page";
  /**
   * True if the client drew the page. The field is absent if an older program asked, in which case the page counts as
   * opened.
   */
  isDrawn?: boolean;
  /** When the question went out, in ms since the epoch. The field is absent if an older program asked. */
  asked_at?: number;
  /** How many questions this call has asked, this one included. The field is absent if an older program asked. */
  asked?: number;
  /** How many progress notifications this call has sent. The field is absent if an older program asked. */
  told?: number;
}

/**
 * The most questions that one call asks. The SDK's client gives up a call after ten rounds, with an error that does not
 * say what to do next.
 */
export const MAX_QUESTIONS = 9;

/** The key of the one question that a call asks in a round. */
export const QUESTION_KEY = "decision";

/** Returns how many questions this call has asked so far. */
export const questionsAsked = (ctx: ServerContext): number => ctx.mcpReq.requestState<PendingState>()?.asked ?? 0;

/** Returns how many progress notifications earlier rounds of this call have sent, so that the numbers go on rising. */
export const progressSent = (ctx: ServerContext): number => ctx.mcpReq.requestState<PendingState>()?.told ?? 0;

/** Returns the person's answer if this is a later round of a call that asked. `now` is in ms since the epoch. */
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
