import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** The protocol's own refusal of what a client sent, with a sentence that says why. */
export const invalidParams = (sentence: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
