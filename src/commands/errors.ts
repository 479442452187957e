import { TowowError } from "../errors.ts";

/** A person is to do it, and there is no terminal to do it in. Params: `command`, as it is typed. */
export class TerminalNeeded extends TowowError {
  readonly code = "tool.policy.blocked.terminal_needed";
}

/** Nobody can be asked here, and `--yes` was not given. Params: `command`, as it is typed. */
export class YesMissing extends TowowError {
  readonly code = "tool.input.invalid.yes_missing";
}

/** Several negotiations are open, and none was named. */
export class SeveralOpen extends TowowError {
  readonly code = "tool.negotiation.conflict.several_open";
}

/** A secret was given as an argument. Params: `command`, as it is to be typed. */
export class SecretInArgument extends TowowError {
  readonly code = "tool.config.blocked.secret_argument";
}

/** What the program itself keeps in its file. Params: `key`. */
export class KeyNotSettable extends TowowError {
  readonly code = "tool.config.invalid.own_key";
}

/** What goes with the identity only. Params: `key`. */
export class KeyOfIdentity extends TowowError {
  readonly code = "tool.config.invalid.identity_key";
}

/** No browser of that name was let in. Params: `name`. */
export class UnknownBrowser extends TowowError {
  readonly code = "tool.config.not_found.browser";
}

/** The report cannot be written there. Params: `path`, `reason` (an errno). */
export class ReportUnwritable extends TowowError {
  readonly code = "tool.config.unavailable.report_file";
}

/** In the place of the report stands a link. Params: `path`, `reason` (an errno). */
export class ReportLinked extends TowowError {
  readonly code = "tool.config.blocked.report_link";
}

/** The folder that the command was started in is no longer there. */
export class WorkingFolderGone extends TowowError {
  readonly code = "tool.config.unavailable.working_folder";
}

/** The mock backend cannot keep its data there. Params: `file`, `reason` (an errno, or what is wrong with it). */
export class MockDataUnusable extends TowowError {
  readonly code = "tool.config.unavailable.mock_data";
}
