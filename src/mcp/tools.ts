import { inputRequired, ProtocolError, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import type { Question } from "../ask/questions.ts";
import { drawsPages, PAGE_TOOL, type PageTicket } from "../question/chat-wire.ts";
import { textOf } from "../result/tool-result.ts";
import type { LoggedCall } from "../session/recent-calls.ts";
import type { Mode } from "../session/session.ts";
import { textsOf } from "../text/index.ts";
import { loggedCall } from "../tools/call.ts";
import type { ToolContext } from "../tools/define.ts";
import { TOOLS } from "../tools/index.ts";
import { isListed } from "../tools/policy.ts";
import type { AskingServer } from "./asking-server.ts";
import type { Contexts } from "./call-context.ts";
import type { createCallResult } from "./call-result.ts";
import {
  askingToolsIn,
  capabilitiesOf,
  followsTasks,
  type PendingState,
  QUESTION_KEY,
  questionsAsked,
  requestOf,
} from "./calling-client.ts";
import { type createChatPage, pageTool, QUESTION_LINK } from "./chat-page.ts";
import { LIST_PARAMS, onlyPage } from "./list-params.ts";
import type { PageCompletion } from "./page-completion.ts";
import type { ServerDeps } from "./server-deps.ts";
import { taskCreated } from "./tasks.ts";
import { listing } from "./tool-entry.ts";

/** The only failure of a call that becomes a protocol error, because no tool exists that could report the failure. */
const UNKNOWN_TOOL = "tool.input.invalid.unknown_tool";

export interface ToolsOptions {
  deps: ServerDeps;
  mode: () => Mode;
  contextOf: Contexts;
  callResult: ReturnType<typeof createCallResult>;
  /** The page in the chat. The field is absent if the program has no such page. */
  chatPage: ReturnType<typeof createChatPage> | undefined;
  /** Notifies clients when a question on a page has been decided. */
  pages: PageCompletion;
  /** Signs the state that a client brings back with the answer to a question. */
  mint: (state: PendingState) => Promise<string>;
  boundary: () => string;
}

/** Serves the list of tools and their calls. A call ends with a result, a question or a background task. */
export function serveTools(server: AskingServer, options: ToolsOptions): void {
  const { deps, mode, contextOf, callResult, chatPage, boundary } = options;
  const { live, log, session } = deps;

  server.setRequestHandler("tools/list", { params: LIST_PARAMS }, (params, ctx) => {
    onlyPage(params);
    const settings = live.current();
    const { tools: titles } = textsOf(settings.lang);
    const listed = TOOLS.filter((tool) => isListed(tool, mode(), settings));
    // Claude Code follows tasks if a person uses it, but not if it runs without a person (`-p`).
    const hasPerson = followsTasks(capabilitiesOf(server, ctx));
    const asking = pageToolsFor(ctx);
    const entries = listed.map((tool) => {
      const entry = listing(tool, titles, settings, hasPerson);
      return asking.includes(tool.name) ? { ...entry, _meta: { ...entry._meta, ...QUESTION_LINK } } : entry;
    });
    return { tools: asking.length > 0 ? [...entries, pageTool(titles.towow_page)] : entries };
  });

  /**
   * Returns the tools for which this client draws the page at the result. If there are any, the page's own tool is
   * listed too.
   */
  const pageToolsFor = (ctx: ServerContext): string[] =>
    chatPage !== undefined && drawsPages(capabilitiesOf(server, ctx)) ? askingToolsIn(mode(), live.current()) : [];

  const ended = (call: LoggedCall) => {
    session.recentCalls.add(call);
    const { tool, status, error_code: code, duration_ms } = call;
    deps.onCall?.({ tool, status, code: code ?? undefined, seconds: duration_ms / 1000 });
  };

  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const asking = pageToolsFor(ctx);
    if (params.name === PAGE_TOOL && chatPage !== undefined && asking.length > 0)
      return chatPage.call(params.arguments, ctx);
    const context = contextOf(ctx, deps.newId());
    const { called, durationMs } = await loggedCall(params.name, params.arguments, context, { log, session, ended });
    const told = await context.endProgress();
    if ("ask" in called) {
      const of = { origin: context.origin, asked: context.askedAtResult() };
      const ticket = "isDrawn" in called.ask ? await chatPage?.ticketOf(called.ask.about, of) : undefined;
      return question(called.ask, context, { told, ticket }, ctx, options);
    }
    if ("task" in called) return taskCreated(called.task, context, session) as never;
    const { result, input = params.arguments } = called;
    if (result.error?.code === UNKNOWN_TOOL)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, textOf(result, boundary), { code: UNKNOWN_TOOL });
    const answer = await callResult({ result, tool: params.name, args: input, durationMs, context });
    if (chatPage === undefined || !asking.includes(params.name)) return answer;
    const of = { origin: context.origin, asked: context.askedAtResult() };
    return {
      ...answer,
      _meta: { ...answer._meta, ...(await chatPage.ticketFor(params.name, result, of)) },
    };
  });
}

/**
 * Builds the answer that asks the client's person a question. The client brings the person's answer with a second call.
 * That call's signed state says what was asked.
 */
async function question(
  ask: Question,
  { origin, client: { surface } }: ToolContext,
  { told, ticket }: { told: number; ticket: Record<string, PageTicket> | undefined },
  ctx: ServerContext,
  { deps: { session, clock, newId }, pages, mint }: ToolsOptions,
) {
  session.hostsNamed.add(origin);
  const pageId = "url" in ask ? pages.idOf(ask.about, origin, ctx) : undefined;
  const request = requestOf(ask, pageId ?? (surface.needsElicitationId ? newId() : undefined), ticket);
  const requestState = await mint({
    about: ask.about,
    surface: "schema" in ask ? "form" : "page",
    isDrawn: "isDrawn" in ask,
    origin,
    asked_at: clock.now(),
    asked: questionsAsked(ctx) + 1,
    told,
  });
  return inputRequired({ inputRequests: { [QUESTION_KEY]: request }, requestState });
}
