import { createInterface } from "node:readline/promises";
import type { Io } from "../../app/io.ts";
import type { DemoTexts } from "../../text/demo.ts";
import { DECISION_WORDS } from "../../text/terminal.ts";
import { print } from "../print.ts";
import type { DemoForm, FormAnswer } from "./client.ts";

/**
 * Asks the person at the terminal: accept, edit or reject, and for their own text after edit. `interrupted` is called at Ctrl-C or Ctrl-D, which the line
 * editor takes for itself; the question then stays open and is answered as undecided.
 */
export async function askAtTerminal(
  io: Io,
  asks: DemoForm["asks"],
  texts: DemoTexts,
  interrupted: () => void,
): Promise<FormAnswer> {
  const lines = createInterface({ input: io.stdin, output: io.stdout });
  const ended = new AbortController();
  lines.on("SIGINT", () => ended.abort());
  lines.on("close", () => ended.abort());
  const ask = async (question: string) => (await lines.question(question, { signal: ended.signal })).trim();
  const say = (text: string) => void print(io, `${text}\n`);
  try {
    while (asks === "text") {
      const confirmed_text = await ask(texts.edit);
      if (confirmed_text !== "") return { action: "accept", content: { confirmed_text } };
      say(texts.empty);
    }
    for (;;) {
      const decision = DECISION_WORDS.get((await ask(texts.question)).toLowerCase());
      if (decision !== undefined) return { action: "accept", content: { decision } };
      say(texts.again);
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    interrupted();
    return { action: "cancel" };
  } finally {
    lines.close();
  }
}
