import { TowowError } from "../errors.ts";

/** A person is to do it, and there is no terminal to do it in. Params: `command`, as it is typed. */
export class TerminalNeeded extends TowowError {
  readonly code = "tool.policy.blocked.terminal_needed";
}

/** The folder that the command was started in is no longer there. */
export class WorkingFolderGone extends TowowError {
  readonly code = "tool.config.unavailable.working_folder";
}

/** The mock backend cannot keep its data there. Params: `file`, `reason` (an errno, or what is wrong with it). */
export class MockDataUnusable extends TowowError {
  readonly code = "tool.config.unavailable.mock_data";
}
