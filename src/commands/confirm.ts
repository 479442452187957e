import { randomInt } from "node:crypto";
import { createInterface, type Interface } from "node:readline/promises";
import { createRuntime, type Runtime, type RuntimeOptions } from "../app/local-program.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import { tellDecision } from "../negotiation/describe.ts";
import { showInvisible } from "../safety/invisible.ts";
import { wrap } from "../terminal/wrap.ts";
import { textsOf } from "../text/index.ts";
import { terminalTexts } from "../text/terminal.ts";
import { atTerminal } from "./home.ts";
import { print, printError } from "./print.ts";

/**
 * `towow-mcp confirm [id]`: the person's own decision in a terminal (contract §6). There is no way to answer it
 * without one, and what is sent is typed over from the screen: a script or a model cannot do it in passing.
 * Throws the typed error of the first setting that is wrong.
 */
export async function confirm({ id, ...options }: RuntimeOptions & { id?: string | undefined }): Promise<void> {
  const runtime = await createRuntime({ ...options, fallbackBackend: { negotiationId: id } });
  try {
    const refused = runtime.live.problem();
    if (refused !== undefined) throw refused; // what waits at an address that is wrong cannot be seen
    process.exitCode = await decideAtTerminal(runtime, id);
  } finally {
    await runtime.close();
  }
}

/**
 * Shows the text, asks, and carries the answer out; the last of what it says is how it ended.
 * Gives the exit status: 0 decided or nothing to decide, 1 not decided, 2 not a terminal.
 */
export async function decideAtTerminal(
  { account, live }: Runtime,
  wanted: string | undefined,
  say = (line: string): void => void print(`${line}\n`),
  signal?: AbortSignal,
): Promise<number> {
  const { negotiations } = account();
  const texts = terminalTexts(live.current().lang);
  const end = (status: number, line: string) => {
    say(line);
    return status;
  };
  const waiting = (await negotiations.waiting()).map(({ negotiationId }) => negotiationId);
  const id = wanted ?? waiting[0];
  if (id === undefined) return end(0, texts.none);
  if (wanted === undefined && waiting.length > 1) return end(1, [texts.several, ...waiting].join("\n"));
  if (!atTerminal()) {
    printError(`${texts.notTerminal}\n`);
    return 2;
  }
  const negotiation = await negotiations.get(id);
  if ((await negotiations.stage(id, negotiation)).name !== "asking") return end(1, texts.notOwn(id));
  const original = formulatedText(negotiation);
  const question = await negotiations.question(negotiation, original);
  say(`\n${wrapped(texts.heading)}\n\n${showInvisible(original)}\n`);

  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await readAnswer(terminal, texts, say, signal);
    if (typeof answer === "string") return end(1, answer);
    const result = await negotiations.decide({
      negotiationId: id,
      ...answer,
      by: "terminal",
      confirmationId: question.id,
      editSeen: true,
    });
    if (result.kind === "changed") return end(1, texts.changed);
    if (result.kind === "confirmed") return end(0, answer.kind === "edit" ? texts.edited : texts.accept);
    const stage = await negotiations.stage(id, result.negotiation);
    const { lang } = live.current();
    const sentence = tellDecision(result.negotiation, stage, textsOf(lang), (text) => negotiations.hash(text));
    return end(result.kind === "rejected" ? 0 : 1, sentence);
  } finally {
    terminal.close();
  }
}

interface Answer {
  kind: "accept" | "edit" | "reject";
  editedText: string | undefined;
}

/** What the person wants, or a sentence on why that is open. Ctrl-C, Ctrl-D and the signal leave it open. */
async function readAnswer(
  terminal: Interface,
  texts: TerminalTexts,
  say: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<Answer | string> {
  let left = false;
  terminal.once("close", () => {
    left = true;
  });
  const ask = async (question: string) => (await terminal.question(question, signal ? { signal } : {})).trim();
  try {
    const answer = (await ask(texts.ask)).toLowerCase();
    const kind = { a: "accept", e: "edit", r: "reject" }[answer[0] ?? ""] as Answer["kind"] | undefined;
    if (kind === undefined) return texts.open;
    const editedText = kind === "edit" ? await readText(terminal, texts.edit, signal) : undefined;
    if (editedText !== undefined) say(`\n${texts.difference}\n\n${showInvisible(editedText)}\n`);
    if (kind === "reject") return { kind, editedText };
    const code = String(randomInt(1_000, 10_000));
    return (await ask(texts.code(code))) === code ? { kind, editedText } : texts.wrongCode;
  } catch (error) {
    if (!left && !signal?.aborted) throw error;
    return `\n${texts.open}`;
  }
}

/** A sentence of ours in whole words; the text that is decided on stays exactly as it is. */
const wrapped = (sentence: string): string => wrap(sentence, process.stdout.columns || 80).join("\n");

type TerminalTexts = ReturnType<typeof terminalTexts>;

async function readText(terminal: Interface, prompt: string, signal?: AbortSignal): Promise<string> {
  print(`${prompt}\n`);
  const lines: string[] = [];
  signal?.addEventListener("abort", () => terminal.close(), { once: true });
  for await (const line of terminal) {
    if (line === ".") break;
    lines.push(line);
  }
  return lines.join("\n");
}
