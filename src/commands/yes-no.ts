import { createInterface } from "node:readline/promises";
import { print } from "./print.ts";

/** One question at the terminal: whether one of these words was typed. Ctrl-C and Ctrl-D are a no. */
export async function saysYes(question: string, yes: readonly string[]): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new AbortController();
  terminal.on("close", () => ended.abort());
  try {
    const answer = await terminal.question(question, { signal: ended.signal });
    return yes.includes(answer.trim().toLowerCase());
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    print("\n");
    return false;
  } finally {
    terminal.close();
  }
}
