import { pipeline, type Readable, Transform } from "node:stream";

/** Longer than any message that makes sense here (a résumé is at most 200 kB), shorter than the SDK's buffer. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Passes lines on and leaves out those longer than `longest` bytes, of which no more is kept. The SDK would end the
 * connection at such a line, and what waits for a decision with it. A last line without an end gets one.
 */
export function withoutLongLines(input: Readable, onDropped: () => void, longest = MAX_LINE_BYTES): Readable {
  /** The line that has not ended yet. */
  let begun: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length <= longest) begun.push(piece);
    else begun = [];
  };
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      // Most messages come whole.
      const isWhole = length === 0 && chunk.length <= longest && chunk.at(-1) === NEWLINE;
      if (isWhole) this.push(chunk);
      else passOn(chunk);
      done();
    },
    flush(done) {
      if (length > 0) end(Buffer.from("\n"));
      done();
    },
  });
  function end(ending: Buffer): void {
    if (length <= longest) lines.push(Buffer.concat([...begun, ending]));
    else onDropped();
    begun = [];
    length = 0;
  }
  function passOn(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      end(chunk.subarray(at, from));
    }
    add(chunk.subarray(from));
  }
  return pipeline(input, lines, () => {}); // an error of the input is the output's as well
}
