import type { Negotiation } from "../backend/contract.ts";
import { TowowError } from "../errors.ts";
import { BackendUrlMissing } from "../home/errors.ts";
import { hostOf } from "../home/origin.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import { progressText, summarise } from "../negotiation/describe.ts";
import type { Answered, Facts } from "../negotiation/facts.ts";
import { isFinal } from "../negotiation/polling.ts";
import { isUndecided, type Stage } from "../negotiation/stage.ts";
import { sanitizeOptions } from "../safety/sanitize/options.ts";
import type { TaskMemory } from "../session/task-memory.ts";
import { joinSentences } from "../text/join.ts";
import { networkTexts } from "../text/network.ts";
import { fateOf } from "../view/fate.ts";
import { askForOwnText, askInForm, askPerson, deadlineIn } from "./ask-person.ts";
import type { AskContext } from "./context.ts";
import { decisionPathOf } from "./decision-path.ts";
import { byThen } from "./on-its-way.ts";
import { howToDecide } from "./pause-result.ts";
import type { FormulationPending, Question } from "./questions.ts";

/**
 * A negotiation as a background task (extension `io.modelcontextprotocol/tasks`). The task has no state of its own: it
 * is derived from the negotiation's facts and what the backend shows, so it survives a restart and is the same at
 * every replica.
 */

/** Describes where a task stands. `message` is one sentence for the person. */
export type TaskView =
  /** `isAtWork`: agents are working, and nobody waits for the person. */
  | { status: "working"; message: string; isAtWork?: boolean }
  | { status: "cancelled"; message: string }
  | { status: "input_required"; message: string; asked: TaskQuestion }
  /** The result is what `towow_status` says of the negotiation. */
  | { status: "completed" };

/** A task puts one question to the person at a time. Its key is never used for another question. */
interface TaskQuestion {
  key: string;
  question: Question & { about: FormulationPending };
}

/** A client may poll as often as it likes, so a view younger than this, in milliseconds, is not read again. */
const FRESH_MS = 900;
/** While the person decides, a view may be older, in milliseconds: their answer is taken at once anyway. */
const FRESH_WHILE_ASKING_MS = 2_500;
/** After an answer that decides nothing, the person is asked again no sooner than this, in milliseconds. */
export const QUIET_MS = 30_000;
/** A person who has just opened the page has this long, in milliseconds, before they are asked again. */
export const PAGE_QUIET_MS = 120_000;

/** Returns where the task of a negotiation stands. The question that it asks is written down, as every question is. */
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
  const hash = ctx.negotiations.hash(text);
  const ids = stage.questions.filter((asked) => asked.formulated_hash === hash).map((asked) => asked.question_id);
  return ctx.negotiations.tasks.lastAnswer(facts, ids);
}

/** Returns the open question with its key, or undefined where this client has no surface for it or may not decide. */
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

/** The profile and the tool lists bind the background too. */
export const mayDecide = ({ client }: AskContext): boolean => client.decidingTools.length > 0;

async function askAgain(
  negotiation: Negotiation,
  next: Answered["next"],
  ctx: AskContext,
  { typed, notice }: TaskMemory,
) {
  if (next === "write") return askForOwnText(negotiation, ctx);
  const askedAgain = notice?.askedAgain;
  const shown =
    next === "see_typed" && typed !== undefined
      ? await askInForm(negotiation, ctx, { ownText: typed, askedAgain })
      : undefined;
  return shown ?? askPerson(negotiation, ctx, undefined, askedAgain);
}

/** Returns whether the task of a negotiation has its result. Asks nobody. */
export async function isCompleted(id: string, ctx: AskContext): Promise<boolean> {
  const seen = await readDemand(id, ctx);
  const { isUnfollowed } = await ctx.negotiations.facts(id);
  return !isUnfollowed && isEnded(seen, await ctx.negotiations.stage(id, seen.negotiation));
}

const isEnded = ({ isGone }: Seen, { name }: Stage): boolean =>
  isGone === true || name === "over" || name === "not_found";

interface Seen {
  negotiation: Negotiation | undefined;
  /** The backend does not answer now: this is what it showed before, if anything. */
  isAway?: true;
  /** Its backend is not the one that this program works with. */
  isElsewhere?: true;
  /** It is no use to ask again. */
  isGone?: true;
}

/** Reads what the backend shows now. */
export async function readDemand(id: string, ctx: AskContext): Promise<Seen> {
  const { name } = await ctx.negotiations.stageForNo(id);
  try {
    const freshMs = name === "asking" ? FRESH_WHILE_ASKING_MS : FRESH_MS;
    return { negotiation: await ctx.negotiations.recent(id, freshMs) };
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    const isGuarded = isUndecided({ name }) || name === "confirming" || name === "cancelling";
    if (isFinal(error) && !isGuarded) return { negotiation: undefined, isGone: true };
    const isElsewhere = error instanceof BackendUrlMissing && ctx.settings.backend_url !== undefined;
    return { negotiation: ctx.negotiations.lastSeen(id), isAway: true, ...(isElsewhere && { isElsewhere }) };
  }
}

/** A text that the person typed is in one program's memory, so the other programs leave that one time to show it. */
function isQuiet(last: Answered | undefined, ctx: AskContext, { typed }: TaskMemory): boolean {
  if (last === undefined) return false;
  const isElsewhere = last.next === "see_typed" && typed === undefined;
  return ctx.now() < last.at + (last.quiet_ms ?? (isElsewhere ? PAGE_QUIET_MS : 0));
}

/**
 * Says what the backend does at its deadline if the no has not arrived, or returns undefined where no such no is on
 * its way.
 */
export async function noByThen(id: string, stage: Stage, ctx: AskContext): Promise<string | undefined> {
  const { negotiations, texts, now, timeOfDay } = ctx;
  const fate = fateOf(negotiations.says(stage, undefined), await negotiations.guard(id, stage));
  return fate?.of === "no" ? byThen(fate, { now: now(), lang: texts.lang, timeOfDay }) : undefined;
}

/** While the backend does not answer, only what is written down can be said. */
function awayText({ name }: Stage, { isElsewhere }: Seen, { origin, texts }: AskContext, ifNot?: string): string {
  const { task, state } = texts;
  if (isElsewhere) return task.otherBackend(networkTexts(texts.lang).name(hostOf(origin)));
  if (name === "confirming") return state.confirming;
  return name === "cancelling" ? joinSentences([state.cancelling, ifNot]) : task.backendAway;
}

/** Says what has become of a demand whose task was cancelled. */
async function cancelledText(
  id: string,
  stage: Stage,
  seen: Negotiation | undefined,
  ctx: AskContext,
): Promise<string> {
  const { task, unshown } = ctx.texts;
  const said = ctx.negotiations.says(stage, seen);
  const guard = await ctx.negotiations.guard(id, stage);
  if (stage.name === "cancelling") return joinSentences([task.notWithdrawnYet, unshown.going(guard.isWatched)]);
  if (stage.name === "over" || stage.name === "not_found") return summarise(said, ctx.texts);
  const fate = fateOf(said, guard);
  if (fate?.of !== "silence") return task.unfollowed(id);
  return task.notWithdrawn(id, deadlineIn(fate, ctx));
}
