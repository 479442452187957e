import { TowowError } from "../errors.ts";

/** Not a client that setup knows. Params: `client`, `known`. */
export class UnknownClient extends TowowError {
  readonly code = "tool.config.invalid.unknown_client";
}

/** The client has no such scope. Params: `client`, `scope`, `scopes`. */
export class UnknownScope extends TowowError {
  readonly code = "tool.config.invalid.client_scope";
}

/** The client's file cannot be parsed. Params: `path`, `line` and `column` from 1, `problem`. */
export class ClientConfigSyntax extends TowowError {
  readonly code = "tool.config.invalid.client_config_syntax";
}

/** The file parses, and has something else where the entry belongs. Params: `path`, `key`. */
export class ClientConfigShape extends TowowError {
  readonly code = "tool.config.invalid.client_config_shape";
}

/**
 * The client's file or its folder cannot be read or written. Params: `path`, `reason` (an errno, `read-only`, `not
 * UTF-8`, or `not_a_file`: a pipe, a device).
 */
export class ClientConfigUnusable extends TowowError {
  readonly code = "tool.config.unavailable.client_config";
}

/** The client, or somebody else, wrote its file at this very moment. Params: `path`. */
export class ClientConfigChanged extends TowowError {
  readonly code = "tool.config.conflict.client_config_changed";
}

/** There is another entry of this name, and nobody said that it may go. Params: `client`, `path`, `command`. */
export class ClientEntryDiffers extends TowowError {
  readonly code = "tool.config.conflict.client_entry";
}

/** The client starts a copy of a newer version than this one. Params: `client`, `theirs`, `own`, `command`. */
export class ClientEntryNewer extends TowowError {
  readonly code = "tool.config.conflict.newer_copy";
}

/** The client's own command did not do it. Params: `command`, `reason`. */
export class ClientCommandFailed extends TowowError {
  readonly code = "tool.config.unavailable.client_command";
}

/** This program could not be copied into its home, or a copy not be taken away. Params: `path`, `reason` (an errno). */
export class CopyFailed extends TowowError {
  readonly code = "tool.config.unavailable.program_copy";
}

/** A file that this program consists of cannot be read, so that no copy can be made. Params: `path`, `reason` (an errno). */
export class ProgramIncomplete extends TowowError {
  readonly code = "tool.config.unavailable.program_files";
}
