import type { Runtime, RuntimeOptions } from "../app/runtime.ts";
import { onItsWayText } from "../ask/consequences.ts";
import type { Negotiation } from "../backend/contract.ts";
import { Failure, TowowError } from "../errors.ts";
import { formulatedText, phaseOf } from "../negotiation/backend-states.ts";
import { sentencesOf, tell } from "../negotiation/describe.ts";
import type { Negotiations } from "../negotiation/service.ts";
import { rememberedSha256 } from "../sha256.ts";
import { localTime } from "../terminal/local-time.ts";
import { paintWith } from "../terminal/paint.ts";
import { wrap } from "../terminal/wrap.ts";
import { textsForPerson } from "../text/index.ts";
import { joinSentences } from "../text/join.ts";
import { negotiationsTexts } from "../text/negotiations.ts";
import { NO_WORDS, terminalTexts, withdrawingTexts } from "../text/terminal.ts";
import { fateOf } from "../view/fate.ts";
import { readAnswer } from "./confirm/answer.ts";
import { editLines, questionLines } from "./confirm/shown.ts";
import { TerminalNeeded } from "./errors.ts";
import { atTerminal } from "./home.ts";
import { printOutline } from "./list.ts";
import { outlinesOf } from "./negotiations/outline.ts";
import { print, printPainted, printText } from "./print.ts";
import { Printer, terminalOf } from "./printer.ts";
import { typedLine } from "./terminal.ts";
import { withRuntime } from "./with-runtime.ts";

/**
 * `towow-mcp confirm [id]` takes the person's own decision in a terminal (contract §6), or lets in a browser in which they will
 * decide. The command needs a terminal, and the person types a code from the screen, so that a script or a model cannot decide
 * in passing. @throws the typed error of the first setting that is wrong
 */
export async function confirm({ id, ...options }: RuntimeOptions & { id?: string | undefined }): Promise<void> {
  await withRuntime({ ...options, fallbackBackend: { negotiationId: id } }, async (runtime) => {
    if (await letBrowserIn(runtime)) return 0;
    const refused = runtime.live.problem();
    if (refused !== undefined) throw refused; // Negotiations at a wrong address cannot be seen.
    return decideAtTerminal(runtime, id);
  });
}

/** The backend usually shows a decision that was just made elsewhere within this time. */
const MOMENT_MS = 2_000;

export interface AskOptions {
  /** Receives what is said, a sentence at a time. Writes to stdout by default. */
  say?: (line: string) => void;
  /** Leaves the question open when it aborts. */
  signal?: AbortSignal;
  /** True if a text that is left open will be withdrawn as soon as the question ends. */
  withdrawsIfOpen?: boolean;
  /** Receives the person's own text after it was confirmed. Only this program has the text until the backend shows it. */
  onOwnText?: (text: string) => void;
}

/**
 * Shows the text, asks, and carries the answer out. The last sentence says how it ended. Returns the exit status: 0 if
 * the text is decided or there is nothing to decide, 1 if it is not decided.
 * @throws `tool.negotiation.conflict.several_open` without an id if several wait, and TerminalNeeded without a terminal
 */
export async function decideAtTerminal(
  runtime: Runtime,
  wanted: string | undefined,
  {
    say = (line) => void printText(runtime.io, `${line}\n`),
    signal,
    withdrawsIfOpen = false,
    onOwnText,
  }: AskOptions = {},
): Promise<number> {
  const { io, account, live, deps } = runtime;
  const { negotiations } = account();
  const { lang, profile } = live.current();
  const texts = withdrawsIfOpen ? withdrawingTexts(lang) : terminalTexts(lang);
  const end = (status: number, line: string) => {
    say(line);
    return status;
  };
  const isLiveView = signal !== undefined; // The live view goes on by itself, so it needs no hint to follow.
  const waiting = (await negotiations.openQuestions()).map(({ negotiationId }) => negotiationId);
  const id = wanted ?? waiting[0];
  if (id === undefined) return end(0, texts.none);
  if (wanted === undefined && waiting.length > 1) {
    const printer = new Printer(terminalOf(io.stdout, io.env));
    for (const outline of await outlinesOf(runtime, waiting)) printOutline(outline, printer, negotiationsTexts(lang));
    throw new Failure("tool.negotiation.conflict.several_open");
  }
  if (!atTerminal(io)) throw new TerminalNeeded({ command: `confirm ${id}` });
  const negotiation = await negotiations.get(id);
  const asked = await negotiations.stage(id, negotiation);
  const guard = await negotiations.guard(id, asked);
  const saidBefore = negotiations.says(asked, negotiation, { isGuarded: guard.isGuarded });
  const fate = fateOf(saidBefore, guard);
  if (asked.name !== "asking") {
    const { clock, timeOfDay } = deps;
    const onItsWay = onItsWayText(fate, { id, now: clock.now(), lang, timeOfDay });
    return end(1, joinSentences([texts.notWaiting(id), onItsWay ?? tell(saidBefore, textsForPerson(lang))]));
  }
  const original = formulatedText(negotiation);
  const question = await negotiations.claimQuestion(negotiation, original);
  const { submitted } = await negotiations.facts(id);
  const { colour } = terminalOf(io.stdout, io.env);
  const paint = paintWith(colour);
  const layout = { width: io.stdout.columns || 80, paint, all: textsForPerson(lang) };
  const show = (lines: readonly string[]) => printPainted(`\n${lines.join("\n")}\n\n`, io.stdout);
  const mayBroadcast = profile !== "read_only";
  const keys = mayBroadcast ? texts.keys : texts.keysReadOnly;
  await show(await questionLines(runtime, negotiation, { submitted, fate }, { ...layout, keys }));

  const open = signalUntilDecided(negotiations, id, signal);
  const answer = await readAnswer({
    texts,
    original,
    show: async (edited) => void (await show(editLines(negotiation, edited, layout))),
    say,
    mayBroadcast,
    decideBy: fate?.at,
    io,
    clock: deps.clock,
    paint,
    signal: open.signal,
  }).finally(open.stop);
  if (typeof answer === "string") {
    const seen = negotiations.lastSeen(id) ?? negotiation;
    if ((await negotiations.stage(id, seen)).name === "asking") return end(1, answer);
    // The text was decided in another window, or its time passed, while the question stood here.
    const until = ({ state }: Negotiation) => phaseOf(state) !== "asking";
    const { snapshot: now } = await negotiations
      .wait(id, { until, budgetMs: MOMENT_MS })
      .catch(() => ({ snapshot: negotiation }));
    const said = negotiations.says(await negotiations.stage(id, now), now);
    const isFollowed = isLiveView || said.ending !== undefined;
    const sentences = [tell(said, textsForPerson(lang)), ...(isFollowed ? [] : [texts.follow(id)])].join("\n");
    return end(1, answer.startsWith("\n") ? `\n${sentences}` : sentences); // A key such as Ctrl-C leaves the line open.
  }
  const sent = answer.kind === "edit" ? answer.text : original;
  const result = await negotiations.decide({
    negotiationId: id,
    confirmationId: question.id,
    ...(answer.kind === "reject"
      ? { ...answer, by: "terminal" }
      : { ...answer, rendering: { surface: "terminal", rendered_hash: rememberedSha256(sent) } }),
  });
  if (result.kind === "changed") return end(1, texts.changed);
  if (result.kind === "confirmed") {
    if (answer.kind === "edit") onOwnText?.(answer.text);
    const doubts = sentencesOf(await doubtsAboutText(id, negotiations), textsForPerson(lang));
    const sentence = answer.kind === "edit" ? texts.edited : texts.accept;
    return end(0, [sentence, ...doubts, ...(isLiveView ? [] : [texts.follow(id)])].join("\n"));
  }
  const stage = await negotiations.stage(id, result.negotiation);
  const said = negotiations.says(stage, result.negotiation, { isLate: result.kind === "moved" });
  const sentence = tell(said, textsForPerson(lang));
  return end(result.kind === "rejected" ? 0 : 1, sentence);
}

