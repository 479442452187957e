import type { ReadStream } from "node:tty";

export interface Keys {
  /** Leaves the terminal's input to somebody else, in the mode in which it was found. */
  pause(): void;
  resume(): void;
  /** Stops listening for good. */
  end(): void;
}

const CTRL_C = "\x03";
const CTRL_D = "\x04";

/**
 * Single keys where the view is drawn in place (`raw`), else whole words and Enter. `q`, Ctrl-C and Ctrl-D leave: in
 * raw mode the terminal makes no signal of them.
 */
export function listenToKeys(stdin: ReadStream, raw: boolean, on: { c: () => void; q: () => void }): Keys {
  const hear = (chunk: Buffer) => {
    const typed = chunk.toString("utf8");
    const words = raw ? [...typed] : typed.trim().toLowerCase().split(/\s+/);
    for (const word of words) {
      if (["q", "quit", CTRL_C, CTRL_D].includes(word)) return on.q();
      if (["c", "confirm"].includes(word)) return on.c();
    }
  };
  const pause = () => {
    stdin.off("data", hear);
    if (raw) stdin.setRawMode(false);
    stdin.pause();
  };
  const resume = () => {
    if (raw) stdin.setRawMode(true);
    stdin.on("data", hear);
    stdin.resume();
  };
  resume();
  return { pause, resume, end: pause };
}
