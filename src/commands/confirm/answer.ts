import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import type { Io } from "../../app/io.ts";
import { environmentForOthers } from "../../app/programs.ts";
import type { Clock } from "../../clock.ts";
import { duration } from "../../duration.ts";
import { COLOURS, type Paint } from "../../terminal/paint.ts";
import { DECISION_WORDS, type TerminalTexts } from "../../text/terminal.ts";
import { LATE_MS } from "../../watch/sentences.ts";
import { typedLine, typedLines } from "../terminal.ts";
import { typedCode } from "../typed-code.ts";

export type TerminalAnswer = { kind: "accept" } | { kind: "edit"; text: string } | { kind: "reject" };

export interface TerminalQuestion {
  texts: TerminalTexts;
  /** The text on which the person decides. */
  original: string;
  /** Shows the person's own version before they may send it. */
  show: (edited: string) => Promise<void>;
  say: (line: string) => void;
  /** False under the profile read_only, which accepts only a no. */
  mayBroadcast: boolean;
  /** The time by which the text must be decided, in milliseconds since the epoch. */
  decideBy: number | undefined;
  io: Io;
  clock: Clock;
  paint: Paint;
  signal: AbortSignal | undefined;
}

/**
 * Reads the person's answer. Enter, a mistyped code and an unknown word make the question appear again. Ctrl-C, Ctrl-D
 * and the signal leave the text open, and the returned sentence says so.
 */
export async function readAnswer(question: TerminalQuestion): Promise<TerminalAnswer | string> {
  const { texts, say, original, mayBroadcast } = question;
  for (;;) {
    const wish = await asked(question);
    if (wish === undefined) return `\n${texts.open}`;
    const kind = DECISION_WORDS.get(wish.toLowerCase());
    if (kind === "reject") return { kind };
    if (kind === undefined || !mayBroadcast) {
      say(mayBroadcast ? texts.again : texts.keysReadOnly);
      continue;
    }
    const answer = kind === "accept" ? await coded({ kind }, question) : await edited(original, question);
    if (typeof answer !== "object" || "kind" in answer) return answer;
    say(answer.why);
  }
}

/** Asks the question together with the time that is left, which counts down meanwhile. */
function asked({
  texts,
  mayBroadcast,
  decideBy,
  io,
  clock,
  paint,
  signal,
}: TerminalQuestion): Promise<string | undefined> {
  const ask = mayBroadcast ? texts.ask : texts.askReadOnly;
  const text = () => {
    if (decideBy === undefined) return ask;
    const leftMs = decideBy - clock.now();
    const left = paint(leftMs <= LATE_MS ? ["bold", COLOURS.warn] : "bold", texts.left(duration(leftMs)));
    return left + ask;
  };
  return typedLine(io, text, { signal, clock: io.env.TERM === "dumb" ? undefined : clock });
}

/**
 * Lets the person edit, and shows their own version whole before it may be sent. `why` explains why the question is
 * asked again.
 */
async function edited(from: string, question: TerminalQuestion): Promise<TerminalAnswer | string | { why: string }> {
  const { texts, io, original, show, say, signal } = question;
  const editor = editorOf(io.env);
  if (editor === undefined) say(texts.edit);
  const text = editor === undefined ? await typedLines(io, signal) : await editIn(editor, from, io);
  if (text === undefined) return editor === undefined ? `\n${texts.open}` : { why: texts.editorFailed(editor) };
  if (text.trim() === "") return { why: texts.empty };
  if (text === original) return { why: texts.unchanged };
  await show(text);
  for (;;) {
    const answer = await coded({ kind: "edit", text }, question);
    if (answer === "again") return edited(text, question);
    if (typeof answer !== "object" || "kind" in answer) return answer;
    say(answer.why); // The edited text is kept.
  }
}

/** Returns the answer once its code is typed. `again` means that the person wants to go on editing. */
async function coded(
  answer: TerminalAnswer,
  { io, texts, signal }: TerminalQuestion,
): Promise<TerminalAnswer | string | { why: string }> {
  const isEdit = answer.kind === "edit";
  const { line, isCode } = await typedCode(io, isEdit ? texts.codeOfEdit : texts.code, { signal });
  if (line === undefined) return `\n${texts.open}`;
  if (isEdit && line.toLowerCase() === "e") return "again";
  return isCode ? answer : { why: texts.wrongCode };
}

/** Returns the person's own editor, found as other programs find it, or undefined if they have named none. */
const editorOf = (env: NodeJS.ProcessEnv): string | undefined => env.VISUAL?.trim() || env.EDITOR?.trim() || undefined;

/**
 * Returns the text as the person leaves it in their editor, or undefined if the editor cannot be started or reports a
 * failure. During the edit the text is in a file that only they can read. The file and its folder are removed
 * afterwards.
 */
async function editIn(editor: string, text: string, io: Io): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "towow-edit-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const ignore = () => {};
  io.once("exit", remove);
  io.on("SIGINT", ignore); // The editor handles SIGINT while it has the terminal.
  try {
    chmodSync(folder, 0o700);
    const file = join(folder, "demand.txt");
    const endsInLine = text.endsWith("\n");
    writeFileSync(file, endsInLine ? text : `${text}\n`, { mode: 0o600, flag: "wx" });
    if ((await statusOf(editor, file, io)) !== 0) return undefined;
    const edited = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
    return endsInLine ? edited : edited.replace(/\n$/, "");
  } finally {
    io.off("exit", remove);
    io.off("SIGINT", ignore);
    remove();
  }
}

/**
 * Runs the editor and returns its exit status. The editor runs through a shell, because its name may be a whole command line
 * (`code --wait`), but the file's path is never part of that line. The editor starts in the root folder, because the programs
 * and settings of a project may not be the person's own.
 */
function statusOf(editor: string, file: string, io: Io): Promise<number> {
  const options = { stdio: "inherit" as const, env: environmentForOthers(io), cwd: parse(file).root };
  const child =
    process.platform === "win32"
      ? spawn(`${editor} "${file}"`, { ...options, shell: true })
      : spawn("/bin/sh", ["-c", `${editor} "$1"`, "towow-mcp", file], options);
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (status) => resolve(status ?? 1));
  });
}
