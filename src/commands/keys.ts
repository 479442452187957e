import type { Io } from "../app/io.ts";
import { own } from "../own.ts";
import { keyboardOf } from "./terminal.ts";

export interface Keys {
  /** Stops reading and restores the terminal's mode, so that another reader can take the input. */
  pause(): void;
  resume(): void;
  /** Stops reading for good. */
  end(): void;
}

/** The keys that a person can press, or type as words. */
export type Key = "c" | "q" | "o" | "help" | "up" | "down";

const CTRL_C = "\x03";
const CTRL_D = "\x04";
const MEANINGS: Readonly<Record<string, Key>> = {
  c: "c",
  confirm: "c",
  q: "q",
  quit: "q",
  [CTRL_C]: "q",
  [CTRL_D]: "q",
  o: "o",
  open: "o",
  "?": "help",
  h: "help",
  help: "help",
  k: "up",
  j: "down",
  "\x1b[A": "up",
  "\x1bOA": "up",
  "\x1b[B": "down",
  "\x1bOB": "down",
};
/** Matches one key. An arrow is three characters. The terminal's other sequences match too, and are then ignored. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const PRESSED = /\x1b[[O][\d;]*[~A-Za-z]|[\s\S]/g;

/**
 * Reads single keys if the view is drawn in place (`raw`), and otherwise whole words with Enter. `q`, Ctrl-C and Ctrl-D leave,
 * because in raw mode the terminal turns none of them into a signal. A closed terminal counts as `q`.
 */
export function listenToKeys(io: Pick<Io, "stdin">, raw: boolean, on: (key: Key) => void): Keys {
  const gone = () => on("q");
  const { stdin, release } = keyboardOf(io, gone);
  const hear = (chunk: Buffer) => {
    const typed = chunk.toString("utf8");
    const words = raw ? (typed.match(PRESSED) ?? []) : typed.trim().toLowerCase().split(/\s+/);
    for (const word of words) {
      const key = own(MEANINGS, word);
      if (key === undefined) continue;
      on(key);
      if (key === "q" || key === "c") return; // The next reader gets what follows.
    }
  };
  const pause = () => {
    stdin.off("data", hear).off("end", gone);
    if (raw) stdin.setRawMode(false);
    stdin.pause();
  };
  const resume = () => {
    if (raw) stdin.setRawMode(true);
    stdin.on("data", hear).on("end", gone);
    stdin.resume();
  };
  resume();
  return {
    pause,
    resume,
    end() {
      release();
      pause();
    },
  };
}
