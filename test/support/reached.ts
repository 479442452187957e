import { expect } from "vitest";

/** How often a property came to what it claims: one that hardly ever does shows nothing. */
export class Reached {
  #times = 0;

  /** Gives back whether it did, so that a guard can be one line. */
  when(holds: boolean): boolean {
    if (holds) this.#times += 1;
    return holds;
  }

  atLeast(times: number): void {
    expect(this.#times, "times that the property came to what it claims").toBeGreaterThanOrEqual(times);
  }
}
