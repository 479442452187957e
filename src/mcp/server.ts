import { createRequestStateCodec } from "@modelcontextprotocol/server";
import { failureOf } from "../log.ts";
import { PAGES_EXTENSION } from "../question/chat-wire.ts";
import { textOf } from "../result/tool-result.ts";
import { textsOf } from "../text/index.ts";
import { endOfTask } from "../tools/task-result.ts";
import { AskingServer } from "./asking-server.ts";
import { createContexts } from "./call-context.ts";
import { createCallResult } from "./call-result.ts";
import { capabilitiesOf, MAX_QUESTIONS, type PendingState, TASKS_EXTENSION } from "./calling-client.ts";
import { createChatPage } from "./chat-page.ts";
import { serveCompletion } from "./completion.ts";
import { createMode } from "./mode.ts";
import { PageCompletion } from "./page-completion.ts";
import { servePrompts } from "./prompts.ts";
import type { ResourceDeps } from "./resources/reading.ts";
import { createLibrary, serveResources } from "./resources.ts";
import type { ServerDeps } from "./server-deps.ts";
import { Subscriptions, serveSubscriptions } from "./subscriptions.ts";
import { serveTasks } from "./tasks.ts";
import { serveTools } from "./tools.ts";

const STATE_LIFETIME_S = 24 * 3600;

/** Builds an MCP server, for one session of the 2025 era or for requests of the 2026 era. */
export function buildServer(deps: ServerDeps): AskingServer {
  const { live, log, session } = deps;
  const codec = createRequestStateCodec<PendingState>({ key: deps.stateKey, ttlSeconds: STATE_LIFETIME_S });
  const server = new AskingServer(
    { name: "towow-mcp", title: "Towow 通爻", version: deps.version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: deps.resourceUpdates !== undefined, listChanged: true },
        prompts: {},
        completions: {},
        extensions: { [TASKS_EXTENSION]: {}, ...(deps.chat && { [PAGES_EXTENSION]: { elicitation: {} } }) },
      },
      instructions: deps.instructions,
      requestState: { verify: codec.verify },
      inputRequired: { maxRounds: MAX_QUESTIONS },
    },
    (error) => log.warn("question_failed", { error: failureOf(error) }),
    deps.counted,
  );

  const boundary = () => deps.newId().replaceAll(/[^A-Za-z0-9]/g, "0");

  const listChanged = () => {
    server.sendToolListChanged().catch((error) => log.debug("list_changed_unsent", { error: failureOf(error) }));
  };
  const { mode, setMode, stop: stopListening } = createMode(deps, listChanged);
  const account = () => deps.accounts.at(live.current().backend_url);
  const subscriptions = new Subscriptions(deps, {
    negotiations: () => account().negotiations,
    updated(uri) {
      server.sendResourceUpdated({ uri }).catch((error) => log.debug("update_unsent", { error: failureOf(error) }));
    },
  });
  const pages = new PageCompletion(server, deps);
  server.onclose = () => {
    pages.close();
    stopListening();
    subscriptions.close();
  };

  const settings = () => live.current();
  const resources: ResourceDeps = {
    ...deps,
    ...{ settings, account, mode, boundary },
    textsOf: deps.textsOf ?? textsOf,
    // A resource can be the result of a task, a task ends in a call, and a call can read resources. `tasks` is
    // therefore looked up only when a resource is read.
    taskResult: (taskId, ctx) => tasks.resultOf(taskId, ctx),
  };
  const library = createLibrary(resources);
  const contextOf = createContexts(deps, server, { mode, setMode, library });

  const callResult = createCallResult(server, deps, boundary);
  const mint = (state: PendingState) => codec.mint(state);
  const chatPage = deps.chat && createChatPage(deps, deps.chat);
  serveTools(server, { deps, mode, contextOf, callResult, chatPage, pages, mint, boundary });

  const tasks = serveTasks(server, {
    session,
    capabilities: (ctx) => capabilitiesOf(server, ctx),
    contextOf: (ctx, origin) => contextOf(ctx, deps.newId(), origin),
    async status({ of: { id }, answered }, context) {
      const result = await endOfTask(id, context, log, answered);
      const args = { negotiation_id: id };
      return callResult({ result, tool: "towow_status", args, durationMs: context.elapsedMs(), context });
    },
    statusText: async ({ of: { id }, answered }, context) =>
      textOf(await endOfTask(id, context, log, answered), boundary),
  });

  if (deps.resourceUpdates === "session") serveSubscriptions(server, subscriptions);
  serveResources(server, library, resources, deps.chat);
  serveCompletion(server, resources);
  servePrompts(server, { settings, prompt: deps.prompt, log });

  return server;
}
