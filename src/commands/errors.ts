import { TowowError } from "../errors.ts";

/** Thrown where a person must act, and there is no terminal to do it in. Params: `command`, as it is typed. */
export class TerminalNeeded extends TowowError {
  readonly code = "tool.policy.blocked.terminal_needed";
}
