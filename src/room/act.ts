import type { Settings } from "../home/settings.ts";
import { failureOf } from "../log.ts";
import type { Account } from "../mcp/account.ts";
import type { ServerDeps } from "../mcp/server-deps.ts";
import type { Platform } from "../platform.ts";
import { toToolError } from "../result/tool-error.ts";
import { budgetOf } from "../session/ledger.ts";
import { textsForRoom } from "../text/index.ts";
import { joinSentences } from "../text/join.ts";
import { loggedWork } from "../tools/call.ts";
import type { Tool } from "../tools/define.ts";
import { toolNamed } from "../tools/index.ts";
import { whyNotRun } from "../tools/policy.ts";
import { validateArguments } from "../tools/validate.ts";
import type { Services } from "../use/services.ts";
import { RoomToolFailed } from "./errors.ts";
import type { Lang } from "./person.ts";

/** The services on which a room builds, and which it shares with every other client of this person. */
export type PersonDeps = Pick<ServerDeps, "live" | "accounts" | "session" | keyof Platform>;

/** Never aborts, because a room must not interrupt what its person has begun. */
const NEVER = new AbortController().signal;

/** One act of the person, named by the tool that does the same for a model. */
export interface Act {
  tool: string;
  args: Record<string, unknown>;
  account: Account;
  lang: Lang;
}

/**
 * Does one thing for the person at their page. As for a tool call, the profile, the limits of the arguments and the
 * budget apply, the work of earlier processes is recovered first, and the log records the act. Which tools a model is
 * offered and what a model has read do not matter here, because the person's button is itself the yes.
 * @throws RoomToolFailed with the sentence of the error
 */
export async function act<T>(
  { tool: name, args, account, lang }: Act,
  deps: PersonDeps,
  work: (args: Record<string, unknown>, services: Services) => Promise<T>,
): Promise<T> {
  const tool = toolNamed(name);
  deps.live.refresh();
  const settings = { ...deps.live.current(), lang };
  const requestId = deps.newId();
  const services = servicesOf(account, requestId, settings, deps);
  const call = { tool: name, args, requestId, origin: account.origin, provider: account.provider, signal: NEVER };
  try {
    return await loggedWork(call, { ...deps, now: deps.clock.now, monotonic: deps.clock.monotonic }, () =>
      bound(tool, args, services, work),
    );
  } catch (error) {
    deps.log.warn("tool_failed", { tool: name, error: failureOf(error) });
    const { idempotent } = tool;
    const said = toToolError(error, { texts: textsForRoom(lang), idempotent, callable: () => true });
    throw new RoomToolFailed(said.code, joinSentences([said.message, said.recovery_suggestion]));
  } finally {
    if (!tool.read_only) await deps.session.cache.clear();
  }
}

async function bound<T>(
  tool: Tool,
  args: Record<string, unknown>,
  services: Services,
  work: (args: Record<string, unknown>, services: Services) => Promise<T>,
): Promise<T> {
  const { settings, session, negotiations } = services;
  const forbidden = whyNotRun(tool, settings);
  if (forbidden !== undefined) throw forbidden;
  const input = validateArguments(tool, args, settings.lang) as Record<string, unknown>;
  await session.ledger.check(tool.startsNegotiation === true, budgetOf(settings));
  if (settings.profile !== "dry_run") await negotiations.recover();
  return work(input, services);
}

const servicesOf = (account: Account, requestId: string, settings: Settings, { session }: PersonDeps): Services => ({
  settings,
  origin: account.origin,
  backend: () => account.backend(requestId),
  userId: account.userId,
  negotiations: account.negotiations.forCall({ requestId, signal: NEVER, budgetMs: settings.wait_budget_s * 1000 }),
  session,
  remember: account.remember,
  signal: NEVER,
});
