import type { Negotiation } from "../backend/contract.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import type { Answered, Facts } from "../negotiation/facts.ts";
import type { Stage } from "../negotiation/stage.ts";
import type { TaskMemory } from "../session/task-memory.ts";
import { askForOwnText, askInForm, askPerson } from "./choose-surface.ts";
import type { AskContext } from "./context.ts";
import type { FormulationPending, Question } from "./questions.ts";

/** How a question is put: a form about a text, a form for a text of one's own, or a page. */
export type Shape = "form" | "write" | "page";
const SHAPES: readonly Shape[] = ["form", "write", "page"];

/** One question that a task puts to the person, under a key that is never used for another one. */
export interface TaskQuestion {
  key: string;
  question: Question & { about: FormulationPending };
}

/** Which question an answer is about. */
export interface AnsweredQuestion {
  key: string;
  shape: Shape;
  about: FormulationPending;
  /** How many answers to it have been taken. */
  taken: number;
}

/** The last answer about the text that waits now; undefined before the first. */
export function lastAnswer(text: string, stage: Stage, facts: Facts, ctx: AskContext): Answered | undefined {
  const hash = ctx.negotiations.hash(text);
  const ids = stage.questions.filter((asked) => asked.formulated_hash === hash).map((asked) => asked.question_id);
  return ctx.negotiations.tasks.lastAnswer(facts, ids);
}

/** The question that is open now, with its key; undefined where this client has no surface for it. */
export async function currentQuestion(
  negotiation: Negotiation,
  last: Answered | undefined,
  facts: Facts,
  ctx: AskContext,
  memory: TaskMemory,
): Promise<TaskQuestion | undefined> {
  const asked = await ask(negotiation, last?.next, ctx, memory);
  if (asked === undefined) return undefined;
  const question = asked.ask as TaskQuestion["question"];
  const { about } = question;
  const shape = "url" in question ? "page" : about.asks === "text" ? "write" : "form";
  const taken = ctx.negotiations.tasks.answersTaken(facts, about.confirmation_id);
  return { key: keyOf(about.confirmation_id, shape, taken, memory, ctx), question };
}

async function ask(negotiation: Negotiation, next: Answered["next"], ctx: AskContext, { typed, notice }: TaskMemory) {
  if (next === "write") return askForOwnText(negotiation, ctx);
  const askedAgain = notice?.askedAgain;
  const shown =
    next === "see_typed" && typed !== undefined
      ? await askInForm(negotiation, ctx, { ownText: typed, askedAgain })
      : undefined;
  return shown ?? askPerson(negotiation, ctx, undefined, askedAgain);
}

/**
 * The question that one of these keys belongs to; undefined where it is not asked any more. What is written down tells,
 * so that it needs no answer of the backend: `seen` is what that showed last, where it has shown anything.
 */
export function questionOfKey(
  keys: readonly string[],
  seen: Negotiation | undefined,
  { stage, facts }: { stage: Stage; facts: Facts },
  ctx: AskContext,
  memory: TaskMemory,
): AnsweredQuestion | undefined {
  const { negotiations } = ctx;
  const text = seen?.demand_formulated == null ? undefined : negotiations.hash(formulatedText(seen));
  const current = text ?? stage.questions.at(-1)?.formulated_hash;
  for (const { question_id, formulated_hash, shown_hash } of stage.questions) {
    if (formulated_hash !== current) continue;
    const ownText = shown_hash === formulated_hash ? undefined : memory.typed;
    if (shown_hash !== formulated_hash && shown_hash !== (ownText && negotiations.hash(ownText))) continue;
    const taken = negotiations.tasks.answersTaken(facts, question_id);
    for (const shape of SHAPES) {
      const key = keyOf(question_id, shape, taken, memory, ctx);
      if (!keys.includes(key)) continue;
      const about: FormulationPending = {
        kind: "formulation",
        negotiation_id: memory.of.id,
        confirmation_id: question_id,
        ...(shape === "write" && { asks: "text" }),
        ...(ownText !== undefined && { own_text: ownText }),
      };
      return { key, shape, about, taken };
    }
  }
  return undefined;
}

/** The same for every program of the user, and a new one after each answer; `untaken` ones could not be written. */
function keyOf(id: string, shape: Shape, taken: number, { untaken = 0 }: TaskMemory, { negotiations }: AskContext) {
  return `question-${negotiations.hash(JSON.stringify([id, shape, taken, untaken])).slice(0, 16)}`;
}
