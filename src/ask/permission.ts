import { isNegotiationId } from "../backend/route.ts";
import { Failure, TowowError } from "../errors.ts";
import { hostLabel } from "../home/origin.ts";
import { NeedsOwnHand } from "../negotiation/errors.ts";
import { type Hand, type Surface, whyNotCounted, whyNotInChat, whyOwnHand } from "../question/who.ts";
import { showInvisible } from "../safety/invisible.ts";
import { PERMISSION_MS, type PermissionAnswer } from "../session/permissions.ts";
import { rememberedSha256 } from "../sha256.ts";
import { joinLines, joinSentences } from "../text/join.ts";
import type { Warning } from "../text/warnings.ts";
import { turn } from "../turn.ts";
import { namedHost } from "./ask-person.ts";
import { hasPieces, textsOf } from "./asked.ts";
import { type FormGeometry, fitsMessage, UNITS_PER_COLUMN } from "./client-forms.ts";
import type { AskContext, HandlerResult, PermissionRequest } from "./context.ts";
import { givenIn, isStrict, showOn, surfacesIn } from "./decision-path.ts";
import { MOST_WINDOWS, WINDOWS_MINUTES } from "./page/open-page.ts";
import {
  type ClientAnswer,
  declinedSentence,
  heldByTicket,
  type PermissionKind,
  type PermissionPageRequest,
  type PermissionPending,
  partForm,
  permissionForm,
  permissionPageMessage,
  piiSentence,
  type Question,
  readDecision,
} from "./questions.ts";
import { fitsTwice } from "./whole.ts";

/**
 * A yes, and where it was said. `argument` means that no surface of ours asked: either nothing had to be asked, or the
 * person's AI passed the yes on.
 */
interface Allowed {
  by: Surface;
  /** The ids of the pieces that the person first took out of a profile. */
  takenOut?: readonly string[];
}

type Answered = Allowed | HandlerResult<never>;

/**
 * Returns the texts in which personal data are looked for, each by itself. For a stop, this is only the question's own
 * text.
 */
const searchedIn = ({ asked, text }: Pick<PermissionRequest, "asked" | "text">): string[] =>
  asked.about === "stop" ? [text] : textsOf(asked);

const kindOf = ({ question }: PermissionRequest): PermissionKind =>
  question === "stop" || question === "others_stop" ? "stop" : "send";

/**
 * Asks the person before something leaves the machine or cannot be undone (agent layer §3), on the best surface in the
 * order of question/who.ts. An argument is backed by the client's own tool approval, which is enough under `auto` until
 * text by other agents has been read. After that, and under `strict`, the page is opened in the person's browser, and
 * the same call succeeds after their yes. A client that only has forms shows a long text in parts. Under `strict` no
 * form counts, because a client's hooks can answer it. Under `dry_run` nothing is sent, and nobody is asked.
 * @throws NeedsOwnHand, `tool.policy.blocked.decide_on_page`, `tool.policy.blocked.too_many_windows` if nobody has
 * decided yet
 */
export async function askPermission(
  tool: string,
  input: unknown,
  wanted: PermissionRequest,
  ctx: AskContext,
): Promise<Answered> {
  if (ctx.settings.profile === "dry_run") return { by: "argument" };
  // Other words for the same thing, such as a scene's name or a quoted demand, do not make a new question.
  const { asked: _, ...words } = wanted;
  const about = wanted.shownFirst?.sent ?? { ...words, text: kindOf(wanted) === "stop" ? undefined : wanted.text };
  const key = rememberedSha256(JSON.stringify([tool, input, about, ctx.origin]));
  const answer = await readPermission(key, wanted, ctx);
  if (answer !== undefined) return answered(answer, wanted, ctx);
  const isUnseen = ctx.permission?.action === "unseen" && ctx.permission.surface === "page";
  const goesOn = isUnseen || partRead(ctx) !== undefined;
  const asking = { key, request: await requestFor(key, wanted, ctx) };
  if (ctx.permission === undefined || (goesOn && ctx.client.mayAskMore))
    return ask(asking, { ...wanted, atTerminal: () => argsAtTerminal(key, tool, input, wanted, ctx) }, ctx);
  askAtResult(asking, wanted, ctx);
  return undecided(wanted, ctx);
}

