import type { Clock } from "../clock.ts";
import { printable, printablePainted } from "../terminal/printable.ts";
import { Screen } from "../terminal/screen.ts";
import type { Agent } from "../view/agents.ts";
import type { Format } from "./format.ts";
import { shownAgent } from "./pane.ts";
import { ending, frame } from "./render.ts";
import { deadlineText, decidedText, nextStep, outageText, sentencesOf } from "./sentences.ts";
import { hiddenIn, shownOffer, type View } from "./view.ts";

/** A display that shows each view as it comes. */
export interface Display {
  show(view: View): void;
  /** Shows what the last decision made here led to. */
  notice(text: string): void;
  /** Adapts to a new size of the terminal. */
  resized(): void;
  /** Selects the agent that is `by` places further down. */
  move(by: number): void;
  /** Shows or hides the help on keys. */
  toggleHelp(): void;
  /** Leaves the terminal to something else, such as a question, until `resume`. */
  pause(): void;
  resume(): void;
  /** Restores the terminal. Prints the whole negotiation if it is over. */
  end(over: boolean): void;
}

export interface DisplayOptions {
  write: (text: string) => void;
  clock: Clock;
  /** Returns the format, which is read for every frame, because a terminal changes its size. */
  format: () => Format;
  rows: () => number;
  /** True if the person can press keys here. */
  keys: boolean;
}

/** The least time between frames, in milliseconds, however fast a key repeats or a window is resized. */
const FRAME_MS = 100;

/** Creates the live view, which draws in place on a screen of its own. */
export function liveDisplay({ write, clock, format, rows, keys }: DisplayOptions): Display {
  const screen = new Screen(write);
  let view: View | undefined;
  let notice: string | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let cancelNext: (() => void) | undefined;
  let paused = false;
  let spoken = false;
  let selected: number | undefined;
  let help = false;

  function draw(): void {
    cancelNext = undefined;
    if (paused || view === undefined) return;
    drawnAt = clock.monotonic();
    screen.draw(frame(view, { rows: rows(), now: clock.now(), keys, notice, selected, help }, format()));
  }
  function drawSoon(): void {
    cancelNext ??= clock.after(Math.max(0, drawnAt + FRAME_MS - clock.monotonic()), draw);
  }
  function stop(): void {
    cancelNext?.();
    cancelNext = undefined;
    paused = true;
    screen.leave();
  }

  screen.enter();
  return {
    show(next) {
      if (!next.asking) notice = undefined;
      view = next;
      drawSoon();
    },
    notice(text) {
      notice = text;
      drawSoon();
    },
    resized() {
      screen.clear();
      drawSoon();
    },
    move(by) {
      const agents = view?.agents.length ?? 0;
      if (view === undefined || agents === 0) return;
      help = false;
      selected = (shownAgent(view, selected) + by + agents) % agents;
      drawSoon();
    },
    toggleHelp() {
      help = !help;
      drawSoon();
    },
    pause: stop,
    resume() {
      spoken = true;
      paused = false;
      screen.enter();
      drawSoon();
    },
    end(over) {
      stop();
      if (!over || view === undefined) return;
      // Questions and answers from before stay on the screen, so a blank line sets the ending apart from them.
      for (const line of [...(spoken ? [""] : []), ...ending(view, clock.now(), format())])
        write(`${printablePainted(line)}\n`);
    },
  };
}

/** Writes a line for each change, for pipes, logs, screen readers and terminals that can do no more. */
export function plainDisplay({ write, clock, format, keys }: DisplayOptions): Display {
  let shown: View | undefined;
  let latest: View | undefined;
  let paused = false;
  const tell = () => {
    if (paused || latest === undefined) return;
    for (const line of changes(shown, latest, { now: clock.now(), words: keys }, format()))
      write(`${printablePainted(line)}\n`);
    shown = latest;
  };
  return {
    show(view) {
      latest = view;
      tell();
    },
    notice: (text) => write(`${printable(text)}\n`),
    resized() {},
    move() {},
    toggleHelp() {},
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      tell();
    },
    end(over) {
      const plan = latest?.negotiation?.plan_output;
      if (!over || latest === undefined) return;
      if (plan) write(`\n${printable(plan)}\n`);
      const next = nextStep(latest, format());
      if (next !== undefined) write(`\n${printable(next)}\n`);
    },
  };
}

interface PlainOptions {
  /** The current time, in milliseconds since the epoch. */
  now: number;
  /** True if the person can type a word here. */
  words: boolean;
}

/** Returns a line for each change since the last view, with the time of day before it. Nothing is wrapped. */
export function changes(before: View | undefined, after: View, { now, words }: PlainOptions, format: Format): string[] {
  const { texts, timeOfDay } = format;
  const lines: string[] = [];
  if (before === undefined) lines.push(texts.watching(after.id, after.host));
  const outage = outageText(after, format);
  if (outage !== undefined && before?.outage === undefined) lines.push(outage);
  if (outage === undefined && before?.outage !== undefined) lines.push(texts.back);
  const isUnread = after.negotiation === undefined && after.said.ending === undefined;
  const already = before === undefined ? [] : linesOf(before, now, format);
  if (isUnread)
    lines.push(...linesOf(after, now, format).filter((text) => text !== texts.looking && !already.includes(text)));
  else {
    const decided = decidedText(after, format);
    const earlier = new Map(before?.agents.map((agent) => [agent.id, agent]));
    lines.push(...after.agents.flatMap((agent) => news(earlier.get(agent.id), agent, format)));
    const hidden = hiddenIn(after);
    if (hidden > 0 && (before === undefined || hiddenIn(before) !== hidden)) lines.push(texts.more(hidden));
    // A decision comes before what it leads to.
    const sentences = linesOf(after, now, format).filter((text) => !already.includes(text));
    if (decided !== undefined && sentences.includes(decided)) lines.push(decided);
    lines.push(...sentences.filter((text) => text !== decided));
    if (after.asking && !before?.asking)
      lines.push(
        deadlineText(after.fate, now, format) ?? "",
        words ? texts.decideByWord : texts.decideElsewhere(after.id),
      );
  }
  return lines.map((line) => `${timeOfDay(now)}  ${line.replace(/\s+/g, " ")}`);
}

const linesOf = (view: View, now: number, format: Format): string[] =>
  sentencesOf(view, now, format).map(({ text }) => text);

function news(before: Agent | undefined, agent: Agent, { texts }: Format): string[] {
  const { name, state } = agent;
  const isNew = before?.state !== state;
  return [
    ...(before === undefined ? [texts.activated(name, agent.scoreText)] : []),
    ...(isNew && state === "offered" ? [texts.offerOf(name) + (shownOffer(agent) || texts.noOffer.offered)] : []),
    ...(isNew && state === "left" ? [texts.leftWithout(name)] : []),
  ];
}
