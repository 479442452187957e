import { isNegotiationId } from "../backend/route.ts";
import { Failure } from "../errors.ts";
import type { Settings } from "../home/settings.ts";
import { HumanSurfaceRequired, InNoForm, NotSubmittedHere, TaintedByOthers } from "../negotiation/errors.ts";
import type { DecidedBy } from "../negotiation/facts.ts";
import { showInvisible } from "../safety/invisible.ts";
import type { ApprovalAnswer } from "../session/approvals.ts";
import type { CallSession } from "../session/session.ts";
import { joinLines } from "../text/join.ts";
import { turn } from "../turn.ts";
import { namedHost } from "./choose-surface.ts";
import type { AskContext, HandlerResult, PermissionRequest } from "./context.ts";
import { type FormGeometry, showsMessage, UNITS_PER_COLUMN } from "./form-geometry.ts";
import {
  type PermissionKind,
  partForm,
  permissionForm,
  permissionPageMessage,
  piiSentence,
  type Question,
  readDecision,
  type SendPending,
  type SendRequest,
} from "./questions.ts";
import { fitsTwice } from "./shown-text.ts";

/** The yes, and where it was said; `argument` where nobody had to be asked. */
interface Given {
  by: DecidedBy;
}

type Answered = Given | HandlerResult<never>;

/**
 * Before something leaves the machine, or cannot be undone, the person is asked (agent layer §3), best surface first:
 * a form that shows all of it, else the terminal of a command, else the page. A client with none of them has its own tool
 * approval, which is enough under `auto` until text of other agents has been read; then, and under `strict`, the page is
 * opened in the person's browser and the same call goes through after their yes. A client with forms alone shows what is
 * too long for one in parts. Under `strict` no form counts, since a client's hooks can answer it. Under `dry_run` nothing
 * is sent, and nobody is asked.
 * @throws HumanSurfaceRequired, TaintedByOthers, NotSubmittedHere, InNoForm, `tool.policy.blocked.decide_on_page` until somebody has decided.
 */
export async function askPermission(
  tool: string,
  input: unknown,
  wanted: PermissionRequest,
  ctx: AskContext,
): Promise<Answered> {
  if (ctx.settings.profile === "dry_run") return { by: "argument" };
  // Other words for the same thing make no other question: what a scene is called, how a demand is known again.
  const asked = wanted.shownFirst?.sent ?? { ...wanted, text: wanted.kind === "stop" ? undefined : wanted.text };
  const key = ctx.negotiations.hash(JSON.stringify([tool, input, asked, ctx.origin]));
  const answer = await readPermission(key, wanted, ctx);
  if (answer !== undefined) return answered(answer, wanted, ctx);
  const isUnseen = ctx.permission?.action === "unseen" && ctx.permission.surface === "page";
  const goesOn = isUnseen || partRead(ctx) !== undefined;
  if (ctx.permission !== undefined && !(goesOn && ctx.client.mayAskMore)) return undecided(wanted, ctx);
  return ask(key, { ...wanted, atTerminal: argsAtTerminal(tool, input, wanted, ctx) }, ctx);
}

/** The part that the person has read, where they read on. */
function partRead({ permission }: AskContext): SendPending["part"] {
  if (permission?.about.kind !== "send" || permission.surface !== "form" || permission.action !== "accept")
    return undefined;
  const { part } = permission.about;
  const readsOn = part !== undefined && part.number < part.of && readDecision(permission.content) === "accept";
  return readsOn ? part : undefined;
}

const answered = ({ verdict, by }: ApprovalAnswer, wanted: PermissionRequest, ctx: AskContext): Answered =>
  verdict === "accept" ? { by } : refused(wanted, ctx);

const refused = ({ kind }: PermissionRequest, { texts: { permission } }: AskContext): Answered =>
  nothingDone(kind === "stop" ? permission.stopRefused : permission.refused, "declined");

const undecided = ({ kind }: PermissionRequest, { texts: { permission } }: AskContext): Answered =>
  nothingDone(kind === "stop" ? permission.stopUndecided : permission.undecided, "undecided");

/** Whether a form's yes is the person's. */
const countsForms = ({ foreignId }: PermissionRequest, { client, settings }: AskContext): boolean =>
  client.canAsk && foreignId === undefined && settings.confirmation_policy !== "strict";

/** What the person said: on the page, or in the form that this call comes back from. */
async function readPermission(
  key: string,
  wanted: PermissionRequest,
  ctx: AskContext,
): Promise<ApprovalAnswer | undefined> {
  const { permission } = ctx;
  const { approvals } = ctx.session;
  if (permission?.about.kind === "send" && (await approvals.open(key)) === permission.about.approval_id) {
    const { approval_id: id } = permission.about;
    // What the client says about a page decides nothing: the page keeps its own answer.
    if (permission.surface === "page" && permission.action === "accept" && ctx.client.surface.acceptsAsItOpens === true)
      await approvals.waitForAnswer(id, ctx.settings.wait_budget_s * 1000, ctx.signal);
    if (permission.surface === "form" && permission.action === "accept" && countsForms(wanted, ctx)) {
      const decision = partRead(ctx) === undefined ? readDecision(permission.content) : undefined;
      if (decision === "accept" || decision === "reject") await approvals.decide(id, decision, "form");
    }
    if (permission.surface === "form" && permission.action === "decline") await approvals.decide(id, "reject", "form");
  }
  return approvals.take(key);
}

