import { TowowError } from "../../errors.ts";

/** This home's sandbox does not start. Params: `reason` (an errno, or how it ended), `path` (of what is in the way). */
export class SandboxUnavailable extends TowowError {
  readonly code = "tool.config.unavailable.sandbox";
}
