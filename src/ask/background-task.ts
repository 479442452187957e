import type { Negotiation } from "../backend/contract.ts";
import { TowowError } from "../errors.ts";
import { BackendUrlMissing } from "../home/errors.ts";
import { hostOf } from "../home/origin.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import { progressText, summarise } from "../negotiation/describe.ts";
import { alreadyDecidedBy } from "../negotiation/errors.ts";
import type { Answered, Facts, Shape } from "../negotiation/facts.ts";
import { isFinal } from "../negotiation/polling.ts";
import { isUndecided, reduce, type Stage } from "../negotiation/stage.ts";
import { messageOf } from "../result/tool-error.ts";
import { isBlank } from "../safety/invisible.ts";
import { sanitizeOptions } from "../safety/sanitize/options.ts";
import type { TaskMemory } from "../session/task-memory.ts";
import { rememberedSha256 } from "../sha256.ts";
import { joinSentences } from "../text/join.ts";
import { networkTexts } from "../text/network.ts";
import { fateOf } from "../view/fate.ts";
import { askForOwnText, askInForm, askPerson, deadlineIn } from "./ask-person.ts";
import { byThen } from "./consequences.ts";
import type { AskContext } from "./context.ts";
import { decisionPathOf } from "./decision-path.ts";
import { answerPause, TEXT_CHANGED } from "./pause.ts";
import { howToDecide } from "./pause-result.ts";
import {
  type AskedAgain,
  declinedSentence,
  type FormulationPending,
  isPersons,
  type Question,
  readDecision,
  readOwnText,
} from "./questions.ts";
import { isWholeInField, wholeInForm } from "./whole.ts";

/**
 * This file shows a negotiation as a background task (extension `io.modelcontextprotocol/tasks`). The task has no state
 * of its own. It is derived from the negotiation's facts and from the backend's answers, so it survives a restart and
 * is the same at every replica.
 */

/** Where a task stands. `message` is one sentence for the person. */
export type TaskView =
  /** `isAtWork` says that agents are working and nobody waits for the person. */
  | { status: "working"; message: string; isAtWork?: boolean }
  | { status: "cancelled"; message: string }
  | { status: "input_required"; message: string; asked: TaskQuestion }
  /** The result is what `towow_status` says about the negotiation. */
  | { status: "completed" };

/** The question that a task puts to the person, one at a time. Its key is never used for another question. */
interface TaskQuestion {
  key: string;
  question: Question & { about: FormulationPending };
}

/** The age up to which a view is not read again, in milliseconds, because a client may poll as often as it likes. */
const FRESH_MS = 900;
/**
 * The same age while the person decides, in milliseconds. A view may then be older, because an answer is taken at once
 * anyway.
 */
const FRESH_WHILE_ASKING_MS = 2_500;
/** The least time before the person is asked again after an answer that decides nothing, in milliseconds. */
const QUIET_MS = 30_000;
/** The least time before a person who has just opened the page is asked again, in milliseconds. */
const PAGE_QUIET_MS = 120_000;

/**
 * Returns where the task of a negotiation stands. A question that the task asks is written down first, as every
 * question is.
 */
export async function viewTask(id: string, ctx: AskContext, memory: TaskMemory): Promise<TaskView> {
  const { task } = ctx.texts;
  const seen = await readDemand(id, ctx);
  const facts = await ctx.negotiations.facts(id);
  const stage = await ctx.negotiations.stage(id, seen.negotiation);
  if (facts.isUnfollowed)
    return { status: "cancelled", message: await cancelledText(id, stage, seen.negotiation, ctx) };
  if (isEnded(seen, stage)) return { status: "completed" };
  const { negotiation } = seen;
  if (negotiation === undefined || (seen.isAway && stage.name !== "asking"))
    return { status: "working", message: awayText(stage, seen, ctx, await noByThen(id, stage, ctx)) };
  if (stage.name !== "asking") {
    const progress = progressText(ctx.negotiations.says(stage, negotiation), ctx.texts, sanitizeOptions(ctx.settings));
    const message = joinSentences([memory.answered, memory.stillPossible, progress]);
    return { status: "working", message, isAtWork: stage.name === "moving" };
  }
  const last = lastAnswer(formulatedText(negotiation), stage, facts, ctx);
  if (isQuiet(last, ctx, memory)) return { status: "working", message: memory.notice?.text ?? task.undecided(id) };
  const asked = await currentQuestion(negotiation, last, facts, ctx, memory);
  if (asked === undefined)
    return {
      status: "working",
      message: joinSentences(howToDecide(id, await decisionPathOf(id, stage, ctx), ctx, { unshown: "text" })),
    };
  const due = await ctx.negotiations.claimQuestion(negotiation, formulatedText(negotiation));
  return { status: "input_required", message: memory.notice?.text ?? task.waits(deadlineIn(due.silence, ctx)), asked };
}

