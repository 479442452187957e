import type { Clock } from "../clock.ts";
import { printable, printablePainted } from "../terminal/printable.ts";
import { Screen } from "../terminal/screen.ts";
import type { Format } from "./format.ts";
import { nextStep } from "./next-step.ts";
import { shownAgent } from "./pane.ts";
import { changes } from "./plain.ts";
import { ending, frame } from "./render.ts";
import type { View } from "./view.ts";

/** Where views are shown as they come. */
export interface Display {
  show(view: View): void;
  /** What the last decision here led to. */
  notice(text: string): void;
  /** The size has changed. */
  resized(): void;
  /** Chooses the agent `by` places further down. */
  move(by: number): void;
  /** Shows or hides what the keys do. */
  toggleHelp(): void;
  /** Leaves the terminal to something else, a question, until `resume`. */
  pause(): void;
  resume(): void;
  /** Leaves the terminal as it was found; after the end of a negotiation with the whole of it printed. */
  end(over: boolean): void;
}

export interface DisplayOptions {
  write: (text: string) => void;
  clock: Clock;
  /** Read for every frame: a terminal changes its size. */
  format: () => Format;
  rows: () => number;
  /** Whether the person can type here. */
  keys: boolean;
}

/** At most ten frames a second, however fast a key repeats or a window is dragged. */
const FRAME_MS = 100;

/** The live view, drawn in place on a screen of its own. */
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
      const agents = view?.negotiation?.participants.length ?? 0;
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
      // What was asked and answered here stays on the screen, with a line between.
      for (const line of [...(spoken ? [""] : []), ...ending(view, clock.now(), format())])
        write(`${printablePainted(line)}\n`);
    },
  };
}

/** One line for each change: for pipes, logs, screen readers and terminals that can do no more. */
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
