import fc from "fast-check";
import { expect, it } from "vitest";
import { boundedLines, type Line } from "../src/bounded-lines.ts";

async function linesOf(chunks: Uint8Array[], maxBytes: number): Promise<Line[]> {
  const stream = (async function* () {
    yield* chunks;
  })();
  const lines: Line[] = [];
  for await (const line of boundedLines(stream, maxBytes)) lines.push(line);
  return lines;
}

/** The bytes cut at arbitrary places, as a pipe does it. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => bytes.subarray(from, at[i] ?? bytes.length));
}

it("however a stream is cut, its lines are those of the whole", async () => {
  const text = fc.array(fc.string({ unit: "grapheme", maxLength: 30 }).filter((line) => !/[\r\n]/.test(line)));
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(fc.nat(), { maxLength: 20 }),
      fc.boolean(),
      async (lines, places, endsWithNewline) => {
        const whole = lines.join("\n") + (endsWithNewline && lines.length > 0 ? "\n" : "");
        const expected = whole.split("\n");
        if (expected.at(-1) === "") expected.pop(); // nothing after the last end
        const seen = await linesOf(cut(Buffer.from(whole), places), 10_000);
        expect(seen).toEqual(expected.map((line) => ({ text: line })));
      },
    ),
  );
});

it("a line above the bound is told as such, wherever it is cut, and the next ones are read", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(40)), fc.array(fc.nat(), { maxLength: 10 }), async (lengths, places) => {
      const lines = lengths.map((length) => "x".repeat(length + 1));
      const seen = await linesOf(cut(Buffer.from(lines.map((line) => `${line}\r\n`).join("")), places), 21);
      expect(seen).toEqual(lines.map((line) => (line.length + 1 > 21 ? { tooLong: true } : { text: line })));
    }),
  );
});