/** Returns the last answer about the text that waits now, or undefined before the first. */
function lastAnswer(text: string, stage: Stage, facts: Facts, ctx: AskContext): Answered | undefined {
  const hash = rememberedSha256(text);
  const ids = stage.questions.filter((asked) => asked.formulated_hash === hash).map((asked) => asked.question_id);
  return ctx.negotiations.tasks.lastAnswer(facts, ids);
}

/** Returns the open question with its key, or undefined if this client has no surface for it or may not decide. */
async function currentQuestion(
  negotiation: Negotiation,
  last: Answered | undefined,
  facts: Facts,
  ctx: AskContext,
  memory: TaskMemory,
): Promise<TaskQuestion | undefined> {
  const asked = mayDecide(ctx) ? await askAgain(negotiation, last?.next, ctx, memory) : undefined;
  if (asked === undefined) return undefined;
  const question = asked.ask as TaskQuestion["question"];
  const { about } = question;
  const shape = "url" in question ? "page" : about.asks === "text" ? "write" : "form";
  const { tasks } = ctx.negotiations;
  const { confirmation_id: questionId } = about;
  const taken = tasks.answersTaken(facts, questionId);
  const showing = { questionId, shape, taken, attempt: memory.untaken ?? 0 } as const;
  return { key: await tasks.show(memory.of.id, showing, facts), question };
}

/**
 * Returns whether this client may decide. The profile and the lists of tools that apply to calls apply to background
 * tasks too.
 */
const mayDecide = ({ client }: AskContext): boolean => client.decidingTools.length > 0;

async function askAgain(
  negotiation: Negotiation,
  next: Answered["next"],
  ctx: AskContext,
  { typed, notice }: TaskMemory,
) {
  if (next === "write") return askForOwnText(negotiation, ctx);
  const askedAgain = notice?.askedAgain;
  // Each poll must repeat the question word for word, and each drawn question has a new ticket, so a task asks in forms.
  const inForms = { ...ctx, client: { ...ctx.client, drawsForms: false } };
  const shown =
    next === "see_typed" && typed !== undefined
      ? await askInForm(negotiation, ctx, { ownText: typed, askedAgain })
      : undefined;
  return shown ?? askPerson(negotiation, inForms, undefined, askedAgain);
}

/** Returns whether the task of a negotiation has its result. It asks nobody. */
export async function isCompleted(id: string, ctx: AskContext): Promise<boolean> {
  const seen = await readDemand(id, ctx);
  const { isUnfollowed } = await ctx.negotiations.facts(id);
  return !isUnfollowed && isEnded(seen, await ctx.negotiations.stage(id, seen.negotiation));
}

const isEnded = ({ isGone }: Seen, { name }: Stage): boolean =>
  isGone === true || name === "over" || name === "not_found";

interface Seen {
  negotiation: Negotiation | undefined;
  /** Present if the backend does not answer now. `negotiation` is then what it showed before, if anything. */
  isAway?: true;
  /** Present if the negotiation belongs to another backend than the one that this program works with. */
  isElsewhere?: true;
  /** Present if it is of no use to ask the backend again. */
  isGone?: true;
}

/** Reads what the backend shows now, or returns what it showed last. */
async function readDemand(id: string, ctx: AskContext): Promise<Seen> {
  const { name } = await ctx.negotiations.stageForNo(id);
  try {
    const freshMs = name === "asking" ? FRESH_WHILE_ASKING_MS : FRESH_MS;
    return { negotiation: await ctx.negotiations.recent(id, freshMs) };
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    const isOpen = isUndecided({ name }) || name === "confirming" || name === "cancelling";
    if (isFinal(error) && !isOpen) return { negotiation: undefined, isGone: true };
    const isElsewhere = error instanceof BackendUrlMissing && ctx.settings.backend_url !== undefined;
    return { negotiation: ctx.negotiations.lastSeen(id), isAway: true, ...(isElsewhere && { isElsewhere }) };
  }
}

