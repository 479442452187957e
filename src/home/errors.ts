import { TowowError } from "../errors.ts";

/** A value that its key does not take. Params: `key`, `source`, `where` (variable, flag or file), `expected`. */
export class ConfigValueInvalid extends TowowError {
  readonly code = "tool.config.invalid.value";
}

/** What a person named as the network is no address. It may hold a secret, so it is not repeated. */
export class NetworkInvalid extends TowowError {
  readonly code = "tool.config.invalid.network";
}

/** An id or a token that nobody filled in. Params: `key`, `source`, `where` (variable, flag or file). */
export class ConfigValueUnfilled extends TowowError {
  readonly code = "tool.config.invalid.unfilled";
}

/** There is no such key. Params: `key`, `known`. */
export class UnknownConfigKey extends TowowError {
  readonly code = "tool.config.invalid.unknown_key";
}

/** No network from anywhere. Params: `setup` (the command that asks), `sandbox` (the one to try without any). */
export class BackendUrlMissing extends TowowError {
  readonly code = "tool.config.invalid.backend_url_missing";
  constructor() {
    super({ setup: "towow-mcp setup", sandbox: "towow-mcp network sandbox" });
  }
}

/** The config file counts as empty, and nothing else names a network. Params: `path`, `reason` (an errno, `not_json` or `not_object`). */
export class ConfigFileBroken extends TowowError {
  readonly code = "tool.config.invalid.file";
}

/** Plain http to another machine, without `allow_http`. Params: `host`, `source`, `where`. */
export class HttpRefused extends TowowError {
  readonly code = "tool.config.blocked.http_refused";
}

/** A file of the home that a newer version has written. Params: `file`, `format`, `known` (the newest format known here). */
export class NewerVersion extends TowowError {
  readonly code = "tool.config.invalid.newer_version";
}

/** The home, or the config file in it, cannot be written (or not even read). Params: `path`, `reason` (an errno). */
export class HomeUnwritable extends TowowError {
  readonly code = "tool.config.unavailable.home_unwritable";
}

/** Another process kept the lock all the while. Params: `path`, `waited_s`. */
export class ConfigLocked extends TowowError {
  readonly code = "tool.config.timeout.locked";
}

/** The profile `offline` and a backend on another machine. Params: `host`. */
export class OfflineOnly extends TowowError {
  readonly code = "tool.policy.blocked.offline";
}

/** The folder of the settings is not a full path. Params: `variable` that gives it, its `value`. */
export class HomeInvalid extends TowowError {
  readonly code = "tool.config.invalid.home";
}
