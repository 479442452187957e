import type { Negotiation } from "../backend/contract.ts";
import { TowowError } from "../errors.ts";
import { progressText } from "../negotiation/describe.ts";
import type { Facts } from "../negotiation/facts.ts";
import { isFinal } from "../negotiation/polling/reader.ts";
import { toToolError } from "../result/tool-error.ts";
import type { TaskMemory } from "../session/task-memory.ts";
import { askForOwnText, askInForm, askOnPage, askPerson } from "./choose-surface.ts";
import type { AskContext } from "./context.ts";
import { answerPause } from "./pause.ts";
import { howToDecide } from "./pause-result.ts";
import type { FormulationPending, Question } from "./questions.ts";

/**
 * A negotiation as a background task (extension `io.modelcontextprotocol/tasks`). It is no state of its own: the
 * negotiation's facts and what the backend shows are all that there is, so that it survives a restart and is the same at
 * every replica.
 */

/** One question that a task puts to the person, under a key that is never used for another one. */
export interface TaskQuestion {
  key: string;
  question: Question & { about: FormulationPending };
  /** How many answers to it have been taken. */
  taken: number;
}

/** Where a task stands. `message`: one sentence for the person. */
export type TaskView =
  | { status: "working" | "cancelled"; message: string }
  | { status: "input_required"; message: string; asked: TaskQuestion }
  /** What `towow_status` says of it is the result. */
  | { status: "completed" };

/** What was seen within this time, in milliseconds, is not read again: a client may poll as often as it likes. */
export const FRESH_MS = 900;
/** After an answer that decides nothing, the person is asked again no sooner than this, in milliseconds. */
const QUIET_MS = 30_000;
/** The time that a person has on the page that they have just opened, before they are asked again, in milliseconds. */
const PAGE_QUIET_MS = 120_000;
/** No person answers a question within this time after it was first shown, in milliseconds: their client did. */
const PERSON_MS = 300;

/** Where the task of a negotiation stands. Writes down the question that it asks, as every question is. */
export async function viewTask(id: string, ctx: AskContext, memory: TaskMemory): Promise<TaskView> {
  const { task } = ctx.texts;
  const facts = await ctx.negotiations.facts(id);
  if (facts.isUnfollowed) return { status: "cancelled", message: task.unfollowed(id) };
  const negotiation = await look(id, ctx);
  const stage = await ctx.negotiations.stage(id, negotiation === "gone" ? undefined : negotiation);
  if (negotiation === "gone" || stage.name === "over" || stage.name === "not_found") return { status: "completed" };
  if (negotiation === undefined) return { status: "working", message: task.backendAway };
  if (stage.name !== "asking") return { status: "working", message: progressText(negotiation, stage, ctx.texts) };
  if (isQuiet(memory, ctx)) return { status: "working", message: memory.notice ?? task.undecided(id) };
  const asked = await currentQuestion(negotiation, facts, ctx, memory);
  if (asked === undefined) return { status: "working", message: howToDecide(id, ctx, "text") };
  if (!memory.shownAt.has(asked.key)) memory.shownAt.set(asked.key, ctx.monotonic());
  return { status: "input_required", message: memory.notice ?? task.waits, asked };
}

/**
 * Takes the person's answers. One to a question that is not asked any more decides nothing, and the task says so; of two
 * answers to one question, wherever they arrive, the first one counts.
 */
