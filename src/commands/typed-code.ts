import { randomInt } from "node:crypto";
import type { Io } from "../app/io.ts";
import { type LineOptions, typedLine } from "./terminal.ts";

/**
 * Shows a code of four digits, which the person types from the screen. A script or a model cannot do that in passing.
 * `line` is what was typed, or undefined if the person left.
 */
export async function typedCode(
  io: Io,
  question: (code: string) => string,
  options: LineOptions = {},
): Promise<{ line: string | undefined; isCode: boolean }> {
  const code = String(randomInt(1_000, 10_000));
  const line = await typedLine(io, () => question(code), options);
  return { line, isCode: line === code };
}
