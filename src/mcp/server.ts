import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { Approvals } from "../agent/approvals.ts";
import type { ApprovalPages, DecisionAnswer, FormAnswer, Pending, Question } from "../agent/human.ts";
import { type Ledger, ResultCache } from "../agent/session.ts";
import { textOf } from "../agent/tool-result.ts";
import type { BackendClient } from "../backend/client.ts";
import type { Clock } from "../clock.ts";
import type { LiveSettings } from "../config/live.ts";
import type { Log } from "../log.ts";
import type { Negotiations } from "../negotiation/service.ts";
import { textsOf } from "../text/index.ts";
import type { Mode, ToolContext } from "../tools/define.ts";
import { callTool, ModePinned, TOOLS } from "../tools/index.ts";
import { isListed } from "../tools/policy.ts";
import { listing } from "./listing.ts";

/** Everything that a server stands on; it does no input or output of its own. */
export interface ServerDeps {
  version: string;
  live: LiveSettings;
  backend: () => Promise<BackendClient>;
  userId: () => Promise<string>;
  negotiations: Negotiations;
  pages: ApprovalPages;
  openBrowser: (url: string) => Promise<boolean>;
  remember: ToolContext["remember"];
  ledger: Ledger;
  /** Codes that are true of the installation now. */
  notices: () => Promise<string[]>;
  clock: Clock;
  log: Log;
  newId: () => string;
  /** At least 32 random bytes: signs what a client carries between the rounds of a question. */
  stateKey: Uint8Array;
  instructions: string;
  /** The client is `towow-mcp call`: see {@link ToolContext.fromCommandLine}. */
  fromCommandLine?: true;
  guidingPrompt: (lang: "zh" | "en") => Promise<string>;
  timeOfDay: (atMs: number) => string;
}

/** What travels with a question: only which one it is (contract §6, "re-entry"). */
interface PendingState {
  about: Pending;
  surface: "form" | "page";
}

const STATE_LIFETIME_S = 24 * 3600;
const QUESTION_KEY = "decision";

