import { pipeline, type Readable, Transform, type Writable } from "node:stream";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { jsonIn } from "../json.ts";
import { Batches } from "./batches.ts";
import { withoutEmpty } from "./without-empty.ts";

/** The one revision that has batches. */
const WITH_BATCHES = "2025-03-26";
const NO_BATCHES = "This revision has no batches: send one message a line";
const NOT_A_REQUEST = 'Not a request: "jsonrpc" is "2.0", "id" a text or a whole number, "params" an object';
const ALONE = "initialize is sent alone, and in no batch";

type Fields = { id?: unknown; method?: unknown; params?: { protocolVersion?: unknown; requestId?: unknown } };

/**
 * The SDK's stdio, where each line with an id gets an answer: the SDK drops what is no message without a word, and its
 * client waits for ever. `lines` ends each chunk with a line's end.
 */
export function answeringTransport(lines: Readable, stdout: Writable): StdioServerTransport {
  const batches = new Batches();
  let hasBatches = false;

  const refuse = (id: unknown, why: string) => {
    if (id === undefined || id === null) return;
    const known = typeof id === "string" || typeof id === "number" ? id : null;
    send({ jsonrpc: "2.0", id: known, error: { code: ProtocolErrorCode.InvalidRequest, message: why } } as never);
  };
  /** The line that the SDK gets for a message; none, where it is answered here. */
  const passed = (message: unknown, line?: string): string => {
    const { id, method, params } = (message ?? {}) as Fields;
    if (method === "initialize") {
      if (line === undefined) return none(refuse(id, ALONE));
      hasBatches = params?.protocolVersion === WITH_BATCHES;
    }
    if (method === "notifications/cancelled") void write(batches.cancelled(params?.requestId));
    const given = typeof message === "object" && message !== null ? withoutEmpty(message) : message;
    if (isMessage(given)) return given === message && line !== undefined ? `${line}\n` : `${JSON.stringify(given)}\n`;
    const isAnswer = typeof message === "object" && message !== null && ("result" in message || "error" in message);
    return none(isAnswer ? undefined : refuse(id, NOT_A_REQUEST));
  };
  const read = (line: string): string => {
    const message = jsonIn(line);
    if (message === undefined) return `${line}\n`; // it says nothing of an id, and the SDK logs it
    if (!Array.isArray(message)) return passed(message, line);
    const ids = message.map((one) => (one as Fields | null)?.id).filter((id) => id !== undefined && id !== null);
    if (!hasBatches) return none(ids.map((id) => refuse(id, NO_BATCHES)));
    batches.open(ids.map((id) => (typeof id === "string" || typeof id === "number" ? id : null)));
    return message.map((one) => passed(one)).join("");
  };

  const messages = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const line of String(chunk).split("\n")) if (line.trim() !== "") this.push(read(line));
      done();
    },
  });
  const wire = new StdioServerTransport(
    pipeline(lines, messages, () => {}),
    stdout,
  );
  const writeWhole = wire.send.bind(wire);
  const write = async (whole: JSONRPCMessage | JSONRPCMessage[] | undefined) => {
    if (whole !== undefined) await writeWhole(whole as JSONRPCMessage);
  };
  const send = (message: JSONRPCMessage) =>
    void write(batches.inPlaceOf(message)).catch((error) => wire.onerror?.(error as Error));
  wire.send = (message) => write(batches.inPlaceOf(message));
  return wire;
}

const isMessage = (value: unknown): boolean =>
  isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value);

const none = (_answered: unknown): string => "";
