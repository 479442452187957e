/** The reasons why a room refuses a call, as codes of the relay (seed 002 §5). */
export type RefusalCode = "UNKNOWN_TOOL" | "INVALID_PARAMS" | "TOOL_EXECUTION_FAILED";

/** Thrown for a call that a room refuses or that fails at the backend. */
export class RoomRefusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Thrown if an act of the person fails as a tool call would. The message is a sentence in the person's language. */
export class RoomToolFailed extends Error {
  readonly code: string;

  constructor(code: string, sentence: string) {
    super(sentence);
    this.code = code;
  }
}
