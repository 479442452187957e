/** Counts the rounds of one call: a wait that is called again, or a call that comes back with an answer. */
export class Rounds {
  #last: string | undefined;
  #count = 0;

  /** `key`: of the tool with its arguments. From 1; another call begins anew. */
  next(key: string): number {
    this.#count = key === this.#last ? this.#count + 1 : 1;
    this.#last = key;
    return this.#count;
  }
}