/**
 * Returns whether the person must not be asked again yet. A text that the person typed is in one program's memory only,
 * so the other programs give that program time to show it.
 */
function isQuiet(last: Answered | undefined, ctx: AskContext, { typed }: TaskMemory): boolean {
  if (last === undefined) return false;
  const isElsewhere = last.next === "see_typed" && typed === undefined;
  return ctx.now() < last.at + (last.quiet_ms ?? (isElsewhere ? PAGE_QUIET_MS : 0));
}

/**
 * Says what the backend does at its deadline if a no that is on its way has not arrived. Returns undefined if no such
 * no is on its way.
 */
export async function noByThen(id: string, stage: Stage, ctx: AskContext): Promise<string | undefined> {
  const { negotiations, texts, now, timeOfDay } = ctx;
  const fate = fateOf(negotiations.says(stage, undefined), await negotiations.guard(id, stage));
  return fate?.of === "no" ? byThen(fate, { now: now(), lang: texts.lang, timeOfDay }) : undefined;
}

/** Says what is written down about the negotiation, because the backend does not answer. */
function awayText({ name }: Stage, { isElsewhere }: Seen, { origin, texts }: AskContext, ifNot?: string): string {
  const { task, state } = texts;
  if (isElsewhere) return task.otherBackend(networkTexts(texts.lang).name(hostOf(origin)));
  if (name === "confirming") return state.confirming;
  return name === "cancelling" ? joinSentences([state.cancelling, ifNot]) : task.backendAway;
}

/** Says what became of a demand whose task was cancelled. */
async function cancelledText(
  id: string,
  stage: Stage,
  seen: Negotiation | undefined,
  ctx: AskContext,
): Promise<string> {
  const { task, unshown } = ctx.texts;
  const said = ctx.negotiations.says(stage, seen);
  const guard = await ctx.negotiations.guard(id, stage);
  if (stage.name === "cancelling") return joinSentences([task.notWithdrawnYet, unshown.going(guard.isGuarded)]);
  if (stage.name === "over" || stage.name === "not_found") return summarise(said, ctx.texts);
  const fate = fateOf(said, guard);
  if (fate?.of !== "silence") return task.unfollowed(id);
  return task.notWithdrawn(id, deadlineIn(fate, ctx));
}

interface AnsweredQuestion {
  shape: Shape;
  /** When the question was shown, in ms since the epoch. */
  shownAt: number;
  about: FormulationPending;
  /** How many answers to the question were taken before. */
  taken: number;
  answer: unknown;
}

/**
 * The longest that an acknowledgement waits for the decision to be written down, in milliseconds. The decision is
 * carried out afterwards.
 */
const ANSWER_MS = 2_000;

/**
 * Takes the person's answers, whether or not the backend answers now. An answer to a question that is no longer asked
 * decides nothing, and the task says so. Of two answers to one question the first counts, wherever they arrive.
 */
