import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { DecisionAnswer, FormAnswer, Pending, Question } from "../ask/questions.ts";
import { type Clock, stopwatch } from "../clock.ts";
import type { LiveSettings } from "../home/live-settings.ts";
import type { Settings } from "../home/settings.ts";
import { failureOf, type Log } from "../log.ts";
import { textOf } from "../result/tool-result.ts";
import type { CallEvidence } from "../session/evidence.ts";
import type { Mode, Session } from "../session/session.ts";
import { textsOf } from "../text/index.ts";
import type { ToolContext } from "../tools/define.ts";
import { callTool, knownName, ModePinned, TOOLS } from "../tools/index.ts";
import { isListed } from "../tools/policy.ts";
import type { Accounts } from "./account.ts";
import { AskingServer } from "./asking-server.ts";
import { listing, onlyPage } from "./listing.ts";
import { type PromptDeps, servePrompts } from "./prompts.ts";
import { resourceLinks } from "./resource-links.ts";
import { serveResources } from "./resources.ts";
import { Subscriptions, serveSubscriptions } from "./subscriptions.ts";

/** Everything that a server stands on; it does no input or output of its own. */
export interface ServerDeps {
  version: string;
  live: LiveSettings;
  accounts: Accounts;
  openBrowser: (url: string) => Promise<boolean>;
  session: Session;
  /** True where `session` is all that there is of a user: what is chosen for it is chosen for the user. */
  sessionless?: boolean;
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
  /** The text of `prompts/<name>.<lang>.md`. */
  prompt: PromptDeps["prompt"];
  timeOfDay: (atMs: number) => string;
  /**
   * How clients follow negotiations: by `resources/subscribe` on this server, or by the 2026 era's `listen`, which the
   * endpoint serves for it. Absent where neither can be.
   */
  resourceUpdates?: "session" | "listen";
  /** Told of each call that ended, for counting. */
  onCall?: (done: { tool: string; status: string; code?: string | undefined; seconds: number }) => void;
}

/** What travels with a question: only which one it is, and of which backend (contract §6, "re-entry"). */
interface PendingState {
  origin?: string;
  about: Pending;
  surface: "form" | "page";
}

const STATE_LIFETIME_S = 24 * 3600;
const QUESTION_KEY = "decision";
/** Of a tool's name in the log: a client may call anything. */
const MAX_NAME_LENGTH = 80;