/** One MCP server for one session, for both protocol eras. */
export function buildServer(deps: ServerDeps): Server {
  const { live, log, clock } = deps;
  const codec = createRequestStateCodec<PendingState>({ key: deps.stateKey, ttlSeconds: STATE_LIFETIME_S });
  const server = new Server(
    { name: "towow-mcp", title: "Towow 通爻", version: deps.version },
    {
      capabilities: { tools: { listChanged: true } },
      instructions: deps.instructions,
      requestState: { verify: codec.verify },
    },
  );

  const sessionId = deps.newId();
  const lastShown = new Map<string, string>();
  const approvals = new Approvals(clock, deps.newId);
  const cache = new ResultCache(clock, (text) => deps.negotiations.hash(text));
  const noticed = new Set<string>();
  const startedAt = clock.now();
  let lastProgress = 0;
  let sessionMode: Mode | undefined;
  let fileMode = live.current().mode;
  const mode = (): Mode => sessionMode ?? live.current().mode;

  const boundary = () => deps.newId().replaceAll(/[^A-Za-z0-9]/g, "0");

  const listChanged = () => {
    server.sendToolListChanged().catch((error) => log.debug("list_changed_unsent", { error: String(error) }));
  };
  const stopListening = live.onChange(() => {
    if (live.current().mode === fileMode) return;
    fileMode = live.current().mode;
    sessionMode = undefined; // an edit of the file is the newer word
    listChanged();
  });
  server.onclose = stopListening;

  async function setMode(wanted: Mode, persist: boolean): Promise<void> {
    const { sources } = live.current();
    if (sources.mode === "flag" || sources.mode === "environment")
      throw new ModePinned({ mode: mode(), where: sources.mode });
    const before = mode();
    if (persist) await live.save({ mode: wanted });
    sessionMode = wanted;
    fileMode = live.current().mode;
    if (wanted !== before) listChanged();
  }

  function contextOf(ctx: ServerContext): ToolContext {
    const settings = live.current();
    const texts = textsOf(settings.lang);
    const token = ctx.mcpReq._meta?.progressToken;
    const answer = answerOf(ctx);
    const capabilities = capabilitiesOf(server, ctx);
    return {
      settings,
      texts,
      mode: mode(),
      backend: deps.backend,
      userId: deps.userId,
      negotiations: deps.negotiations,
      remember: deps.remember,
      setMode,
      lastShown,
      ledger: deps.ledger,
      cache,
      async notices() {
        const fresh = (await deps.notices()).filter((code) => !noticed.has(code));
        for (const code of fresh) noticed.add(code);
        return fresh;
      },
      canAsk: asksForms(capabilities),
      canOpenPage: capabilities?.elicitation?.url !== undefined,
      fromCommandLine: deps.fromCommandLine === true,
      pages: deps.pages,
      openBrowser: deps.openBrowser,
      ...(answer?.about.kind === "formulation" && { decision: answer as DecisionAnswer }),
      ...(answer?.about.kind === "send" && { permission: answer }),
      approvals,
      progress(message) {
        if (token === undefined) return;
        lastProgress = Math.max(lastProgress + 1, clock.now() - startedAt); // rises across the rounds of one call
        ctx.mcpReq
          .notify({
            method: "notifications/progress",
            params: { progressToken: token, progress: lastProgress, message },
          })
          .catch((error) => log.debug("progress_unsent", { error: String(error) }));
      },
      signal: ctx.mcpReq.signal,
      guidingPrompt: () => deps.guidingPrompt(settings.lang),
      timeOfDay: deps.timeOfDay,
      now: clock.now,
    };
  }

  server.setRequestHandler("tools/list", ({ params }) => {
    if (params?.cursor !== undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor: this list has one page");
    const settings = live.current();
    const { tools: titles } = textsOf(settings.lang);
    const listed = TOOLS.filter((tool) => isListed(tool, mode(), settings));
    return { tools: listed.map((tool) => listing(tool, titles, settings.profile)) };
  });

  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const requestId = deps.newId();
    const from = clock.now();
    const called = await callTool(params.name, params.arguments, contextOf(ctx), log);
    const done = { session_id: sessionId, request_id: requestId, tool: params.name, duration_ms: clock.now() - from };
    if ("ask" in called) {
      log.info("agent_tool_done", { ...done, status: "asked" });
      return question(called.ask);
    }
    const { result } = called;
    log.info("agent_tool_done", {
      ...done,
      status: result.error === null ? "completed" : "error",
      error_code: result.error?.code,
      warnings_count: result.warnings.length,
    });
    return {
      content: [{ type: "text", text: textOf(result, boundary) }],
      structuredContent: result as unknown as Record<string, unknown>,
      isError: result.status === "error",
      _meta: { "towow/request_id": requestId, "towow/budget": deps.ledger.snapshot() },
    };
  });

  async function question(ask: Question) {
    const { about, message } = ask;
    const request =
      "url" in ask
        ? inputRequired.elicitUrl({ message, url: ask.url })
        : inputRequired.elicit({ mode: "form", message, requestedSchema: ask.schema as never });
    const surface = "url" in ask ? "page" : "form";
    return inputRequired({
      inputRequests: { [QUESTION_KEY]: request },
      requestState: await codec.mint({ about, surface }),
    });
  }

  return server;
}

/** The person's answer, when this is a later round of a call that asked. */
function answerOf(ctx: ServerContext): FormAnswer | undefined {
  const state = ctx.mcpReq.requestState<PendingState>();
  if (state === undefined) return undefined;
  const response = inputResponse(ctx.mcpReq.inputResponses, QUESTION_KEY);
  if (response.kind !== "elicit") return { ...state, action: "missing", content: undefined };
  return { ...state, action: response.action, content: response.content };
}

function capabilitiesOf(server: Server, ctx: ServerContext): ClientCapabilities | undefined {
  const envelope = ctx.mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
}

/** An empty `elicitation` means forms; one that names only `url` does not. */
function asksForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}
