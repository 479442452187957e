import type { Line } from "../reader.ts";

/** The sentences of an error: what happened, and what to do next. The error's params fill `{name}`. */
export interface ErrorText {
  message: Line;
  recovery: Line;
  /** Replaces `recovery` if the call may have taken effect and must not simply be repeated. */
  recoveryOfWrite?: Line;
  /** Replaces `recovery` and `recoveryOfWrite` if it is known how long to wait, which fills `{wait}`. */
  recoveryLater?: Line;
  /** Replaces all other recoveries if a page for the question has opened in the person's browser. */
  recoveryOnPage?: Line;
}
