import { Transform } from "node:stream";

/** Longer than any message that makes sense here (a résumé is at most 200 kB), shorter than the SDK's buffer. */
export const LONGEST_LINE_BYTES = 8 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Passes lines on and leaves out those longer than `longest` bytes. The SDK would end the connection at such a line,
 * and what waits for a decision with it.
 */
export function withoutLongLines(onDropped: () => void, longest = LONGEST_LINE_BYTES): Transform {
  let held: Buffer[] = [];
  let bytes = 0;
  let dropping = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let rest = chunk; rest.length > 0; ) {
        const end = rest.indexOf(NEWLINE) + 1;
        const piece = end === 0 ? rest : rest.subarray(0, end);
        rest = rest.subarray(piece.length);
        bytes += piece.length;
        if (bytes > longest && !dropping) {
          dropping = true;
          held = [];
          onDropped();
        }
        if (!dropping) held.push(piece);
        if (end === 0) continue;
        if (!dropping) this.push(held.length === 1 ? piece : Buffer.concat(held));
        held = [];
        bytes = 0;
        dropping = false;
      }
      done();
    },
  });
}
