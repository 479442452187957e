import { LRUCache } from "lru-cache";
import { frozen } from "../frozen.ts";

/** Longer texts are read anew each time. UTF-16 units. */
const MAX_LENGTH = 32_768;
const MAX_ANSWERS = 32;

/**
 * What an answer was read as, by the shape that was asked for and by its text: most reads show nothing new, and give the
 * very object of the time before, which nobody can change. A user gets only what their own answer says.
 */
export class ParsedAnswers {
  readonly #values = new LRUCache<string, { shape: object; value: unknown }>({ max: MAX_ANSWERS });

  /** Undefined where this text has not been read in this shape. */
  find<T>(shape: object, text: string): { value: T } | undefined {
    const known = text.length > MAX_LENGTH ? undefined : this.#values.get(text);
    return known?.shape === shape ? (known as { value: T }) : undefined;
  }

  keep<T>(shape: object, text: string, value: T): void {
    if (text.length > MAX_LENGTH) return;
    this.#values.set(text, { shape, value: frozen(value) });
  }
}
