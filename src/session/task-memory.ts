import { LRUCache } from "lru-cache";

/**
 * What a session remembers of one background task, beside the negotiation's own facts. It may be lost at any time: then
 * the person is asked from the beginning.
 */
export interface TaskMemory {
  /** Which negotiation it is. */
  readonly of: { origin: string; id: string };
  /** When the demand was submitted, ms since the epoch. */
  readonly createdAt: number;
  /** What was last said of it, since when (ms since the epoch), and how often since then. */
  last?: { view: string; at: number; polls: number };
  /** The text that the person typed and has not seen whole yet; it is written nowhere. */
  typed?: string;
  /** How many answers could not be written down. */
  untaken?: number;
  /** What must be said of an answer for as long as the task goes on, in one sentence: it came too late, or its form was declined. */
  answered?: string | undefined;
  /** What an answer that came too late can still be followed by, for as long as the negotiation goes on. */
  stillPossible?: string | undefined;
  /** What became of the last answer, where that must be said; `askedAgain`: in the next question too. */
  notice?: { text: string; askedAgain?: "changed" | "failed" | "undecided" };
}

const MAX_TASKS = 100;

/** The background tasks of one session. The one that was not used for longest is forgotten first. */
export class TaskMemories {
  readonly #tasks = new LRUCache<string, TaskMemory>({ max: MAX_TASKS });

  get(taskId: string): TaskMemory | undefined {
    return this.#tasks.get(taskId);
  }

  add(taskId: string, of: TaskMemory["of"], createdAt: number): TaskMemory {
    const memory = this.get(taskId) ?? { of, createdAt };
    this.#tasks.set(taskId, memory);
    return memory;
  }
}

/** Waiting texts of one session; the oldest goes. */
const MAX_TEXTS = 20;

/**
 * Texts that an AI handed in before the person had decided, each for the question that was asked then: what is asked
 * later, about another text, has none. In memory alone, like every edited text: it is written nowhere.
 */
export class KeptTexts {
  readonly #texts = new LRUCache<string, string>({ max: MAX_TEXTS });

  put(origin: string, questionId: string, text: string): void {
    this.#texts.set(keyOf(origin, questionId), text);
  }

  get(origin: string, questionId: string): string | undefined {
    return this.#texts.get(keyOf(origin, questionId));
  }

  /** Once it has been decided on. */
  delete(origin: string, questionId: string): void {
    this.#texts.delete(keyOf(origin, questionId));
  }
}

const keyOf = (origin: string, questionId: string): string => `${origin} ${questionId}`;