export async function answerTask(
  id: string,
  responses: Readonly<Record<string, unknown>>,
  ctx: AskContext,
  memory: TaskMemory,
): Promise<void> {
  const facts = await ctx.negotiations.factsForNo(id);
  const stage = reduce(facts);
  if (stage.name !== "asking") return noteLate(id, Object.values(responses), stage, ctx, memory);
  const seen = ctx.negotiations.lastSeen(id);
  const asked = answeredQuestion(responses, seen, { stage, facts }, ctx, memory);
  if (typeof asked === "string") {
    const { olderAnswer, noSurface } = ctx.texts.task;
    const text = asked === "not_asked" ? olderAnswer : noSurface(id);
    memory.notice = { text, askedAgain: "failed" };
    return;
  }
  const answer = answerOf(asked.answer);
  if (!mayDecide(ctx) && !isNo(answer)) return; // The status says who may decide.
  const byPerson = isPersons(answer.action, ctx.now() - asked.shownAt);
  if (!byPerson && asked.shape === "page") ctx.client.pageUnseen();
  const follow = followUp(asked, answer, byPerson, ctx);
  delete memory.notice;
  if (follow.isNeverLeft) await ctx.negotiations.neverLeave(id);
  const taken = await take(id, asked, follow, ctx);
  if (taken === "by_another") return;
  if (taken !== "here" && !(follow.decides && isNo(answer))) {
    memory.untaken = (memory.untaken ?? 0) + 1;
    memory.notice = { text: failureText(taken, ctx), askedAgain: "failed" };
    return;
  }
  if (follow.notice !== undefined)
    memory.notice = { text: follow.notice, ...(follow.askedAgain && { askedAgain: follow.askedAgain }) };
  if (follow.typed !== undefined) memory.typed = follow.typed;
  if (!follow.decides) return;
  if (answer.action === "decline") memory.answered = declinedSentence(ctx.now() - asked.shownAt, ctx.texts);
  const { about } = asked;
  const decision = { about, surface: "form", ...answer } as const;
  const decided = answerPause(decision, "towow_demand", ctx).then((outcome) => {
    // If the outcome asks again, nothing was decided, because the text differs from the one that the person was shown.
    if ("ask" in outcome || ("warnings" in outcome && outcome.warnings?.includes(TEXT_CHANGED)))
      memory.notice = { text: ctx.texts.note.text_changed, askedAgain: "changed" };
  });
  await written(id, decided, ctx, (text) => {
    memory.notice = { text, askedAgain: "failed" };
  });
}

/**
 * Finds the question that an answer belongs to. The question must have been shown and must still be asked, and this
 * client must have the surface that showed it. The written facts decide this without the backend. `seen` is what the
 * backend showed last, if anything.
 */
function answeredQuestion(
  answers: Readonly<Record<string, unknown>>,
  seen: Negotiation | undefined,
  { stage, facts }: { stage: Stage; facts: Facts },
  ctx: AskContext,
  memory: TaskMemory,
): AnsweredQuestion | "not_asked" | "no_surface" {
  const { negotiations, client } = ctx;
  const text = seen?.demand_formulated == null ? undefined : rememberedSha256(formulatedText(seen));
  const current = text ?? stage.questions.at(-1)?.formulated_hash;
  for (const { question_id, formulated_hash, shown_hash } of stage.questions) {
    if (formulated_hash !== current) continue;
    const ownText = shown_hash === formulated_hash ? undefined : memory.typed;
    if (shown_hash !== formulated_hash && shown_hash !== (ownText && rememberedSha256(ownText))) continue;
    const shown = negotiations.tasks.shownUnder(Object.keys(answers), question_id, facts);
    if (shown === undefined) continue;
    const { key, shape, taken, at: shownAt } = shown;
    // `decide` applies the policy. Under `strict` a form that was still open may say no.
    if (!(shape === "page" ? client.canOpenPage : client.showsForms)) return "no_surface";
    const about: FormulationPending = {
      kind: "formulation",
      negotiation_id: memory.of.id,
      confirmation_id: question_id,
      ...(shape === "write" && { asks: "text" }),
      ...(ownText !== undefined && { own_text: ownText }),
    };
    return { shape, shownAt, about, taken, answer: answers[key] };
  }
  return "not_asked";
}

/** Notes an answer that differs from an earlier decision, so that the person learns that it had no effect. */
function noteLate(
  id: string,
  [response]: unknown[],
  stage: Stage,
  { texts, negotiations, now }: AskContext,
  memory: TaskMemory,
): void {
  const { action, content } = answerOf(response);
  const said = action === "decline" ? "reject" : action === "accept" ? readDecision(content) : undefined;
  if (said === undefined || said === stage.decision?.kind || stage.name === "formulating") return;
  const { told } = negotiations.says(stage, negotiations.lastSeen(id));
  const message = messageOf(alreadyDecidedBy(id, told, now()), texts);
  const isUnderWay = stage.name === "confirming" || stage.name === "moving";
  memory.answered = texts.task.late(message);
  memory.stillPossible = isUnderWay ? texts.task.stillPossible(id) : undefined;
}

/** The consequences of an answer. If the answer decides nothing, they say what comes next. */
interface FollowUp extends Pick<Answered, "quiet_ms" | "next"> {
  decides?: true;
  typed?: string;
  notice?: string;
  askedAgain?: AskedAgain;
  isNeverLeft?: true;
}

/**
 * How often a person who says that they are done, but has not decided, is asked again at once. No person answers that
 * often.
 */
const DONE_UNDECIDED = 2;

