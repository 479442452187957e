import { TowowError } from "../errors.ts";

/**
 * Thrown for a value that its key does not accept. Params: `key`, `source`, `where` (variable, flag or file),
 * `expected`.
 */
export class ConfigValueInvalid extends TowowError {
  readonly code = "tool.config.invalid.value";
}

/** Thrown when no network is named anywhere. */
export class BackendUrlMissing extends TowowError {
  readonly code = "tool.config.invalid.backend_url_missing";
}

/** Thrown for plain http to another machine without `allow_http`. Params: `host`, `source`, `where`. */
export class HttpRefused extends TowowError {
  readonly code = "tool.config.blocked.http_refused";
}

/**
 * Thrown if the home, or the config file in it, cannot be written or even read. Params: `path`, `reason` (the system's
 * error code).
 */
export class HomeUnwritable extends TowowError {
  readonly code = "tool.config.unavailable.home_unwritable";
}

/** Thrown if the folder of the settings is not a full path. Params: the `variable` that names it, and its `value`. */
export class HomeInvalid extends TowowError {
  readonly code = "tool.config.invalid.home";
}
