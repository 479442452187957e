/** Why something cannot be done in a room, in the codes of the relay (seed 002 §5). */
export type RefusalCode = "UNKNOWN_TOOL" | "INVALID_PARAMS" | "TOOL_EXECUTION_FAILED";

/** Thrown for a call that a room does not carry out. */
export class RoomRefusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Thrown for what a tool answers instead of data. The message is a sentence in the person's language. */
export class RoomToolFailed extends Error {
  readonly code: string;

  constructor(code: string, sentence: string) {
    super(sentence);
    this.code = code;
  }
}