/** A question about a permission. `key` identifies what is asked about, and `request` asks it. */
interface Asking {
  key: string;
  request: PermissionPageRequest;
}

/** Lets a page at the call's result take an answer, because the call itself ends without one. */
const askAtResult = ({ request }: Asking, { question }: PermissionRequest, { pages, ...ctx }: AskContext): void =>
  ctx.askAtResult({ ...request, question, open: pages && (() => pages.openPermission(request)) });

/** Returns the request for a page, with the id of the question that is open about `key`. */
async function requestFor(
  key: string,
  wanted: PermissionRequest,
  { session: { permissions }, texts, origin, timeOfDay, now }: AskContext,
): Promise<PermissionPageRequest> {
  const { asked, title, text } = wanted;
  const id = await permissions.open(key);
  return {
    id,
    kind: kindOf(wanted),
    asked,
    title,
    text,
    host: hostLabel(origin, texts),
    until: timeOfDay(now() + PERMISSION_MS),
    lang: texts.lang,
    isOpen: () => permissions.isOpen(id),
    decide: (verdict, browser, out) => permissions.decide(id, verdict, { surface: "page", browser }, out),
  };
}

/** Returns the part that the person has just read, if they read on. */
function partRead({ permission }: AskContext): PermissionPending["part"] {
  if (permission?.about.kind !== "send" || permission.surface !== "form" || permission.action !== "accept")
    return undefined;
  const { part } = permission.about;
  const readsOn = part !== undefined && part.number < part.of && readDecision(permission.content) === "accept";
  return readsOn ? part : undefined;
}

const answered = ({ verdict, by, takenOut }: PermissionAnswer, wanted: PermissionRequest, ctx: AskContext): Answered =>
  verdict === "accept" ? { by: by.surface, ...(takenOut && { takenOut }) } : refused(wanted, ctx);

function refused(wanted: PermissionRequest, { texts, permission: answer }: AskContext): Answered {
  const isStop = kindOf(wanted) === "stop";
  const { refused, stopRefused, declined, stopDeclined } = texts.permission;
  const by = answer?.action === "decline" ? declinedSentence(answer.afterMs, texts) : undefined;
  const summary =
    by === undefined ? (isStop ? stopRefused : refused) : joinSentences([by, isStop ? stopDeclined : declined]);
  return nothingDone(summary, "declined");
}

const undecided = (wanted: PermissionRequest, { texts: { permission } }: AskContext): Answered =>
  nothingDone(kindOf(wanted) === "stop" ? permission.stopUndecided : permission.undecided, "undecided");

/** Returns what the person said, if it counts: on the page, or in the form with which this call comes back. */
async function readPermission(
  key: string,
  wanted: PermissionRequest,
  ctx: AskContext,
): Promise<PermissionAnswer | undefined> {
  const { permission } = ctx;
  const { permissions } = ctx.session;
  if (permission?.about.kind === "send") await takeIn(key, wanted, permission, permission.about.approval_id, ctx);
  const answer = await permissions.take(key);
  if (answer === undefined || answer.verdict === "reject") return answer;
  const { question, asked } = wanted;
  const about = { asked: key, answered: hasPieces(asked, answer.takenOut ?? []) ? key : undefined };
  const why = whyNotCounted({ question, by: answer.by, given: await givenIn(ctx), isUnused: true, about });
  return why === undefined ? answer : undefined;
}

/**
 * Records what the client says that its person decided. A page records its person's answer itself. If the client
 * accepts as soon as the page opens, this function waits for that answer.
 */
