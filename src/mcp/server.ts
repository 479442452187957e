import {
  createRequestStateCodec,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Question } from "../ask/questions.ts";
import { failureOf } from "../log.ts";
import { type ToolResult, textOf } from "../result/tool-result.ts";
import type { CallEvidence } from "../session/evidence.ts";
import { textsOf } from "../text/index.ts";
import type { ToolContext } from "../tools/define.ts";
import { TOOLS } from "../tools/index.ts";
import { loggedCall } from "../tools/logged-call.ts";
import { isListed } from "../tools/policy.ts";
import { endOfTask } from "../tools/task-result.ts";
import { AskingServer } from "./asking-server.ts";
import {
  capabilitiesOf,
  createContexts,
  MAX_QUESTIONS,
  type PendingState,
  QUESTION_KEY,
  questionsAsked,
} from "./call-context.ts";
import { type Ended, metaOf } from "./call-meta.ts";
import { serveCompletion } from "./completion.ts";
import { requestOf } from "./elicitation.ts";
import { LIST_PARAMS, onlyPage } from "./list-params.ts";
import { createMode } from "./mode-change.ts";
import { PageCompletion } from "./page-completion.ts";
import { servePrompts } from "./prompts.ts";
import { resourceLinks } from "./resource-links.ts";
import { createLibrary, type ResourceLibrary, serveResources } from "./resources.ts";
import type { ServerDeps } from "./server-deps.ts";
import { Subscriptions, serveSubscriptions } from "./subscriptions.ts";
import { followsTasks, serveTasks, TASKS_EXTENSION, taskCreated } from "./tasks.ts";
import { listing } from "./tool-entry.ts";

const STATE_LIFETIME_S = 24 * 3600;
/** The one failure of a call that is the protocol's own: there is no tool that it could come from. */
const UNKNOWN_TOOL = "tool.input.invalid.unknown_tool";

/** One MCP server for one session, for both protocol eras. */
export function buildServer(deps: ServerDeps): AskingServer {
  const { live, log, clock, session } = deps;
  const codec = createRequestStateCodec<PendingState>({ key: deps.stateKey, ttlSeconds: STATE_LIFETIME_S });
  const server = new AskingServer(
    { name: "towow-mcp", title: "Towow 通爻", version: deps.version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: deps.resourceUpdates !== undefined },
        prompts: {},
        completions: {},
        extensions: { [TASKS_EXTENSION]: {} },
      },
      instructions: deps.instructions,
      requestState: { verify: codec.verify },
      inputRequired: { maxRounds: MAX_QUESTIONS },
    },
    (error) => log.warn("question_failed", { error: failureOf(error) }),
  );

  const boundary = () => deps.newId().replaceAll(/[^A-Za-z0-9]/g, "0");

  const listChanged = () => {
    server.sendToolListChanged().catch((error) => log.debug("list_changed_unsent", { error: failureOf(error) }));
  };
  const { mode, setMode, stop: stopListening } = createMode(deps, listChanged);
  const account = () => deps.accounts.at(live.current().backend_url);
  const subscriptions = new Subscriptions({
    negotiations: () => account().negotiations,
    clock,
    log,
    updated(uri) {
      server.sendResourceUpdated({ uri }).catch((error) => log.debug("update_unsent", { error: failureOf(error) }));
    },
  });
  const { newId } = deps;
  const pages = new PageCompletion({ server, accounts: deps.accounts, approvals: session.approvals, newId, log });
  server.onclose = () => {
    pages.close();
    stopListening();
    subscriptions.close();
  };

  let library: ResourceLibrary;
  const contextOf = createContexts(deps, server, { mode, setMode, library: () => library });

  server.setRequestHandler("tools/list", { params: LIST_PARAMS }, (params, ctx) => {
    onlyPage(params);
    const settings = live.current();
    const { tools: titles } = textsOf(settings.lang);
    const listed = TOOLS.filter((tool) => isListed(tool, mode(), settings));
    // Claude Code follows tasks where a person sits before it, and not when it runs alone (`-p`).
    const hasPerson = followsTasks(capabilitiesOf(server, ctx));
    return { tools: listed.map((tool) => listing(tool, titles, settings, hasPerson)) };
  });

  const ended = (evidence: CallEvidence) => {
    session.evidence.add(evidence);
    const { tool, status, error_code: code, duration_ms } = evidence;
    deps.onCall?.({ tool, status, code: code ?? undefined, seconds: duration_ms / 1000 });
  };

  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const requestId = deps.newId();
    const context = contextOf(ctx, requestId);
    const { called, durationMs } = await loggedCall(params.name, params.arguments, context, { log, session, ended });
    if ("ask" in called) return question(called.ask, context, ctx);
    if ("task" in called) return taskCreated(called.task, context, session) as never;
    const { result, input = params.arguments } = called;
    if (result.error?.code === UNKNOWN_TOOL)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, textOf(result, boundary), { code: UNKNOWN_TOOL });
    return callResult(result, { tool: params.name, args: input, durationMs, context });
  });

  async function callResult(result: ToolResult, call: Omit<Ended, "result" | "version">) {
    return {
      content: [
        { type: "text" as const, text: textOf(result, boundary) },
        ...resourceLinks(result, server, live.current().lang),
      ],
      structuredContent: result as unknown as Record<string, unknown>,
      isError: result.status === "error",
      _meta: await metaOf({ ...call, result, version: deps.version }),
    };
  }

  const tasks = serveTasks(server, {
    session,
    capabilities: (ctx) => capabilitiesOf(server, ctx),
    contextOf: (ctx, origin) => contextOf(ctx, deps.newId(), origin),
    async status({ of: { id }, late }, context) {
      const result = await endOfTask(id, context, log, late);
      const args = { negotiation_id: id };
      return callResult(result, { tool: "towow_status", args, durationMs: context.elapsedMs(), context });
    },
    statusText: async ({ of: { id }, late }, context) => textOf(await endOfTask(id, context, log, late), boundary),
  });

  if (deps.resourceUpdates === "session") serveSubscriptions(server, subscriptions);
  const taskResult = tasks.resultOf;
  const settings = () => live.current();
  const { prompt, sessionless = false, textsOf: words = textsOf } = deps;
  const resources = {
    settings,
    account,
    mode,
    sessionless,
    prompt,
    session,
    log,
    newId,
    boundary,
    taskResult,
    now: clock.now,
    textsOf: words,
  };
  library = createLibrary(resources);
  serveResources(server, library, resources);
  serveCompletion(server, resources);
  servePrompts(server, { settings, prompt, log });

  async function question(ask: Question, { origin, surface: client }: ToolContext, ctx: ServerContext) {
    session.hostsNamed.add(origin);
    const isPage = "url" in ask;
    const pageId = isPage ? pages.idOf(ask.about, origin, ctx) : undefined;
    const request = requestOf(ask, pageId ?? (client.needsElicitationId ? newId() : undefined));
    const state: PendingState = {
      about: ask.about,
      surface: isPage ? "page" : "form",
      origin,
      asked_at: clock.now(),
      asked: questionsAsked(ctx) + 1,
    };
    return inputRequired({ inputRequests: { [QUESTION_KEY]: request }, requestState: await codec.mint(state) });
  }

  return server;
}