/**
 * Asks for the code of a browser that waits to be let in (contract §6). The person types the code, and this program never shows
 * it, so the code can only come from that browser's own page. Returns true if a browser was let in. @throws HomeUnwritable
 */
async function letBrowserIn({ io, browsers, live }: Pick<Runtime, "io" | "browsers" | "live">): Promise<boolean> {
  const [newest] = await browsers.waiting();
  if (newest === undefined || !atTerminal(io)) return false;
  const texts = terminalTexts(live.current().lang);
  const waits = texts.browserWaits(newest.name, localTime(newest.at, { seconds: true }));
  void print(io, `\n${wrap(waits, io.stdout.columns || 80).join("\n")}\n`);
  for (;;) {
    const code = await typedLine(io, () => texts.browserCode);
    if (code === undefined || NO_WORDS.includes(code.toLowerCase())) return false;
    const name = code === "" ? undefined : await browsers.letIn(code);
    if (code !== "") void printText(io, `${name === undefined ? texts.browserWrong : texts.browserIn(name)}\n`);
    if (name !== undefined) return true;
  }
}

/** The backend may take this long to move on after a decision. */
const MOVED_ON_WAIT_MS = 3_000;

const CODES = ["confirmed_text_mismatch", "yes_or_deadline"];

/**
 * Waits until the backend moves on and shows the text that it broadcasts. Returns warning codes if this may not be the
 * confirmed text, and none otherwise.
 */
async function doubtsAboutText(id: string, negotiations: Negotiations): Promise<string[]> {
  try {
    const until = (n: Negotiation) => phaseOf(n.state) !== "asking";
    const { snapshot } = await negotiations.wait(id, { until, budgetMs: MOVED_ON_WAIT_MS });
    const { warnings } = negotiations.says(await negotiations.stage(id, snapshot), snapshot);
    return warnings.filter((code) => CODES.includes(code));
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return []; // The text has been sent, and the next status compares again.
  }
}

/**
 * Returns a signal for a question that stands at this terminal. The signal aborts with `outer`, and as soon as nothing is left
 * to decide because the text was decided elsewhere or its time has passed. `stop` ends the watch.
 */
function signalUntilDecided(
  negotiations: Negotiations,
  id: string,
  outer?: AbortSignal,
): { signal: AbortSignal; stop: () => void } {
  const decided = new AbortController();
  const stopped = new AbortController();
  const stopOrDecided = AbortSignal.any([stopped.signal, decided.signal]);
  // An unreadable state is no decision, so the question stands, and its answer will show the problem.
  const abortIfDecided = async (shown: Negotiation) => {
    const stage = await negotiations.stage(id, shown).catch(() => undefined);
    if (stage !== undefined && stage.name !== "asking") decided.abort();
  };
  const unsubscribe = negotiations.subscribe(id, { next: (shown) => void abortIfDecided(shown), fail: () => {} });
  const here = negotiations.forCall({ signal: stopOrDecided }).untilDecided(id, Number.POSITIVE_INFINITY);
  void here.then(() => decided.abort()).catch(() => {});
  return {
    signal: outer === undefined ? decided.signal : AbortSignal.any([outer, decided.signal]),
    stop: () => {
      stopped.abort();
      unsubscribe();
    },
  };
}
