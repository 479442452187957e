import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  inputResponse,
  ProtocolError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { surfaceOf } from "../ask/client-surfaces.ts";
import { type ClientAnswer, type DecisionAnswer, isPersons, type Pending } from "../ask/questions.ts";
import { stopwatch } from "../clock.ts";
import { SANDBOX } from "../home/origin.ts";
import type { Settings } from "../home/settings.ts";
import { failureOf } from "../log.ts";
import type { Mode } from "../session/session.ts";
import { textsOf } from "../text/index.ts";
import type { Library, Tool, ToolContext } from "../tools/define.ts";
import { toolNamed } from "../tools/index.ts";
import { isListed, mayRun } from "../tools/policy.ts";
import { UnknownAddress } from "../tools/towow_docs_read.ts";
import type { ResourceLibrary } from "./resources.ts";
import type { ServerDeps } from "./server-deps.ts";
import { followsTasks } from "./tasks.ts";

/** What travels with a question: only which one it is, and of which backend (contract §6, "re-entry"). */
export interface PendingState {
  origin?: string;
  about: Pending;
  surface: "form" | "page";
  /** When it went out, ms since the epoch; absent in what an older program asked. */
  asked_at?: number;
  /** How many questions this call has asked, this one included; absent as above. */
  asked?: number;
}

/** What one call asks at most: the SDK's client gives a call up after ten rounds, and says so in words of its own. */
export const MAX_QUESTIONS = 9;

const DECIDING = ["towow_demand", "towow_confirm"].map(toolNamed);
const nameOf = ({ name }: Tool) => name;

/** The key of the one question that a call asks. */
export const QUESTION_KEY = "decision";

/** What a call works with: of the backend in use, of the one that a question was asked for, or of the given origin. */
export type Contexts = (ctx: ServerContext, requestId: string, origin?: string) => ToolContext;

interface ContextParts {
  mode: () => Mode;
  setMode: (wanted: Mode, persist: boolean) => Promise<void>;
  library: () => ResourceLibrary;
}

export function createContexts(deps: ServerDeps, server: Server, { mode, setMode, library }: ContextParts): Contexts {
  const { live, log, clock, session } = deps;
  const startedAt = clock.monotonic();
  let lastProgress = 0;
  return (ctx, requestId, origin) => {
    const settings = withinTimeout(live.current(), ctx);
    const texts = (deps.textsOf ?? textsOf)(settings.lang);
    const token = ctx.mcpReq._meta?.progressToken;
    const elapsedMs = stopwatch(clock);
    const client = clientOf(server, ctx);
    const clientName = `${client?.name} ${client?.version}`;
    const surface = surfaceOf(client);
    const answer = answerOf(ctx, clock.now());
    if (answer?.action === "unseen" && answer.surface === "page") session.pagesUnseen.add(clientName);
    const opensPages = surface.pages === "opened" && !session.pagesUnseen.has(clientName);
    let subject = answer?.about.kind === "formulation" ? answer.about.negotiation_id : undefined;
    // An answer is for the backend that the person was asked about.
    const at = answer?.origin ?? origin;
    const here = at === undefined ? deps.accounts.at(live.current().backend_url) : deps.accounts.of(at);
    const { pages } = here;
    const budgetMs = settings.wait_budget_s * 1000;
    const negotiations = here.negotiations.forCall({ requestId, signal: ctx.mcpReq.signal, budgetMs });
    const capabilities = capabilitiesOf(server, ctx);
    return {
      settings,
      texts,
      mode: mode(),
      transport: deps.fromCommandLine ? "command_line" : ctx.http === undefined ? "stdio" : "http",
      requestId,
      origin: here.origin,
      provider: here.provider,
      backend: () => here.backend(requestId),
      userId: here.userId,
      negotiations,
      remember: here.remember,
      setMode,
      shown: session.shown,
      keptTexts: session.texts,
      sentProfiles: session.sentProfiles,
      ownsSession: deps.sessionless !== true,
      ledger: session.ledger,
      cache: session.cache,
      kept: session.kept,
      async notices() {
        const noticed = (code: string) => `${here.origin} ${code}`;
        const codes = [...(await deps.notices()), ...(here.origin === SANDBOX ? [SANDBOX] : [])];
        const fresh = codes.filter((code) => !session.noticed.has(noticed(code)));
        for (const code of fresh) session.noticed.add(noticed(code));
        return fresh;
      },
      // A client's hooks can fill in forms: under `strict` none counts, and none is opened.
      canAsk: asksForms(capabilities) && settings.confirmation_policy !== "strict",
      canOpenPage: pages !== undefined && capabilities?.elicitation?.url !== undefined && opensPages,
      surface,
      mayAskMore: questionsAsked(ctx) < MAX_QUESTIONS,
      isHostNamed: session.hostsNamed.has(here.origin),
      pageUnseen() {
        session.pagesUnseen.add(clientName);
      },
      decidingTools: DECIDING.filter((tool) => isListed(tool, mode(), settings) && mayRun(tool, settings)).map(nameOf),
      fromCommandLine: deps.fromCommandLine === true,
      withdrawsAtEnd: deps.withdrawsAtEnd === true,
      askAtTerminal: deps.askAtTerminal,
      pages,
      browser: deps.browser,
      openBrowser: deps.openBrowser,
      ...(answer?.about.kind === "formulation" && { decision: answer as DecisionAnswer }),
      ...(answer?.about.kind === "send" && { permission: answer }),
      approvals: session.approvals,
      taint: {
        isTainted: () => session.taint.isTainted(deps.sessionless !== true),
        mark: () => session.taint.mark(),
      },
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
      library: libraryFor(library(), ctx, requestId),
      prompt: (name) => deps.prompt(name, settings.lang),
      toolNamed,
      timeOfDay: deps.timeOfDay,
      elapsedMs,
      now: clock.now,
      monotonic: clock.monotonic,
      mayRunInBackground: followsTasks(declaredWith(ctx)) && deps.fromCommandLine !== true,
    };
  };
}

