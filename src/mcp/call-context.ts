import { ProtocolError, type Server, type ServerContext } from "@modelcontextprotocol/server";
import type { AskedAtResult, DecisionAnswer } from "../ask/questions.ts";
import { stopwatch } from "../clock.ts";
import { Failure } from "../errors.ts";
import { SANDBOX } from "../home/origin.ts";
import type { Settings } from "../home/settings.ts";
import { failureOf } from "../log.ts";
import type { CallSession, Mode, Session } from "../session/session.ts";
import { textsOf } from "../text/index.ts";
import type { Warning } from "../text/warnings.ts";
import type { Library, ToolContext } from "../tools/define.ts";
import { toolNamed } from "../tools/index.ts";
import { shownNames } from "../use/scenes.ts";
import { answerOf, callingClient, progressSent } from "./calling-client.ts";
import { createProgress, type Progress } from "./progress.ts";
import type { ResourceLibrary } from "./resources.ts";
import type { ServerDeps } from "./server-deps.ts";

/**
 * Creates the context of a call. Its backend is the one about which an answered question was asked, or else the one at
 * the given origin, or else the backend in use.
 */
export type Contexts = (ctx: ServerContext, requestId: string, origin?: string) => CallContext;

/** The context of one call. `endProgress` is awaited before the call's answer is sent. */
interface CallContext extends ToolContext {
  /** Returns the question that was given to `askAtResult`, if there was one. */
  askedAtResult: () => AskedAtResult | undefined;
  /** See {@link Progress.end}. */
  endProgress: Progress["end"];
}

interface ContextParts {
  mode: () => Mode;
  setMode: (wanted: Mode, persist: boolean) => Promise<void>;
  library: ResourceLibrary;
}

export function createContexts(deps: ServerDeps, server: Server, { mode, setMode, library }: ContextParts): Contexts {
  const { live, log, clock, session } = deps;
  return (ctx, requestId, origin) => {
    const elapsedMs = stopwatch(clock);
    const progress = createProgress(ctx, progressSent(ctx), log);
    live.refresh();
    const answer = answerOf(ctx, clock.now());
    let asked: AskedAtResult | undefined;
    let subject = answer?.about.kind === "formulation" ? answer.about.negotiation_id : undefined;
    // An answer goes to the backend that the person was asked about.
    const at = answer?.origin ?? origin;
    const here = at === undefined ? deps.accounts.at(live.current().backend_url) : deps.accounts.of(at);
    const { pages } = here;
    const settings = { ...withinTimeout(live.current(), ctx), ...lastOf(deps, here.origin) };
    const calling = { settings, mode: mode(), hasPages: pages !== undefined, answer };
    const budgetMs = settings.wait_budget_s * 1000;
    return {
      settings,
      texts: (deps.textsOf ?? textsOf)(settings.lang),
      mode: mode(),
      transport: deps.fromCommandLine ? "command_line" : ctx.http === undefined ? "stdio" : "http",
      requestId,
      origin: here.origin,
      provider: here.provider,
      backend: () => here.backend(requestId),
      userId: here.userId,
      sceneName: (sceneId) =>
        session.sceneNames.of(JSON.stringify([here.origin, sceneId]), clock.monotonic(), async () => {
          const signal = ctx.mcpReq.signal;
          return (await shownNames({ backend: () => here.backend(requestId), settings, signal }))(sceneId);
        }),
      negotiations: here.negotiations.forCall({
        requestId,
        signal: ctx.mcpReq.signal,
        budgetMs,
        beginWait: deps.counted?.()?.beginWait,
      }),
      async remember(values) {
        const { last_negotiation_id: begun } = values;
        if (begun !== undefined) session.begun.set(here.origin, begun);
        await here.remember(values);
        if (begun === undefined) return;
        server
          .sendResourceListChanged()
          .catch((error) => log.debug("list_changed_unsent", { error: failureOf(error) }));
      },
      setMode,
      session: callSession(session, deps.sessionless !== true, here.origin),
      client: callingClient(ctx, server, deps, calling),
      async notices() {
        const noticed = (code: string) => `${here.origin} ${code}`;
        const codes: Warning[] = [...(await deps.notices()), ...(here.origin === SANDBOX ? ([SANDBOX] as const) : [])];
        const fresh = codes.filter((code) => !session.noticed.has(noticed(code)));
        for (const code of fresh) session.noticed.add(noticed(code));
        return fresh;
      },
      isHostNamed: session.hostsNamed.has(here.origin),
      withdrawsAtEnd: deps.withdrawsAtEnd === true,
      askAtTerminal: deps.askAtTerminal,
      keepSend: deps.keepSend,
      pages,
      browser: deps.browser,
      openBrowser: deps.openBrowser,
      ...(answer?.about.kind === "formulation" && { decision: answer as DecisionAnswer }),
      ...(answer?.about.kind === "send" && { permission: answer }),
      concerns(negotiationId) {
        subject = negotiationId;
      },
      subject: () => subject,
      askAtResult(question) {
        asked = question;
      },
      askedAtResult: () => asked,
      progress: progress.tell,
      endProgress: progress.end,
      signal: ctx.mcpReq.signal,
      library: libraryFor(library, ctx, requestId),
      prompt: (name) => deps.prompt(name, settings.lang),
      toolNamed,
      timeOfDay: deps.timeOfDay,
      elapsedMs,
      now: clock.now,
      monotonic: clock.monotonic,
    };
  };
}

/**
 * Returns the last negotiation of the session itself if the session belongs to one client. Otherwise the home's last
 * negotiation remains the default.
 */
function lastOf(
  { session, sessionless }: ServerDeps,
  origin: string,
): Pick<Settings, "last_negotiation_id"> | undefined {
  const last = sessionless === true ? undefined : session.begun.get(origin);
  return last === undefined ? undefined : { last_negotiation_id: last };
}

/**
 * Ends the wait of a call one second before the time that its HTTP caller allows, so that the call still returns a
 * normal result.
 */
function withinTimeout(settings: Settings, ctx: ServerContext): Settings {
  const ms = Number(ctx.http?.req?.headers.get("x-request-timeout-ms") ?? Number.NaN);
  if (!(ms > 0)) return settings;
  return { ...settings, wait_budget_s: Math.min(settings.wait_budget_s, Math.max(0, ms / 1000 - 1)) };
}

const callSession = (session: Session, isOwned: boolean, origin: string): CallSession => ({
  ...session,
  isOwned,
  taint: {
    isTainted: () => session.taint.isTainted(isOwned),
    mark: () => session.taint.mark(origin),
  },
});

/**
 * Wraps the resource library for tools. A URI that is unknown, or that has an unknown query parameter, fails as a wrong
 * argument does.
 */
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
      throw error instanceof ProtocolError
        ? new Failure("tool.input.invalid.address", { uri }, { cause: error })
        : error;
    }
  },
});