/** Why the word of an AI, or of a script, is not enough; undefined where it is. */
export async function whyOwnHand(
  { foreignId }: Pick<PermissionRequest, "foreignId">,
  {
    settings,
    taint,
  }: { settings: Pick<Settings, "confirmation_policy">; taint: Pick<CallSession["taint"], "isTainted"> },
) {
  if (foreignId !== undefined) return NotSubmittedHere;
  if (settings.confirmation_policy === "strict") return HumanSurfaceRequired;
  return (await taint.isTainted()) ? TaintedByOthers : undefined;
}

/** What follows the program's name where the person does the same in a terminal of theirs; "…" is what they send. */
function argsAtTerminal(tool: string, input: unknown, { kind }: PermissionRequest, { settings }: AskContext): string {
  const given = Object.entries(input as Record<string, unknown>).filter(([, value]) => value !== undefined);
  const id = given.find(([name]) => name === "negotiation_id")?.[1];
  if (kind === "stop") return `cancel ${id}`;
  const pairs = given.map(
    ([name, value]) => `${name}=${/_(?:id|type)$/.test(name) && isNegotiationId(String(value)) ? value : "…"}`,
  );
  return ["call", tool, ...(settings.mode === "developer" ? ["--mode developer"] : []), ...pairs].join(" ");
}

async function ask(
  key: string,
  { atTerminal, ...wanted }: PermissionRequest & { atTerminal: string },
  ctx: AskContext,
): Promise<Answered> {
  const { kind = "send", title, text, inRows = [title], shownFirst } = wanted;
  const { texts, settings } = ctx;
  const { approvals, taint } = ctx.session;
  const { canOpenPage } = ctx.client;
  const Refusal = await whyOwnHand(wanted, { settings, taint });
  const id = await approvals.open(key);
  const findings = piiSentence(text, texts);
  const host = namedHost(ctx);
  const about = { kind: "send", approval_id: id } as const;
  const asked = await inForms(about, wanted, ctx);
  if (asked !== undefined) return { ask: asked };
  // The client's own approval of a tool that writes; no profile goes by it where the client asks its person.
  const isEnough = Refusal === undefined && !canOpenPage && !(shownFirst && ctx.client.declaresElicitation);
  if (isEnough && shownFirst === undefined) return { by: "argument" };
  if (ctx.askAtTerminal !== undefined) {
    const beside = [findings, host && texts.page.goesTo(host)].filter((line) => line !== undefined);
    const isYes = await ctx.askAtTerminal({ title, text, beside });
    return isYes ? { by: "terminal" } : refused(wanted, ctx);
  }
  if (isEnough && shownFirst !== undefined && fitsTwice(shownFirst.text)) return shownByAi(wanted, ctx);
  const refuse = (page?: "open"): never => {
    throw new (Refusal ?? InNoForm)({ args: atTerminal, page, negotiation_id: wanted.foreignId });
  };
  if (ctx.pages === undefined) return refuse();
  const request: SendRequest = {
    id,
    kind,
    title,
    text,
    findings,
    host,
    lang: texts.lang,
    isOpen: () => approvals.isOpen(id),
    decide: (verdict) => approvals.decide(id, verdict, "page"),
  };
  const { forClient, forResult } = await ctx.pages.openSend(request);
  if (canOpenPage) return { ask: { about, message: permissionPageMessage(inRows, text, texts, host), url: forClient } };
  if (ctx.browser === "elsewhere") throw new Failure("tool.policy.blocked.decide_on_page", { url: forResult });
  if (!(await ctx.openBrowser(forResult))) return refuse();
  const answer = ctx.client.isCommandLine ? await answerToCommand(key, id, ctx) : undefined;
  return answer === undefined ? refuse("open") : answered(answer, wanted, ctx);
}

type SendAbout = Pick<SendPending, "kind" | "approval_id">;

/** A form that shows all of it; where no page can be opened, in one line or in parts, one after the other. */
async function inForms(about: SendAbout, wanted: PermissionRequest, ctx: AskContext): Promise<Question | undefined> {
  const { kind = "send", text, inLines = [] } = wanted;
  const { texts, client } = ctx;
  if (!countsForms(wanted, ctx)) return undefined;
  const shows = client.surface.form;
  const inOne = (whole: string) => permissionForm(kind, whole, texts, { host: namedHost(ctx) }, shows);
  const findings = piiSentence(text, texts);
  const form = inOne(text);
  if (form !== undefined) return { about, ...form };
  for (const lines of client.canOpenPage ? [] : inLines) {
    const line = inOne(lines.join(" · "));
    if (line !== undefined) return { about, ...line };
    const parts = await inParts(findings === undefined ? lines : [...lines, findings], shows);
    if (parts !== undefined) return nextPart(about, parts, kind, ctx);
  }
  return undefined;
}

