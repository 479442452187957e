import { TowowError } from "../errors.ts";

/** Thrown if a person must act and there is no terminal in which to do it. Params: `command`, as it is typed. */
export class TerminalNeeded extends TowowError {
  readonly code = "tool.policy.blocked.terminal_needed";
}
