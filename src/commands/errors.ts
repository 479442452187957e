import { TowowError } from "../errors.ts";

/** A person is to do it, and there is no terminal to do it in. Params: `command`, as it is typed. */
export class TerminalNeeded extends TowowError {
  readonly code = "tool.policy.blocked.terminal_needed";
}
