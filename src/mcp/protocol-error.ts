import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { toToolError } from "../result/tool-error.ts";
import type { Texts } from "../text/index.ts";

/**
 * Turns a failure into an error of the protocol that uses the words of a tool's error, and carries no stack and no
 * secret.
 */
export function toProtocolError(error: unknown, texts: Texts): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const told = toToolError(error, { texts, idempotent: true, callable: () => false });
  const { code, message, recovery_suggestion, can_retry } = told;
  return new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message} ${recovery_suggestion}`, {
    code,
    can_retry,
  });
}