async function takeIn(
  key: string,
  { question }: PermissionRequest,
  answer: ClientAnswer,
  answered: string,
  ctx: AskContext,
): Promise<void> {
  const { permissions } = ctx.session;
  const { surface, isDrawn, action } = answer;
  const asked = await permissions.open(key);
  const opens = surface === "page" && action === "accept" && ctx.client.surface.acceptsAsItOpens === true;
  if (opens && asked === answered)
    await permissions.waitForAnswer(asked, ctx.settings.wait_budget_s * 1000, ctx.signal);
  const decision = decisionIn(answer, ctx);
  if (decision !== "accept" && decision !== "reject") return;
  const by: Hand = { surface, ...(isDrawn && { drawn: "in_view" }) };
  const isUnused = await permissions.isOpen(asked);
  // A client without forms has shown no form.
  const about = { asked: ctx.client.showsForms ? asked : undefined, answered };
  const rule = decision === "reject" ? "refusal" : question;
  const why = whyNotCounted({ question: rule, by, given: await givenIn(ctx), isUnused, about });
  if (why === undefined) await permissions.decide(asked, decision, by);
}

/**
 * Returns what the client says that its person decided. An accept for a page only means that the page was opened or
 * left, so it holds no decision.
 */
function decisionIn({ surface, action, content }: ClientAnswer, ctx: AskContext) {
  if (action === "decline") return "reject";
  return surface === "form" && action === "accept" && partRead(ctx) === undefined ? readDecision(content) : undefined;
}

/**
 * Returns the arguments, after the program's name, with which the person does the same in their terminal. A profile is
 * kept under a short id, because nobody types a whole profile. If the profile cannot be kept, “…” stands for its
 * values.
 */
async function argsAtTerminal(
  key: string,
  tool: string,
  input: unknown,
  wanted: PermissionRequest,
  { settings, client, keepSend }: AskContext,
): Promise<string> {
  const given = Object.entries(input as Record<string, unknown>).filter(([, value]) => value !== undefined);
  const id = given.find(([name]) => name === "negotiation_id")?.[1];
  if (kindOf(wanted) === "stop") return `cancel ${id}`;
  const call = ["call", tool, ...(settings.mode === "developer" ? ["--mode developer"] : [])];
  const short = key.slice(0, 8);
  if (wanted.shownFirst !== undefined && !client.isCommandLine && keepSend !== undefined) {
    const isKept = await keepSend(short, { tool, args: Object.fromEntries(given) }).then(() => true, ignoreUnwritable);
    if (isKept) return [...call, `@${short}`].join(" ");
  }
  const pairs = given.map(
    ([name, value]) => `${name}=${/_(?:id|type)$/.test(name) && isNegotiationId(String(value)) ? value : "…"}`,
  );
  return [...call, ...pairs].join(" ");
}

const ignoreUnwritable = (error: unknown): false => {
  if (!(error instanceof TowowError)) throw error;
  return false;
};

