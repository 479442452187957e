import { randomInt } from "node:crypto";
import { createInterface, type Interface } from "node:readline/promises";
import { createRuntime, type Runtime, type RuntimeOptions } from "../app/local-program.ts";
import { markedDifference } from "../ask/diff.ts";
import { tellDecision } from "../negotiation/describe.ts";
import { formulatedOf } from "../negotiation/display.ts";
import { showInvisible } from "../safety/invisible.ts";
import { wrap } from "../terminal/wrap.ts";
import { textsOf } from "../text/index.ts";
import { terminalTexts } from "../text/terminal.ts";
import { letBrowserIn } from "./confirm/let-browser-in.ts";
import { atTerminal } from "./home.ts";
import { print, printError } from "./print.ts";

/**
 * `towow-mcp confirm [id]`: the person's own decision in a terminal (contract §6), or the browser that they let in to
 * decide there. There is no way to answer it without one, and what is sent is typed over from the screen: a script or a
 * model cannot do it in passing.
 * Throws the typed error of the first setting that is wrong.
 */
export async function confirm({ id, ...options }: RuntimeOptions & { id?: string | undefined }): Promise<void> {
  const runtime = await createRuntime({ ...options, fallbackBackend: { negotiationId: id } });
  try {
    if (await letBrowserIn(runtime)) return;
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
  const { lang } = live.current();
  const { author: authors } = textsOf(lang);
  const { original, author } = formulatedOf(negotiation);
  const question = await negotiations.question(negotiation, original);
  say(`\n${wrapped(texts.heading)}\n${authors[author]}\n\n${showInvisible(original)}\n`);

  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const show = async (edited: string) => say(await shownEdit(original, edited, lang));
    const answer = await readAnswer(terminal, texts, show, signal);
    if (typeof answer === "string") return end(1, answer);
    const sent = answer.kind === "edit" ? answer.text : original;
    const result = await negotiations.decide({
      negotiationId: id,
      confirmationId: question.id,
      ...(answer.kind === "reject"
        ? { ...answer, by: "terminal" }
        : { ...answer, rendering: { surface: "terminal", rendered_hash: negotiations.hash(sent) } }),
    });
    if (result.kind === "changed") return end(1, texts.changed);
    if (result.kind === "confirmed") return end(0, answer.kind === "edit" ? texts.edited : texts.accept);
    const stage = await negotiations.stage(id, result.negotiation);
    const sentence = tellDecision(result.negotiation, stage, textsOf(lang), (text) => negotiations.hash(text));
    return end(result.kind === "rejected" ? 0 : 1, sentence);
  } finally {
    terminal.close();
  }
}

type Answer = { kind: "accept" } | { kind: "edit"; text: string } | { kind: "reject" };

/** An edit whole, whose words it is, and how it differs from the formulated text. */
async function shownEdit(original: string, edited: string, lang: "zh" | "en"): Promise<string> {
  const texts = terminalTexts(lang);
  const [before, after] = [showInvisible(original), showInvisible(edited)];
  const { author } = textsOf(lang);
  const difference = await markedDifference(before, after, lang);
  const compared = difference === undefined ? [wrapped(texts.notCompared)] : [texts.difference, "", difference];
  const by = edited === original ? [] : [author.person];
  return ["", texts.instead, ...by, "", after, "", ...compared, ""].join("\n");
}

/** What the person wants, or a sentence on why that is open. Ctrl-C, Ctrl-D and the signal leave it open. */
async function readAnswer(
  terminal: Interface,
  texts: TerminalTexts,
  show: (edited: string) => Promise<void>,
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
    if (kind === "reject") return { kind };
    const text = kind === "edit" ? await readText(terminal, texts.edit, signal) : undefined;
    if (text !== undefined) await show(text);
    const code = String(randomInt(1_000, 10_000));
    if ((await ask(texts.code(code))) !== code) return texts.wrongCode;
    return text === undefined ? { kind: "accept" } : { kind: "edit", text };
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
