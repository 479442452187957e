/**
 * What a session remembers of one background task, beside the negotiation's own facts. It may be lost at any time: then
 * the person is asked from the beginning.
 */
export interface TaskMemory {
  /** Which negotiation it is. */
  readonly of: { origin: string; id: string };
  /** What was last said of it, and since when, in ms since the epoch. */
  last?: { view: string; at: number };
  /** After "change it first": where the person writes, or the text that they typed, which is written nowhere. */
  step?: "form" | "page" | { ownText: string } | undefined;
  /** An answer left it undecided: until then (monotonic, ms) nothing is asked again. */
  quietUntil?: number;
  /** When each question was first shown (monotonic, ms), by its key. */
  shownAt: Map<string, number>;
  /** What became of the last answer, where that must be said. */
  notice?: string;
}

const MAX_TASKS = 100;

/** The background tasks of one session. The one that was not used for longest is forgotten first. */
export class TaskMemories {
  readonly #tasks = new Map<string, TaskMemory>();

  get(taskId: string): TaskMemory | undefined {
    const memory = this.#tasks.get(taskId);
    if (memory !== undefined) this.#place(taskId, memory);
    return memory;
  }

  add(taskId: string, of: TaskMemory["of"]): TaskMemory {
    const memory = this.get(taskId) ?? { of, shownAt: new Map() };
    this.#place(taskId, memory);
    return memory;
  }

  #place(taskId: string, memory: TaskMemory): void {
    this.#tasks.delete(taskId);
    this.#tasks.set(taskId, memory);
    for (const oldest of this.#tasks.keys()) {
      if (this.#tasks.size <= MAX_TASKS) break;
      this.#tasks.delete(oldest);
    }
  }
}
