import { LRUCache } from "lru-cache";

/**
 * A session remembers this of one background task, beside the negotiation's own facts. If it is lost, the person is
 * asked from the beginning.
 */
export interface TaskMemory {
  /** Names the negotiation. */
  readonly of: { origin: string; id: string };
  /** The demand was submitted at this time, ms since the epoch. */
  readonly createdAt: number;
  /** This was last said of the task, since `at` (ms since the epoch), and polled this many times since. */
  last?: { view: string; at: number; polls: number };
  /** The person typed this text and has not seen it whole yet. It is written nowhere. */
  typed?: string;
  /** Counts the answers that could not be written down. */
  untaken?: number;
  /**
   * One sentence about an answer that came too late, or whose form was declined. It is said for as long as the task
   * goes on.
   */
  answered?: string | undefined;
  /** Says what the person can still do after a late answer, for as long as the negotiation goes on. */
  stillPossible?: string | undefined;
  /** Says what became of the last answer, where the person must know. `askedAgain`: the next question says it too. */
  notice?: { text: string; askedAgain?: "changed" | "failed" | "undecided" };
}

const MAX_TASKS = 100;

/** Holds the background tasks of one session. The one that was unused for longest is forgotten first. */
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

/** One session keeps this many waiting texts, and then drops the oldest. */
const MAX_TEXTS = 20;

/**
 * Keeps texts that an AI handed in before the person had decided, each for the question that was asked then. A later
 * question about another text has none. Like every edited text they stay in memory and are written nowhere.
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