async function ask(
  asking: Asking,
  { atTerminal, ...wanted }: PermissionRequest & { atTerminal: () => Promise<string> },
  ctx: AskContext,
): Promise<Answered> {
  const { question, title, asked, text, inRows = [title], shownFirst } = wanted;
  const { texts, pages, askAtTerminal } = ctx;
  const { key, request } = asking;
  const given = await givenIn(ctx);
  const searched = searchedIn(wanted);
  const host = namedHost(ctx);
  const about = { kind: "send", approval_id: request.id } as const;
  const onPage = () => permissionPageMessage(inRows, searched, texts, host);
  const shown = await showOn<Answered>(surfacesIn(question, ctx, given), {
    async form() {
      if (ctx.client.drawsForms && heldByTicket({ ...request, question }) !== undefined)
        return { ask: { about, message: onPage(), isDrawn: true } };
      const asked = await inForms(about, wanted, ctx);
      return asked && { ask: asked };
    },
    // The client's own approval of a writing tool stands behind an argument.
    argument: async () => (shownFirst === undefined || fitsTwice(shownFirst.text) ? shownByAi(wanted, ctx) : undefined),
    async terminal() {
      const beside = [piiSentence(searched, texts), host && texts.page.goesTo(host)].filter(
        (line) => line !== undefined,
      );
      return (await askAtTerminal?.({ title, text, beside })) ? { by: "terminal" } : refused(wanted, ctx);
    },
    async page() {
      const address = await pages?.openPermission(request);
      return address && { ask: { about, message: onPage(), url: address.forClient } };
    },
  });
  if (shown === undefined || !("by" in shown)) askAtResult(asking, wanted, ctx);
  if (shown !== undefined) return shown;
  const args = await atTerminal();
  const refuse = (page?: "open"): never => {
    const why = whyOwnHand(question, { surface: "argument" }, given);
    const params = { args, page, negotiation_id: asked.about === "stop" ? asked.negotiationId : undefined };
    throw new NeedsOwnHand(why ?? "in_no_form", params);
  };
  if (pages === undefined) return refuse();
  const { forResult } = await pages.openPermission(request);
  if (ctx.browser === "elsewhere") throw new Failure("tool.policy.blocked.decide_on_page", { url: forResult });
  const opening = await ctx.openBrowser(forResult);
  if (opening === "too_many") {
    const bound = { most: MOST_WINDOWS, minutes: WINDOWS_MINUTES };
    throw new Failure("tool.policy.blocked.too_many_windows", { ...bound, args });
  }
  if (opening === "failed") return refuse();
  const answer = ctx.client.isCommandLine ? await answerToCommand(key, request.id, ctx) : undefined;
  return answer === undefined ? refuse("open") : answered(answer, wanted, ctx);
}

type PermissionAbout = Pick<PermissionPending, "kind" | "approval_id">;

/**
 * Returns the question as a form that shows the whole text. If no such form and no page is possible, the form has one
 * line, or the text in parts one after the other.
 */
async function inForms(
  about: PermissionAbout,
  wanted: PermissionRequest,
  ctx: AskContext,
): Promise<Question | undefined> {
  const { text, inLines } = wanted;
  const kind = kindOf(wanted);
  const { texts, client } = ctx;
  const shows = client.surface.form;
  const searched = searchedIn(wanted);
  const inOne = (whole: string) => permissionForm(kind, whole, texts, { host: namedHost(ctx), searched }, shows);
  const findings = piiSentence(searched, texts);
  const form = inOne(text);
  if (form !== undefined) return { about, ...form };
  if (client.canOpenPage || inLines === undefined) return undefined;
  const line = inOne(inLines.join(" · "));
  if (line !== undefined) return { about, ...line };
  const parts = await inParts(findings === undefined ? inLines : [...inLines, findings], shows);
  return parts && nextPart(about, parts, kind, ctx);
}

function nextPart(about: PermissionAbout, parts: readonly string[], kind: PermissionKind, ctx: AskContext): Question {
  const hash = rememberedSha256(JSON.stringify(parts));
  const read = partRead(ctx);
  const number = read?.hash === hash ? read.number + 1 : 1; // In another language the parts differ, so the person begins again.
  // Only the last part asks, so in it the first question of a session names the host.
  const beside = { host: namedHost({ ...ctx, isHostNamed: false }) };
  const part = { number, of: parts.length, hash };
  return { about: { ...about, part }, ...partForm(parts, number, kind, ctx.texts, beside) };
}

/**
 * Waits for the person's answer to a page that a command has opened. The page ends with the command, so the person must
 * decide now.
 */
async function answerToCommand(key: string, id: string, { settings, signal, session }: AskContext) {
  await session.permissions.waitForAnswer(id, settings.wait_budget_s * 1000, signal);
  return session.permissions.take(key);
}

/**
 * Gives the AI the whole text to show if no surface shows what would be sent. Only a later call that names the returned
 * hash sends it. Each command is a session of its own, so for commands the hash alone is checked.
 */
