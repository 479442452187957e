import { TowowError } from "../../errors.ts";

/** Nothing can listen there. Params: `port`, `reason`, `listener` (the command that wanted it). */
export class PortUnusable extends TowowError {
  readonly code = "tool.config.unavailable.port";
}
