import { LRUCache } from "lru-cache";

/**
 * What a session remembers of one background task, beside the negotiation's own facts. If this memory is lost, the
 * person is asked from the beginning.
 */
export interface TaskMemory {
  /** The negotiation of the task. */
  readonly of: { origin: string; id: string };
  /** The time at which the demand was submitted, in milliseconds since the epoch. */
  readonly createdAt: number;
  /**
   * What was last reported of the task, since when (`at`, in milliseconds since the epoch), and how often it was polled
   * since.
   */
  last?: { view: string; at: number; polls: number };
  /** The text that the person typed and has not seen whole yet. That text is never written down. */
  typed?: string;
  /** The number of answers that could not be written down. */
  untaken?: number;
  /**
   * A sentence about an answer that came too late or whose form was declined. The sentence is repeated for as long as
   * the task goes on.
   */
  answered?: string | undefined;
  /**
   * A sentence about what the person can still do after a late answer. The sentence is repeated for as long as the
   * negotiation goes on.
   */
  stillPossible?: string | undefined;
  /**
   * A sentence about what became of the last answer, if the person must know. If `askedAgain` is set, the next question
   * repeats that sentence.
   */
  notice?: { text: string; askedAgain?: "changed" | "failed" | "undecided" };
}

const MAX_TASKS = 100;

/** Holds the background tasks of one session. The task that was unused for longest is forgotten first. */
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

/** The most texts that a session keeps waiting. The oldest of more texts is dropped. */
const MAX_TEXTS = 20;

/**
 * Keeps texts that an AI handed in before the person had decided, each for the question that was open then. A later
 * question about another text does not get the text. Like every edited text they stay in memory and are never written
 * down.
 */
export class KeptTexts {
  readonly #texts = new LRUCache<string, string>({ max: MAX_TEXTS });

  put(origin: string, questionId: string, text: string): void {
    this.#texts.set(keyOf(origin, questionId), text);
  }

  get(origin: string, questionId: string): string | undefined {
    return this.#texts.get(keyOf(origin, questionId));
  }

  /** Deletes the text once it has been decided on. */
  delete(origin: string, questionId: string): void {
    this.#texts.delete(keyOf(origin, questionId));
  }
}

const keyOf = (origin: string, questionId: string): string => `${origin} ${questionId}`;
