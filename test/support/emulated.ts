/** What a terminal shows after this was written to it: lines as they stand in the end, without colours. */
export function emulated(written: string): string {
  const lines: string[][] = [[]];
  let [row, column] = [0, 0];
  const line = () => {
    while (lines.length <= row) lines.push([]);
    return lines[row]!;
  };
  for (const [, csi, how = "", text = ""] of written.matchAll(SEQUENCE)) {
    if (csi === undefined) {
      if (text === "\n") row += 1;
      else if (text === "\r") column = 0;
      else {
        const cells = line();
        while (cells.length < column) cells.push(" ");
        cells[column++] = text;
      }
      continue;
    }
    const by = Number(csi) || 1;
    if (how === "A") row = Math.max(0, row - by);
    else if (how === "B") row += by;
    else if (how === "C") column += by;
    else if (how === "D") column = Math.max(0, column - by);
    else if (how === "G") column = by - 1;
    else if (how === "J") {
      line().length = Math.min(line().length, column);
      lines.length = row + 1;
    } else if (how === "K") line().length = csi === "2" ? 0 : Math.min(line().length, column);
  }
  return lines
    .map((cells) =>
      Array.from(cells, (cell) => cell ?? " ")
        .join("")
        .trimEnd(),
    )
    .join("\n");
}

/** A sequence with its number and its letter, or one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SEQUENCE = /\x1b\[[?]?(\d*)[;\d]*([A-Za-z])|([\s\S])/gu;