function followUp(
  { shape, about, taken }: AnsweredQuestion,
  { action, content }: Answer,
  byPerson: boolean,
  { texts: { task }, client }: AskContext,
): FollowUp {
  // A client that declines pages unseen is asked in another way, at once.
  if (!byPerson && shape === "page") return {};
  if (action === "cancel" || !byPerson) return { quiet_ms: QUIET_MS };
  if (shape === "page" && action === "decline")
    return { quiet_ms: PAGE_QUIET_MS, notice: task.pageDeclined(about.negotiation_id), isNeverLeft: true };
  if (shape === "page") {
    const notice = task.onPage(about.negotiation_id);
    return taken < DONE_UNDECIDED ? { notice, askedAgain: "undecided" } : { quiet_ms: PAGE_QUIET_MS, notice };
  }
  if (action === "decline") return shape === "write" ? {} : { decides: true };
  if (shape === "form") {
    const decision = readDecision(content);
    if (decision === undefined) return { quiet_ms: QUIET_MS };
    return decision === "edit" ? { next: "write", isNeverLeft: true } : { decides: true };
  }
  const typed = readOwnText(content);
  if (typed === undefined) return { quiet_ms: QUIET_MS };
  if (!typed.isWellFormed()) return { next: "write", notice: task.illFormedText };
  if (isBlank(typed)) return { next: "write", notice: task.emptyText };
  if (isWholeInField(typed, client.surface.form)) return { decides: true };
  if (wholeInForm(typed, client.surface.form) !== undefined) return { next: "see_typed", typed };
  return { quiet_ms: QUIET_MS, notice: task.typedTooLong(about.negotiation_id) };
}

/**
 * Records an answer. Returns which program has taken it, or the error that kept it from being written down. After such
 * an error the question is asked again, unless the answer was a no.
 */
async function take(
  id: string,
  { about, taken }: AnsweredQuestion,
  { quiet_ms, next }: FollowUp,
  { negotiations }: AskContext,
): Promise<"here" | "by_another" | TowowError> {
  const fact = { ...(quiet_ms !== undefined && { quiet_ms }), ...(next !== undefined && { next }) };
  try {
    const isTaken = await negotiations.tasks.takeAnswer(id, { questionId: about.confirmation_id, taken }, fact);
    return isTaken ? "here" : "by_another";
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return error;
  }
}

/**
 * Resolves once a decision is written down or cannot be made. If it cannot, `onFailure` is called and the person is
 * asked again.
 */
async function written(
  id: string,
  deciding: Promise<unknown>,
  ctx: AskContext,
  onFailure: (message: string) => void,
): Promise<void> {
  const decided = deciding.catch((error) => {
    if (!(error instanceof TowowError)) throw error;
    onFailure(failureText(error, ctx));
  });
  // If the facts are unreadable, the decision itself is awaited.
  const isWritten = ctx.negotiations.untilDecided(id, ANSWER_MS).catch(() => decided);
  await Promise.race([decided, isWritten]);
}

const failureText = (error: TowowError, { texts }: AskContext): string => texts.task.failed(messageOf(error, texts));

/**
 * Ends the task. An undecided demand is withdrawn. A decided demand goes on, because agents already work on it, and is
 * only no longer followed. From then on, the task reports what became of the demand.
 */
export async function cancelTask(id: string, ctx: AskContext): Promise<void> {
  const { negotiation } = await readDemand(id, ctx);
  const { name } = await ctx.negotiations.stageForNo(id, negotiation);
  if (isUndecided({ name })) {
    await written(id, ctx.negotiations.cancel(id, "client", { onlyUndecided: true }), ctx, () => {});
  }
  // Under `dry_run` nothing is withdrawn, so agents are still asked.
  if (name !== "over" && ctx.settings.profile !== "dry_run") await ctx.negotiations.unfollow(id);
}

interface Answer {
  action: "accept" | "decline" | "cancel";
  content: unknown;
}

const isNo = ({ action, content }: Answer): boolean =>
  action === "decline" || (action === "accept" && readDecision(content) === "reject");

/** Reads what a client sends as its person's answer. Its content is untrusted. */
function answerOf(response: unknown): Answer {
  const { action, content } = (response ?? {}) as { action?: unknown; content?: unknown };
  return { action: action === "accept" || action === "decline" ? action : "cancel", content };
}
