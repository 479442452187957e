import { TowowError } from "../errors.ts";

/** The client, or somebody else, wrote its file at this very moment. Params: `path`. */
export class ClientConfigChanged extends TowowError {
  readonly code = "tool.config.conflict.client_config_changed";
}
