import { printablePainted } from "./printable.ts";

/**
 * Sequences for the alternate screen, which is drawn in place. Nothing scrolls, and the person's own screen returns at the end.
 * Each line is put in its own row and never wraps, so a character that is wider than expected in this terminal costs only the
 * end of its line.
 */
const ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
const LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l";
/** Terminals that know this sequence show a frame at once. The others ignore it. */
const FRAME_BEGINS = "\x1b[?2026h";
const FRAME_ENDS = "\x1b[?2026l";

export class Screen {
  readonly #write: (text: string) => void;
  #shown: readonly string[] = [];
  #entered = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  enter(): void {
    if (this.#entered) return;
    this.#entered = true;
    this.#shown = [];
    this.#write(ENTER);
  }

  /** Restores the terminal. Does nothing if the screen is not in use. */
  leave(): void {
    if (!this.#entered) return;
    this.#entered = false;
    this.#write(LEAVE);
  }

  /** Writes what differs from the last frame, in one piece. */
  draw(lines: readonly string[]): void {
    if (!this.#entered) return;
    const rows = Math.max(lines.length, this.#shown.length);
    let changes = "";
    for (let row = 0; row < rows; row++)
      // The row is cleared first, because after a full line the cursor is on its last character.
      if (lines[row] !== this.#shown[row])
        changes += `\x1b[${row + 1};1H\x1b[0m\x1b[2K${printablePainted(lines[row] ?? "").replaceAll("\n", " ")}`;
    this.#shown = lines;
    if (changes !== "") this.#write(`${FRAME_BEGINS}${changes}\x1b[0m${FRAME_ENDS}`);
  }

  /**
   * Clears the screen after its size has changed, because the content of the screen is then unknown. The next frame is drawn
   * whole.
   */
  clear(): void {
    if (!this.#entered) return;
    this.#shown = [];
    this.#write("\x1b[2J");
  }
}
