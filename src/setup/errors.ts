import { TowowError } from "../errors.ts";

/** Thrown if the client, or somebody else, wrote the client's file at this very moment. Params: `path`. */
export class ClientConfigChanged extends TowowError {
  readonly code = "tool.config.conflict.client_config_changed";
}
