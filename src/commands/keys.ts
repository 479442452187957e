import type { Io } from "../app/io.ts";
import { own } from "../own.ts";
import { keyboardOf } from "./terminal.ts";

export interface Keys {
  /** Leaves the terminal's input to somebody else, in the mode in which it was found. */
  pause(): void;
  resume(): void;
  /** Stops listening for good. */
  end(): void;
}

/** What can be pressed, or typed as a word. */
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
/** An arrow is three characters; every other sequence that a terminal sends is none of ours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const PRESSED = /\x1b[[O][\d;]*[~A-Za-z]|[\s\S]/g;

/**
 * Single keys where the view is drawn in place (`raw`), else whole words and Enter. `q`, Ctrl-C and Ctrl-D leave: in
 * raw mode the terminal makes no signal of them. So does a terminal that is gone.
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
      if (key === "q" || key === "c") return; // what follows is for the next reader
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
