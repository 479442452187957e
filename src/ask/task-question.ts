import type { Negotiation } from "../backend/contract.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import type { Answered, Facts, Shape } from "../negotiation/facts.ts";
import type { Stage } from "../negotiation/stage.ts";
import type { TaskMemory } from "../session/task-memory.ts";
import { askForOwnText, askInForm, askPerson } from "./choose-surface.ts";
import type { AskContext } from "./context.ts";
import type { FormulationPending, Question } from "./questions.ts";

/** One question that a task puts to the person, under a key that is never used for another one. */
export interface TaskQuestion {
  key: string;
  question: Question & { about: FormulationPending };
}

/** Which question an answer is about. */
export interface AnsweredQuestion {
  shape: Shape;
  /** When it was shown, ms since the epoch. */
  shownAt: number;
  about: FormulationPending;
  /** How many answers to it have been taken. */
  taken: number;
  answer: unknown;
}

/** The last answer about the text that waits now; undefined before the first. */
export function lastAnswer(text: string, stage: Stage, facts: Facts, ctx: AskContext): Answered | undefined {
  const hash = ctx.negotiations.hash(text);
  const ids = stage.questions.filter((asked) => asked.formulated_hash === hash).map((asked) => asked.question_id);
  return ctx.negotiations.tasks.lastAnswer(facts, ids);
}

/** The question that is open now, with its key; undefined where this client has no surface for it, or may not decide. */
export async function currentQuestion(
  negotiation: Negotiation,
  last: Answered | undefined,
  facts: Facts,
  ctx: AskContext,
  memory: TaskMemory,
): Promise<TaskQuestion | undefined> {
  const asked = mayDecide(ctx) ? await ask(negotiation, last?.next, ctx, memory) : undefined;
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

/** Its profile, or what its tools leave out, binds the background too. */
export const mayDecide = ({ client }: AskContext): boolean => client.decidingTools.length > 0;

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
 * Whether an answer counts: the question that one of them is about, if it was shown and is asked still, and this client has
 * the surface that showed it. What is written down tells, so that it needs no answer of the backend: `seen` is what that
 * showed last, where it has shown anything.
 */
export function answeredQuestion(
  answers: Readonly<Record<string, unknown>>,
  seen: Negotiation | undefined,
  { stage, facts }: { stage: Stage; facts: Facts },
  ctx: AskContext,
  memory: TaskMemory,
): AnsweredQuestion | "not_asked" | "no_surface" {
  const { negotiations, client } = ctx;
  const text = seen?.demand_formulated == null ? undefined : negotiations.hash(formulatedText(seen));
  const current = text ?? stage.questions.at(-1)?.formulated_hash;
  for (const { question_id, formulated_hash, shown_hash } of stage.questions) {
    if (formulated_hash !== current) continue;
    const ownText = shown_hash === formulated_hash ? undefined : memory.typed;
    if (shown_hash !== formulated_hash && shown_hash !== (ownText && negotiations.hash(ownText))) continue;
    const shown = negotiations.tasks.shownUnder(Object.keys(answers), question_id, facts);
    if (shown === undefined) continue;
    const { key, shape, taken, at: shownAt } = shown;
    // What the policy says of it, `decide` judges: under `strict` a form that was open may still say no.
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
