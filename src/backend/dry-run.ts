import { TowowError } from "../errors.ts";
import type { Operation } from "./operation.ts";

/** Not sent, because the profile is `dry_run`: holds the exact request that it would have been (agent layer §6). */
export class DryRun extends TowowError {
  readonly code = "tool.policy.blocked.dry_run";
  readonly request: { method: string; url: string; body?: unknown };

  constructor({ name, method, url, body }: Operation<unknown>) {
    super({ operation: name });
    this.request = { method, url: url.href, ...(body !== undefined && { body }) };
  }
}
