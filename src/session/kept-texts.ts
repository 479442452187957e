import { LRUCache } from "lru-cache";

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
