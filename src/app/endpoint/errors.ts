import { TowowError } from "../../errors.ts";

/** An option of `serve` that no setting is. Params: `option`, `expected` (read in every language). */
export class ServeOptionInvalid extends TowowError {
  readonly code = "tool.config.invalid.serve_option";
}

/** Others reach this host, and by no name that was given. Params: `host`. */
export class ServeHostUnnamed extends TowowError {
  readonly code = "tool.config.invalid.serve_host";
}

/** An endpoint for others cannot use one person's sandbox. Params: `mock` (the command that starts a shared one). */
export class SandboxNotShared extends TowowError {
  readonly code = "tool.config.invalid.sandbox_not_shared";
  constructor() {
    super({ mock: "towow-mcp mock" });
  }
}
