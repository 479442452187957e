import { pagesOf } from "../agent/pages.ts";
import type { Sanitized } from "../agent/sanitize-options.ts";

interface Whole {
  pages: string[];
  warnings: string[];
}

/** The last text of several pages that this session read: reading its next page must not clean megabytes again. */
export class WholeTexts {
  #last: { key: string; whole: Whole } | undefined;

  of(key: string, clean: () => Sanitized<string>): Whole {
    if (this.#last?.key === key) return this.#last.whole;
    const { value, warnings } = clean();
    const whole = { pages: pagesOf(value), warnings };
    if (whole.pages.length > 1) this.#last = { key, whole };
    return whole;
  }
}
