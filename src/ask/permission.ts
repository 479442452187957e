import { HumanSurfaceRequired } from "../negotiation/errors.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { unusualHost } from "./choose-surface.ts";
import type { AskContext, Permission } from "./context.ts";
import { askSend, askSendPage, piiSentence, type Question, readDecision, type SendRequest } from "./questions.ts";

type Answered = "given" | { ask: Question } | { result: ToolResult };

/**
 * Before something leaves the machine, or cannot be undone, the person is asked (agent layer §3), best surface first:
 * a form that shows all of it, else the page. A client with neither has its own tool approval, which is enough under
 * `auto`; under `strict` the page is opened in the person's browser and the same call goes through after their yes.
 * @throws HumanSurfaceRequired under `strict`, until somebody has decided.
 */
export async function askPermission(
  tool: string,
  input: unknown,
  wanted: Permission,
  ctx: AskContext,
): Promise<Answered> {
  const key = ctx.negotiations.hash(JSON.stringify([tool, input, wanted, ctx.origin]));
  const answered = await readPermission(key, ctx);
  if (answered === "accept") return "given";
  if (answered === "reject") return nothingSent(ctx.texts.permission.refused, "declined");
  if (ctx.permission !== undefined) return nothingSent(ctx.texts.permission.undecided, "undecided");
  return ask(key, wanted, ctx);
}

/** What the person said: on the page, or in the form that this call comes back from. */
async function readPermission(key: string, ctx: AskContext): Promise<"accept" | "reject" | undefined> {
  const { approvals, permission, settings, signal } = ctx;
  if (permission?.about.kind === "send" && (await approvals.open(key)) === permission.about.approval_id) {
    const { approval_id: id } = permission.about;
    if (permission.surface === "page" && permission.action === "accept")
      await approvals.waitForAnswer(id, settings.wait_budget_s * 1000, signal);
    if (permission.surface === "form" && permission.action === "accept") {
      const decision = readDecision(permission.content);
      if (decision === "accept" || decision === "reject") await approvals.decide(id, decision);
    }
    if (permission.action === "decline") await approvals.decide(id, "reject");
  }
  return approvals.take(key);
}

async function ask(key: string, { title, text, inOneLine }: Permission, ctx: AskContext): Promise<Answered> {
  const { approvals, texts, canAsk, canOpenPage, settings } = ctx;
  const strict = settings.confirmation_policy === "strict";
  const id = await approvals.open(key);
  const findings = piiSentence(text, texts);
  const host = unusualHost(ctx);
  const about = { kind: "send", approval_id: id } as const;
  const shown = canOpenPage ? text : (inOneLine ?? text);
  const form = canAsk ? askSend(shown, texts, { host }) : undefined;
  if (form !== undefined) return { ask: { about, ...form } };
  if (!canOpenPage && !strict) return "given"; // the client's own approval of a tool that writes
  const request: SendRequest = {
    id,
    title,
    text,
    findings,
    host,
    lang: texts.lang,
    isOpen: () => approvals.isOpen(id),
    decide: (verdict) => approvals.decide(id, verdict),
  };
  if (ctx.pages === undefined) throw new HumanSurfaceRequired();
  const url = await ctx.pages.openSend(request);
  if (canOpenPage) return { ask: { about, message: askSendPage(title, text, texts, host), url } };
  const opened = await ctx.openBrowser(url);
  if (!opened || !ctx.fromCommandLine) throw new HumanSurfaceRequired();
  // The page ends with the command, so there is no calling again: the person decides now.
  await approvals.waitForAnswer(id, settings.wait_budget_s * 1000, ctx.signal);
  const verdict = await approvals.take(key);
  if (verdict === undefined) throw new HumanSurfaceRequired();
  return verdict === "accept" ? "given" : nothingSent(texts.permission.refused, "declined");
}

const nothingSent = (summary: string, warning: string): Answered => ({
  result: { status: "empty", summary, data: null, warnings: [warning], error: null, meta: {} },
});
