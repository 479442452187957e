import { holdsOthersText, isForeignDetail, type ToolError, toToolError } from "../result/tool-error.ts";
import { failed, type ToolResult } from "../result/tool-result.ts";
import type { ToolContext } from "./define.ts";
import { withSubject } from "./error-subject.ts";
import { withTaintMarked } from "./handler-result.ts";

/** What failed, as far as its answer depends on it. */
export interface Failed {
  /** The negotiation that it was about. */
  subject: string | undefined;
  /** Whether it can be repeated without doing anything twice. */
  idempotent: boolean;
  /** Whether this tool can be called next. */
  callable: (tool: string) => boolean;
  /** The error with what the call itself has to say of it. */
  complete?: (error: ToolError) => ToolError;
}

/** The result of any failure: what a model and a person read, with a way on. It taints the session as others do. */
export async function failureResult(error: unknown, of: Failed, ctx: ToolContext): Promise<ToolResult> {
  const { subject, idempotent, callable, complete = (same) => same } = of;
  const toolError = toToolError(error, { texts: ctx.texts, idempotent, callable });
  const named = await withSubject(toolError, error, subject, ctx);
  const result = failed(complete(named), isForeignDetail(error));
  return withTaintMarked(result, holdsOthersText(error), ctx);
}