/** One MCP server for one session, for both protocol eras. */
export function buildServer(deps: ServerDeps): Server {
  const { live, log, clock, session } = deps;
  const codec = createRequestStateCodec<PendingState>({ key: deps.stateKey, ttlSeconds: STATE_LIFETIME_S });
  const server = new AskingServer(
    { name: "towow-mcp", title: "Towow 通爻", version: deps.version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: deps.resourceUpdates !== undefined },
        prompts: {},
      },
      instructions: deps.instructions,
      requestState: { verify: codec.verify },
    },
    (error) => log.warn("question_failed", { error: failureOf(error) }),
  );

  const startedAt = clock.monotonic();
  let lastProgress = 0;
  let fileMode = live.current().mode;
  const mode = (): Mode => session.mode ?? live.current().mode;

  const boundary = () => deps.newId().replaceAll(/[^A-Za-z0-9]/g, "0");

  const listChanged = () => {
    server.sendToolListChanged().catch((error) => log.debug("list_changed_unsent", { error: failureOf(error) }));
  };
  const stopListening = live.onChange(() => {
    if (live.current().mode === fileMode) return;
    fileMode = live.current().mode;
    session.mode = undefined; // an edit of the file is the newer word
    listChanged();
  });
  const account = () => deps.accounts.at(live.current().backend_url);
  const subscriptions = new Subscriptions({
    negotiations: () => account().negotiations,
    clock,
    log,
    updated(uri) {
      server.sendResourceUpdated({ uri }).catch((error) => log.debug("update_unsent", { error: failureOf(error) }));
    },
  });
  server.onclose = () => {
    stopListening();
    subscriptions.close();
  };

  async function setMode(wanted: Mode, persist: boolean): Promise<void> {
    const { sources } = live.current();
    if (sources.mode === "flag" || sources.mode === "environment")
      throw new ModePinned({ mode: mode(), where: sources.mode });
    const before = mode();
    if (persist || deps.sessionless) await live.save({ mode: wanted });
    session.mode = deps.sessionless ? undefined : wanted;
    fileMode = live.current().mode;
    if (wanted !== before) listChanged();
  }

  function contextOf(ctx: ServerContext, requestId: string): ToolContext {
    const settings = withinTimeout(live.current(), ctx);
    const texts = textsOf(settings.lang);
    const token = ctx.mcpReq._meta?.progressToken;
    const answer = answerOf(ctx);
    const elapsedMs = stopwatch(clock);
    let subject = answer?.about.kind === "formulation" ? answer.about.negotiation_id : undefined;
    // An answer is for the backend that the person was asked about.
    const here = answer?.origin === undefined ? account() : deps.accounts.of(answer.origin);
    const { pages } = here;
    const negotiations = here.negotiations.forCall({ requestId, signal: ctx.mcpReq.signal });
    const capabilities = capabilitiesOf(server, ctx);
    return {
      settings,
      texts,
      mode: mode(),
      requestId,
      origin: here.origin,
      backend: () => here.backend(requestId),
      userId: here.userId,
      negotiations,
      remember: here.remember,
      setMode,
      shown: session.shown,
      ledger: session.ledger,
      cache: session.cache,
      async notices() {
        const noticed = (code: string) => `${here.origin} ${code}`;
        const fresh = (await deps.notices()).filter((code) => !session.noticed.has(noticed(code)));
        for (const code of fresh) session.noticed.add(noticed(code));
        return fresh;
      },
      canAsk: asksForms(capabilities),
      canOpenPage: pages !== undefined && capabilities?.elicitation?.url !== undefined,
      fromCommandLine: deps.fromCommandLine === true,
      pages,
      openBrowser: deps.openBrowser,
      ...(answer?.about.kind === "formulation" && { decision: answer as DecisionAnswer }),
      ...(answer?.about.kind === "send" && { permission: answer }),
      approvals: session.approvals,
      concerns(negotiationId) {
        subject = negotiationId;
      },
      subject: () => subject,
      progress(message) {
        if (token === undefined) return;
        lastProgress = Math.max(lastProgress + 1, clock.monotonic() - startedAt); // rises across the rounds of one call
        ctx.mcpReq
          .notify({
            method: "notifications/progress",
            params: { progressToken: token, progress: lastProgress, message },
          })
          .catch((error) => log.debug("progress_unsent", { error: failureOf(error) }));
      },
      signal: ctx.mcpReq.signal,
      guidingPrompt: () => deps.prompt("guiding", settings.lang),
      timeOfDay: deps.timeOfDay,
      elapsedMs,
      now: clock.now,
    };
  }

  server.setRequestHandler("tools/list", ({ params }) => {
    onlyPage(params);
    const settings = live.current();
    const { tools: titles } = textsOf(settings.lang);
    const listed = TOOLS.filter((tool) => isListed(tool, mode(), settings));
    return { tools: listed.map((tool) => listing(tool, titles, settings.profile)) };
  });

  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const requestId = deps.newId();
    const from = clock.monotonic();
    const context = contextOf(ctx, requestId);
    const called = await callTool(params.name, params.arguments, context, log);
    const result = "ask" in called ? undefined : called.result;
    const at = clock.now();
    done({
      at,
      tool: params.name.slice(0, MAX_NAME_LENGTH),
      status: result === undefined ? "asked" : result.error === null ? "completed" : "error",
      duration_ms: clock.monotonic() - from,
      error_code: result?.error?.code ?? null,
      request_id: requestId,
      warnings_count: result?.warnings.length ?? 0,
    });
    if ("ask" in called) return question(called.ask, context.origin);
    const { result: toolResult } = called;
    return {
      content: [
        { type: "text", text: textOf(toolResult, boundary) },
        ...resourceLinks(toolResult, server, live.current().lang),
      ],
      structuredContent: toolResult as unknown as Record<string, unknown>,
      isError: toolResult.status === "error",
      _meta: { "towow/request_id": requestId, "towow/budget": await session.ledger.snapshot() },
    };
  });

  /** The log and the session's own evidence hold no arguments and no contents (agent layer §9). */
  function done({ at, ...call }: CallEvidence) {
    session.evidence.add({ at, ...call });
    log.info("agent_tool_done", { session_id: session.id, ...call, tool: knownName(call.tool) });
    const { tool, status, error_code, duration_ms } = call;
    deps.onCall?.({ tool, status, code: error_code ?? undefined, seconds: duration_ms / 1000 });
  }

  const { newId } = deps;
  if (deps.resourceUpdates === "session") serveSubscriptions(server, subscriptions);
  serveResources(server, { settings: () => live.current(), account, session, log, newId, boundary });
  servePrompts(server, { settings: () => live.current(), prompt: deps.prompt, log });

  async function question(ask: Question, origin: string) {
    const { about, message } = ask;
    const request =
      "url" in ask
        ? inputRequired.elicitUrl({ message, url: ask.url })
        : inputRequired.elicit({ mode: "form", message, requestedSchema: ask.schema as never });
    const surface = "url" in ask ? "page" : "form";
    return inputRequired({
      inputRequests: { [QUESTION_KEY]: request },
      requestState: await codec.mint({ about, surface, origin }),
    });
  }

  return server;
}

/** Over HTTP a caller may bound the time of one request: a wait then ends a second before it, with a normal result. */
function withinTimeout(settings: Settings, ctx: ServerContext): Settings {
  const ms = Number(ctx.http?.req?.headers.get("x-request-timeout-ms") ?? Number.NaN);
  if (!(ms > 0)) return settings;
  return { ...settings, wait_budget_s: Math.min(settings.wait_budget_s, Math.max(0, ms / 1000 - 1)) };
}

/** The person's answer, when this is a later round of a call that asked. */
function answerOf(ctx: ServerContext): (FormAnswer & Pick<PendingState, "origin">) | undefined {
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
