import { TowowError } from "../errors.ts";

/** A person is to do it, and there is no terminal to do it in. Params: `command`, as it is typed. */
export class TerminalNeeded extends TowowError {
  readonly code = "tool.policy.blocked.terminal_needed";
}

/** The report cannot be written there. Params: `path`, `reason` (an errno). */
export class ReportUnwritable extends TowowError {
  readonly code = "tool.config.unavailable.report_file";
}

/** In the place of the report stands a link. Params: `path`, `reason` (an errno). */
export class ReportLinked extends TowowError {
  readonly code = "tool.config.blocked.report_link";
}
