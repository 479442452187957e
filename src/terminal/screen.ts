import { printablePainted } from "./printable.ts";

/**
 * The alternate screen, drawn in place: nothing scrolls, the person's own screen comes back when it is left. Each line
 * is put at its own row and never wraps, so that a character which this terminal draws wider than expected costs the
 * end of its line and not the picture.
 */
const ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
const LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l";
/** Terminals that know it show the frame at once; the others ignore it. */
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

  /** Gives the terminal back as it was. May be called again. */
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
      // Cleared first: behind a full line the cursor stands on its last character.
      if (lines[row] !== this.#shown[row])
        changes += `\x1b[${row + 1};1H\x1b[0m\x1b[2K${printablePainted(lines[row] ?? "").replaceAll("\n", " ")}`;
    this.#shown = lines;
    if (changes !== "") this.#write(`${FRAME_BEGINS}${changes}\x1b[0m${FRAME_ENDS}`);
  }

  /** After the size has changed nobody knows what is where: the next frame is a whole one. */
  clear(): void {
    if (!this.#entered) return;
    this.#shown = [];
    this.#write("\x1b[2J");
  }
}
