import { type Paint, paintWith, type Style } from "../terminal/paint.ts";
import { indentOf, paragraph } from "../terminal/paragraph.ts";
import { printable } from "../terminal/printable.ts";
import { printPainted, widthOf } from "./print.ts";

export interface Terminal {
  /** The width in columns. */
  width: number;
  colour: boolean;
  write: (text: string) => void;
}

/** Returns the terminal that a command writes to, without colour if the stream is no terminal, or if NO_COLOR is set. */
export function terminalOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Terminal {
  return {
    get width() {
      return widthOf(stream);
    },
    colour: stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
    write: (text) => void printPainted(text, stream),
  };
}

/** Prints a command's output for a person, in one width and one set of styles. */
export class Printer {
  readonly style: Paint;
  protected readonly terminal: Terminal;
  #hasLines = false;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
    this.style = paintWith(terminal.colour);
  }

  /** The width in columns. */
  get width(): number {
    return this.terminal.width;
  }

  /** Prints a paragraph. `first` comes before its first line, and the other lines are indented as far. */
  text(text: string, { first = "", style }: { first?: string; style?: Style } = {}): void {
    const layout = { width: this.width, paint: this.style, keepsLongWords: true };
    for (const line of paragraph(printable(text), { ...layout, first, style })) this.line(line);
  }

  /** Prints an empty line, unless nothing has been printed yet. */
  gap(): void {
    if (this.#hasLines) this.line("");
  }

  /** Prints a command to copy, which is never wrapped. */
  command(lines: string[]): void {
    for (const [i, line] of lines.entries()) {
      const typed = `${printable(line)}${i < lines.length - 1 ? " \\" : ""}`;
      this.line(this.style("green", indentOf(typed, i > 0 ? "    " : "  ", this.width) + typed));
    }
  }

  /** Prints a line that is already laid out and printable. */
  line(text: string): void {
    this.#hasLines = true;
    this.terminal.write(`${text}\n`);
  }
}
