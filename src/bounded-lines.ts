const NEWLINE = 0x0a;

/** One line of a stream. A line that is too long is only marked as such, and its content is not kept. */
export type Line = { readonly text: string } | { readonly tooLong: true };

/**
 * Yields the lines of a stream of bytes, without their ends (`\n` or `\r\n`). A last line without an end counts too. No
 * more than `maxBytes` of a line is kept, whatever the sender does.
 */
export async function* boundedLines(input: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  let kept: Buffer[] = [];
  let length = 0;
  const keep = (piece: Buffer) => {
    length += piece.length;
    if (length <= maxBytes) kept.push(piece);
    else kept = [];
  };
  const take = (): Line => {
    const line: Line =
      length > maxBytes ? { tooLong: true } : { text: Buffer.concat(kept).toString("utf8").replace(/\r$/, "") };
    kept = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      keep(rest.subarray(0, end));
      yield take();
      rest = rest.subarray(end + 1);
    }
    keep(rest);
  }
  if (length > 0) yield take();
}
