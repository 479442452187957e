import { AlreadyCompleted } from "../backend/errors.ts";
import { TowowError } from "../errors.ts";
import { DecideOnPage, HumanSurfaceRequired, NotSubmittedHere, TaintedByOthers } from "../negotiation/errors.ts";
import { unusualHost } from "./choose-surface.ts";
import type { AskContext, Outcome, Permission } from "./context.ts";
import { askSend, askSendPage, piiSentence, readDecision, type SendRequest } from "./questions.ts";
import { stageOf } from "./wait-in-call.ts";

type Answered = "given" | Outcome<never>;

/**
 * Before something leaves the machine, or cannot be undone, the person is asked (agent layer §3), best surface first:
 * a form that shows all of it, else the page. A client with neither has its own tool approval, which is enough under
 * `auto` until text of other agents has been read; then, and under `strict`, the page is opened in the person's browser
 * and the same call goes through after their yes. Under `dry_run` nothing is sent, and nobody is asked.
 * @throws HumanSurfaceRequired, TaintedByOthers, NotSubmittedHere, DecideOnPage until somebody has decided.
 */
export async function askPermission(
  tool: string,
  input: unknown,
  wanted: Permission,
  ctx: AskContext,
): Promise<Answered> {
  if (ctx.settings.profile === "dry_run") return "given";
  const key = ctx.negotiations.hash(JSON.stringify([tool, input, wanted, ctx.origin]));
  const answered = await readPermission(key, ctx);
  if (answered === "accept") return "given";
  if (answered === "reject") return nothingSent(ctx.texts.permission.refused, "declined");
  const isUnseen = ctx.permission?.action === "unseen" && ctx.permission.surface === "page";
  if (ctx.permission !== undefined && !isUnseen) return nothingSent(ctx.texts.permission.undecided, "undecided");
  return ask(key, wanted, ctx);
}

/** What the person said: on the page, or in the form that this call comes back from. */
async function readPermission(key: string, ctx: AskContext): Promise<"accept" | "reject" | undefined> {
  const { approvals, permission, settings, signal } = ctx;
  if (permission?.about.kind === "send" && (await approvals.open(key)) === permission.about.approval_id) {
    const { approval_id: id } = permission.about;
    if (permission.surface === "page" && permission.action === "accept")
      await approvals.waitForAnswer(id, settings.wait_budget_s * 1000, signal);
    if (permission.surface === "form" && permission.action === "accept" && ctx.canAsk) {
      const decision = readDecision(permission.content);
      if (decision === "accept" || decision === "reject") await approvals.decide(id, decision);
    }
    if (permission.action === "decline") await approvals.decide(id, "reject");
  }
  return approvals.take(key);
}

/** Why the word of an AI is not enough; undefined where it is. */
async function whyOwnHand({ foreignId, isRejection }: Permission, ctx: AskContext) {
  if (foreignId !== undefined) return new NotSubmittedHere({ negotiation_id: foreignId });
  if (ctx.settings.confirmation_policy === "strict") return new HumanSurfaceRequired();
  return !isRejection && (await ctx.taint.isTainted()) ? new TaintedByOthers() : undefined;
}

async function ask(key: string, wanted: Permission, ctx: AskContext): Promise<Answered> {
  const { title, text, inOneLine, inRows = [title], foreignId } = wanted;
  const { approvals, texts, canAsk, canOpenPage, surface, settings } = ctx;
  const refusal = await whyOwnHand(wanted, ctx);
  const id = await approvals.open(key);
  const findings = piiSentence(text, texts);
  const host = unusualHost(ctx);
  const about = { kind: "send", approval_id: id } as const;
  const inForm = (shown: string) =>
    canAsk && foreignId === undefined ? askSend(shown, texts, { host }, surface.form) : undefined;
  const form = inForm(text) ?? (canOpenPage || inOneLine === undefined ? undefined : inForm(inOneLine));
  if (form !== undefined) return { ask: { about, ...form } };
  if (!canOpenPage && refusal === undefined) return "given"; // the client's own approval of a tool that writes
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
  if (ctx.askAtTerminal !== undefined) {
    const beside = [findings, host && texts.page.goesTo(host)].filter((line) => line !== undefined);
    const isYes = await ctx.askAtTerminal({ title, text, beside });
    return isYes ? "given" : nothingSent(texts.permission.refused, "declined");
  }
  const refused = refusal ?? new HumanSurfaceRequired();
  if (ctx.pages === undefined) throw refused;
  const { forClient: url, forResult } = await ctx.pages.openSend(request);
  if (canOpenPage) return { ask: { about, message: askSendPage(inRows, text, texts, host), url } };
  if (ctx.browser === "elsewhere") throw new DecideOnPage({ url: forResult });
  const opened = await ctx.openBrowser(forResult);
  if (!opened || !ctx.fromCommandLine) throw refused;
  // The page ends with the command, so there is no calling again: the person decides now.
  await approvals.waitForAnswer(id, settings.wait_budget_s * 1000, ctx.signal);
  const verdict = await approvals.take(key);
  if (verdict === undefined) throw refused;
  return verdict === "accept" ? "given" : nothingSent(texts.permission.refused, "declined");
}

const nothingSent = (summary: string, warning: string): Answered => ({
  status: "empty",
  summary,
  data: null,
  warnings: [warning],
});

/**
 * What the person is asked before a negotiation is cancelled: whose it is, and whether it has been broadcast, is looked
 * up now. One of their own that the backend cannot show is judged by what is written.
 * @throws AlreadyCompleted, and what the backend answered about one that was not submitted here
 */
export async function cancelPermission(id: string, ctx: AskContext): Promise<Permission> {
  const { texts, negotiations } = ctx;
  const { isOwn } = await stageOf(id, ctx);
  const seen = await negotiations.get(id).catch((error: unknown) => {
    if (isOwn && error instanceof TowowError) return undefined;
    throw error;
  });
  const { name } = await stageOf(id, ctx, seen);
  // What is over needs no question, and must not go on: another look might show it open.
  if (isOwn && name === "over") throw new AlreadyCompleted({ operation: "action", negotiation_id: id });
  return {
    title: texts.page.cancelTitle,
    text: texts.page.cancelText(id),
    ...(!isOwn && { foreignId: id }),
    ...(isOwn && (name === "formulating" || name === "asking") && { isRejection: true }),
  };
}
