import type { Line } from "../reader.ts";

/** One sentence of what happened, one of what to do next. `{name}` is filled from the error's params. */
export interface ErrorText {
  message: Line;
  recovery: Line;
  /** Instead of `recovery`, where the call may have done something and must not simply be made once more. */
  recoveryOfWrite?: Line;
  /** Instead of both, where it is known how long to wait: `{wait}`. */
  recoveryLater?: Line;
  /** Instead of all of them, where a page for it has opened in the person's browser. */
  recoveryOnPage?: Line;
}
