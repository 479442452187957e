import { TowowError } from "../../errors.ts";

/** An endpoint for others cannot use one person's sandbox. Params: `mock` (the command that starts a shared one). */
export class SandboxNotShared extends TowowError {
  readonly code = "tool.config.invalid.sandbox_not_shared";
  constructor() {
    super({ mock: "towow-mcp mock" });
  }
}