/** Over HTTP a caller may bound the time of one request: a wait then ends a second before it, with a normal result. */
function withinTimeout(settings: Settings, ctx: ServerContext): Settings {
  const ms = Number(ctx.http?.req?.headers.get("x-request-timeout-ms") ?? Number.NaN);
  if (!(ms > 0)) return settings;
  return { ...settings, wait_budget_s: Math.min(settings.wait_budget_s, Math.max(0, ms / 1000 - 1)) };
}

/** How many questions this call has asked so far. */
export const questionsAsked = (ctx: ServerContext): number => ctx.mcpReq.requestState<PendingState>()?.asked ?? 0;

/** The person's answer, when this is a later round of a call that asked. */
function answerOf(ctx: ServerContext, now: number): (ClientAnswer & Pick<PendingState, "origin">) | undefined {
  const state = ctx.mcpReq.requestState<PendingState>();
  if (state === undefined) return undefined;
  const { asked_at: askedAt = Number.NEGATIVE_INFINITY, ...asked } = state;
  const response = inputResponse(ctx.mcpReq.inputResponses, QUESTION_KEY);
  if (response.kind !== "elicit") return { ...asked, action: "missing", content: undefined };
  const { action, content } = response;
  return isPersons(action, now - askedAt) ? { ...asked, action, content } : { ...asked, action: "unseen", content };
}

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
function asksForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** What is no address, or takes no such query, is a wrong argument of the tool that names it. */
const libraryFor = (library: ResourceLibrary, serverContext: ServerContext, requestId: string): Library => ({
  list() {
    const { resources, templates } = library.list();
    return {
      resources: resources.map(({ uri, title, description }) => ({ uri, title, description })),
      templates: templates.map(({ uriTemplate: uri_template, title, description }) => ({
        uri_template,
        title,
        description,
      })),
    };
  },
  async read(uri) {
    try {
      return await library.read(uri, { serverContext, requestId });
    } catch (error) {
      throw error instanceof ProtocolError ? new UnknownAddress({ uri }, { cause: error }) : error;
    }
  },
});
