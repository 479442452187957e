import { Readable } from "node:stream";
import { boundedLines } from "../bounded-lines.ts";

/** Longer than any message that makes sense here (a résumé is at most 200 kB), shorter than the SDK's buffer. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/**
 * Passes lines on and leaves out those longer than `longest` bytes. The SDK would end the connection at such a line,
 * and what waits for a decision with it.
 */
export function withoutLongLines(
  input: AsyncIterable<Uint8Array>,
  onDropped: () => void,
  longest = MAX_LINE_BYTES,
): Readable {
  async function* shortLines() {
    for await (const line of boundedLines(input, longest))
      if ("text" in line) yield Buffer.from(`${line.text}\n`);
      else onDropped();
  }
  return Readable.from(shortLines());
}
