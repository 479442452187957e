import type { Line } from "../reader.ts";

/** One sentence says what happened, and one what to do next. The error's params fill `{name}`. */
export interface ErrorText {
  message: Line;
  recovery: Line;
  /** Replaces `recovery` where the call may have taken effect and must not simply be repeated. */
  recoveryOfWrite?: Line;
  /** Replaces both where the wait is known: `{wait}`. */
  recoveryLater?: Line;
  /** Replaces all of them where a page for it has opened in the person's browser. */
  recoveryOnPage?: Line;
}