export async function answerTask(
  id: string,
  responses: Readonly<Record<string, unknown>>,
  ctx: AskContext,
  memory: TaskMemory,
): Promise<void> {
  const { task } = ctx.texts;
  const facts = await ctx.negotiations.facts(id);
  const negotiation = await ctx.negotiations.recent(id, FRESH_MS);
  if ((await ctx.negotiations.stage(id, negotiation)).name !== "asking") return;
  const asked = await currentQuestion(negotiation, facts, ctx, memory);
  if (asked === undefined || !(asked.key in responses)) {
    memory.notice = task.olderAnswer;
    return;
  }
  const { key, question, taken } = asked;
  const { about } = question;
  const shownMs = ctx.monotonic() - (memory.shownAt.get(key) ?? Number.NEGATIVE_INFINITY);
  if (!(await ctx.negotiations.takeAnswer(id, about.confirmation_id, taken))) return;
  delete memory.step;
  delete memory.notice;
  const surface = "url" in question ? "page" : "form";
  const { action, content } = answerOf(responses[key]);
  const isPersons = shownMs >= PERSON_MS;
  if (action === "decline" && isPersons) {
    await ctx.negotiations.decide({ negotiationId: id, kind: "reject", by: "form", editSeen: true });
    return;
  }
  if (action !== "accept" || surface === "page") {
    memory.quietUntil = ctx.monotonic() + (surface === "page" && action === "accept" ? PAGE_QUIET_MS : QUIET_MS);
    if (action === "accept") memory.notice = task.onPage(id);
    return;
  }
  try {
    const outcome = await answerPause({ about, surface, action, content }, "towow_demand", ctx);
    if ("ask" in outcome) memory.step = stepOf(outcome.ask);
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    memory.notice = toToolError(error, { texts: ctx.texts, idempotent: true, callable: () => false }).message;
  }
}

/**
 * Ends the task: while nobody has decided, the demand is withdrawn; after that others are at work on it, and it is only
 * followed no more.
 */
export async function cancelTask(id: string, ctx: AskContext): Promise<void> {
  const { name } = await ctx.negotiations.stage(
    id,
    await look(id, ctx).then((seen) => (seen === "gone" ? undefined : seen)),
  );
  if (name === "formulating" || name === "asking")
    await ctx.negotiations.decide({ negotiationId: id, kind: "reject", by: "argument", editSeen: true });
  if (name !== "over") await ctx.negotiations.unfollow(id);
}

/** What the backend shows now; undefined while it does not answer, `gone` where asking again is of no use. */
async function look(id: string, ctx: AskContext): Promise<Negotiation | undefined | "gone"> {
  try {
    return await ctx.negotiations.recent(id, FRESH_MS);
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    const { name } = await ctx.negotiations.stage(id);
    const isGuarded = name === "formulating" || name === "asking" || name === "confirming" || name === "cancelling";
    return isFinal(error) && !isGuarded ? "gone" : undefined;
  }
}

const isQuiet = ({ quietUntil }: TaskMemory, ctx: AskContext): boolean =>
  quietUntil !== undefined && ctx.monotonic() < quietUntil;

/** The question that is open now, with its key; undefined where this client has no surface for it. */
async function currentQuestion(
  negotiation: Negotiation,
  facts: Facts,
  ctx: AskContext,
  { step }: TaskMemory,
): Promise<TaskQuestion | undefined> {
  const asked = await ask(negotiation, ctx, step);
  if (asked === undefined) return undefined;
  const question = asked.ask as TaskQuestion["question"];
  const surface = "url" in question ? "page" : "form";
  const taken = ctx.negotiations.answersTaken(facts, question.about.confirmation_id);
  const hash = ctx.negotiations.hash(JSON.stringify([question.about, surface, taken]));
  return { key: `question-${hash.slice(0, 16)}`, question, taken };
}

function ask(negotiation: Negotiation, ctx: AskContext, step: TaskMemory["step"]) {
  if (step === "form") return askForOwnText(negotiation, { ...ctx, canOpenPage: false });
  if (step === "page") return askOnPage(negotiation, ctx);
  return step === undefined ? askPerson(negotiation, ctx) : askInForm(negotiation, ctx, step.ownText);
}

function stepOf(question: Question): TaskMemory["step"] {
  if ("url" in question) return "page";
  const { asks, own_text: ownText } = question.about as FormulationPending;
  return asks === "text" ? "form" : ownText === undefined ? undefined : { ownText };
}

/** Untrusted: what a client sends as its person's answer. */
function answerOf(response: unknown): { action: "accept" | "decline" | "cancel"; content: unknown } {
  const { action, content } = (response ?? {}) as { action?: unknown; content?: unknown };
  return { action: action === "accept" || action === "decline" ? action : "cancel", content };
}