function nextPart(about: SendAbout, parts: readonly string[], kind: PermissionKind, ctx: AskContext): Question {
  const hash = ctx.negotiations.hash(JSON.stringify(parts));
  const read = partRead(ctx);
  const number = read?.hash === hash ? read.number + 1 : 1; // in another language there are other parts
  // Only the last part asks, so that is where the first question of a session names the host.
  const beside = { host: namedHost({ ...ctx, isHostNamed: false }) };
  const part = { number, of: parts.length, hash };
  return { about: { ...about, part }, ...partForm(parts, number, kind, ctx.texts, beside) };
}

/** A page that a command has opened ends with it, so the person decides now. */
async function answerToCommand(key: string, id: string, { settings, signal, session }: AskContext) {
  await session.approvals.waitForAnswer(id, settings.wait_budget_s * 1000, signal);
  return session.approvals.take(key);
}

/**
 * Where no surface shows what would be sent, its AI does: it is given all of it, and only a later call that names what it
 * was given sends that. Each command is a session of its own, so there the hash alone tells.
 */
async function shownByAi({ shownFirst }: PermissionRequest, ctx: AskContext): Promise<Answered> {
  const { texts, negotiations } = ctx;
  const { approvals } = ctx.session;
  if (shownFirst === undefined) return { by: "argument" };
  const hash = negotiations.hash(JSON.stringify([ctx.origin, shownFirst.sent])).slice(0, 16);
  const wasShown = ctx.client.isCommandLine || (await approvals.wasShown(hash));
  const { named } = shownFirst;
  if (named === hash && wasShown) return { by: "argument" };
  await approvals.noteShown(hash);
  const why = named === undefined ? undefined : named === hash ? texts.permission.notShown : texts.permission.otherHash;
  return {
    status: "empty",
    summary: joinLines([why, texts.permission.showFirst, shownFirst.text, piiSentence(shownFirst.text, texts)]),
    data: shownFirst.data(hash) as never,
    warnings: ["shown_first"],
  };
}

const nothingDone = (summary: string, warning: string): Answered => ({
  status: "empty",
  summary,
  data: null,
  warnings: [warning],
});

/** More than a person reads one after the other; each is one question, of which a call asks nine at most. */
const MAX_PARTS = 8;

/**
 * Lines of a text in parts, each of which a form shows whole, one after the other; undefined where some of it is shown in
 * no form, or it takes too many.
 */
export async function inParts(lines: readonly string[], shows: FormGeometry): Promise<string[] | undefined> {
  let rest = inOneMessage(lines, shows);
  const parts: string[] = [];
  while (rest !== "") {
    const head = headOf(rest, shows);
    if (head === "" || parts.length === MAX_PARTS) return undefined;
    parts.push(head.trim());
    rest = rest.slice(head.length).trimStart();
    await turn(); // measuring is dear
  }
  return parts;
}

/** Where a client keeps no line breaks, a dot stands between lines, and an arrow where the person's own text has one. */
function inOneMessage(lines: readonly string[], { keepsLineBreaks }: FormGeometry): string {
  const shown = lines.map((line) => showInvisible(line).replaceAll("\t", " ").trim());
  return keepsLineBreaks ? shown.join("\n") : shown.map((line) => line.replaceAll(/\s*\n\s*/g, " ↵ ")).join(" · ");
}

/** Where a part may end, the best first: with a line, with a sentence or a clause, with a word. */
const ENDS = [/\n| · /gu, /[.;!?] |[。；！？]/gu, /[\s，：、]/gu];
const lastEnd = (text: string, ending: RegExp): number =>
  Math.max(0, ...[...text.matchAll(ending)].map((found) => found.index + found[0].length));

/** The longest beginning that a form shows whole, to such an end in its second half. */
function headOf(text: string, shows: FormGeometry): string {
  const most = shows.messageRows * shows.messageColumns * UNITS_PER_COLUMN;
  const letters = [...new Intl.Segmenter().segment(text.slice(0, most).toWellFormed())].map(({ segment }) => segment);
  const first = (count: number) => letters.slice(0, count).join("");
  let [fits, toTry] = [0, letters.length];
  while (fits < toTry) {
    const middle = Math.ceil((fits + toTry) / 2);
    if (showsMessage(first(middle).trimEnd(), shows)) fits = middle;
    else toTry = middle - 1;
  }
  const head = first(fits);
  if (head.length >= text.length) return text;
  const end = ENDS.map((ending) => lastEnd(head, ending)).find((at) => at > head.length / 2);
  return head.slice(0, end);
}
