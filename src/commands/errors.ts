import { TowowError } from "../errors.ts";

/**
 * Thrown if a person must act but there is no terminal. `command` is the command to run there, without the program's
 * name.
 */
export class TerminalNeeded extends TowowError {
  readonly code = "tool.policy.blocked.terminal_needed";
}