async function shownByAi(wanted: PermissionRequest, ctx: AskContext): Promise<Answered> {
  const { question, shownFirst } = wanted;
  const { texts } = ctx;
  const { permissions } = ctx.session;
  if (shownFirst === undefined) return { by: "argument" };
  const hash = rememberedSha256(JSON.stringify([ctx.origin, shownFirst.sent])).slice(0, 16);
  const wasShown = ctx.client.isCommandLine || (await permissions.wasShown(hash));
  const { named } = shownFirst;
  if (named === hash && wasShown) return { by: "argument" };
  await permissions.noteShown(hash);
  const why = named === undefined ? undefined : named === hash ? texts.permission.notShown : texts.permission.otherHash;
  return {
    status: "empty",
    summary: joinLines([
      why,
      ctx.client.drawsPages && whyNotInChat(question, isStrict(ctx.settings)) === undefined
        ? texts.permission.inChat
        : undefined,
      texts.permission.showFirst,
      shownFirst.text,
      piiSentence(searchedIn(wanted), texts),
    ]),
    data: shownFirst.data(hash) as never,
    warnings: ["shown_first"],
    ...(shownFirst.foreign && { foreign: shownFirst.foreign, taints: false as const }),
  };
}

const nothingDone = (summary: string, warning: Warning): Answered => ({
  status: "empty",
  summary,
  data: null,
  warnings: [warning],
});

/**
 * The most parts that a person is asked to read one after the other. Each part is one question, and a call asks at most
 * nine.
 */
const MAX_PARTS = 8;

/**
 * Splits lines into parts that a form shows whole, one after the other. Returns undefined if no form shows some part of
 * the text, or if there would be too many parts.
 */
export async function inParts(lines: readonly string[], shows: FormGeometry): Promise<string[] | undefined> {
  let rest = inOneMessage(lines, shows);
  const parts: string[] = [];
  while (rest !== "") {
    const head = headOf(rest, shows);
    if (head === "" || parts.length === MAX_PARTS) return undefined;
    parts.push(head.trim());
    rest = rest.slice(head.length).trimStart();
    await turn(); // Measuring is expensive, so other work gets its turn.
  }
  return parts;
}

/**
 * Joins lines into one message. If a client keeps no line breaks, a dot stands between lines, and an arrow marks a line
 * break in the person's own text.
 */
function inOneMessage(lines: readonly string[], { keepsLineBreaks }: FormGeometry): string {
  const shown = lines.map((line) => showInvisible(line).replaceAll("\t", " ").trim());
  return keepsLineBreaks ? shown.join("\n") : shown.map((line) => line.replaceAll(/\s*\n\s*/g, " ↵ ")).join(" · ");
}

/**
 * The places where a part may end, the best first. They are after a line, after a sentence or a clause, and after a
 * word.
 */
const ENDS = [/\n| · /gu, /[.;!?] |[。；！？]/gu, /[\s，：、]/gu];
const lastEnd = (text: string, ending: RegExp): number =>
  Math.max(0, ...[...text.matchAll(ending)].map((found) => found.index + found[0].length));

/** Returns the longest beginning that a form shows whole, up to one of {@link ENDS} in its second half. */
function headOf(text: string, shows: FormGeometry): string {
  const most = shows.messageRows * shows.messageColumns * UNITS_PER_COLUMN;
  const letters = [...new Intl.Segmenter().segment(text.slice(0, most).toWellFormed())].map(({ segment }) => segment);
  const first = (count: number) => letters.slice(0, count).join("");
  let [fits, toTry] = [0, letters.length];
  while (fits < toTry) {
    const middle = Math.ceil((fits + toTry) / 2);
    if (fitsMessage(first(middle).trimEnd(), shows)) fits = middle;
    else toTry = middle - 1;
  }
  const head = first(fits);
  if (head.length >= text.length) return text;
  const end = ENDS.map((ending) => lastEnd(head, ending)).find((at) => at > head.length / 2);
  return head.slice(0, end);
}
