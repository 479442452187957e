/** Waiting texts of one session; the oldest goes. */
const MAX_TEXTS = 20;

/**
 * Texts that an AI handed in before the person had decided, each for the decision that follows. In memory alone, like
 * every edited text (core 6): it is written nowhere.
 */
export class KeptTexts {
  readonly #texts = new Map<string, string>();

  put(origin: string, negotiationId: string, text: string): void {
    const key = `${origin} ${negotiationId}`;
    this.#texts.delete(key);
    this.#texts.set(key, text);
    for (const oldest of this.#texts.keys()) if (this.#texts.size > MAX_TEXTS) this.#texts.delete(oldest);
  }

  get(origin: string, negotiationId: string): string | undefined {
    return this.#texts.get(`${origin} ${negotiationId}`);
  }
}
