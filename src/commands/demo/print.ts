import stringWidth from "string-width";
import { bar, scoreOf } from "../../terminal/bar.ts";
import { type Paint, paintWith, type Style } from "../../terminal/paint.ts";
import { markdown, paragraph } from "../../terminal/paragraph.ts";
import { printable } from "../../terminal/printable.ts";
import { ellipsis, wrap } from "../../terminal/wrap.ts";
import { printPainted } from "../print.ts";

export interface Terminal {
  /** In columns. */
  width: number;
  colour: boolean;
  write: (text: string) => void;
}

export interface Participant {
  display_name: string;
  resonance_score: number;
  offer_content: unknown;
}

const WIDEST = 88;
const BAR_CELLS = 10;
const OFFER_LINES = 3;

const oneLine = (text: string): string => printable(text).replace(/\s+/g, " ");

/** The terminal that the demo writes to: no colour where there is no terminal, or where NO_COLOR asks for none. */
export function terminalOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Terminal {
  return {
    get width() {
      return Math.max(24, Math.min(stream.columns || 80, WIDEST));
    },
    colour: stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
    write: (text) => void printPainted(text, stream),
  };
}

/** Everything that the demo prints, in one width and one set of styles. */
export class Printer {
  readonly style: Paint;
  readonly #terminal: Terminal;
  #steps = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.style = paintWith(terminal.colour);
  }

  /** A paragraph; `first` stands before its first line, and the others are indented as far. */
  text(text: string, { first = "", style }: { first?: string; style?: Style } = {}): void {
    const look = { width: this.#terminal.width, paint: this.style };
    for (const line of paragraph(printable(text), { ...look, first, style })) this.#line(line);
  }

  gap(): void {
    this.#line("");
  }

  step(title: string): void {
    this.#steps += 1;
    this.gap();
    const head = `── ${this.#steps} ${title} `;
    const rule = "─".repeat(Math.max(0, this.#terminal.width - stringWidth(head)));
    this.#line(this.style(["bold", "cyan"], head) + this.style("dim", rule));
  }

  call(tool: string, what: string): void {
    this.text(`${tool} ${what}`, { first: "→ ", style: "cyan" });
  }

  /** What the person is asked about: nothing in it is cut. */
  quote(text: string): void {
    const bar = this.style("yellow", "│ ");
    for (const line of printable(text)
      .split("\n")
      .flatMap((l) => wrap(l, this.#terminal.width - 2)))
      this.#line(bar + line);
  }

  /** One change, with the time since the demand was submitted. */
  progress(elapsedMs: number, text: string): void {
    this.text(text, { first: `  ${`+${(elapsedMs / 1000).toFixed(1)}`.padStart(5)} s  ` });
  }

  offer({ display_name, resonance_score, offer_content }: Participant, label: string, none: string): void {
    const score = `${bar(resonance_score, BAR_CELLS, this.style)} ${label} ${scoreOf(resonance_score)}`;
    this.#line(`${this.style("bold", oneLine(display_name))}  ${score}`);
    const said = typeof offer_content === "string" ? offer_content : JSON.stringify(offer_content);
    const lines = wrap(printable(said ?? none).split("\n")[0] ?? "", this.#terminal.width - 2);
    for (const line of lines.slice(0, OFFER_LINES - 1)) this.#line(`  ${line}`);
    const rest = lines.slice(OFFER_LINES - 1).join(" ");
    if (rest !== "") this.#line(`  ${ellipsis(rest, this.#terminal.width - 2)}`);
  }

  /** The Center's Markdown, made readable: headings and lists, no markup. */
  markdown(source: string): void {
    for (const line of markdown(printable(source), { width: this.#terminal.width, paint: this.style }))
      this.#line(line);
  }

  /** A command to copy: never wrapped. */
  command(lines: string[]): void {
    for (const [i, line] of lines.entries())
      this.#line(this.style("green", `  ${i > 0 ? "  " : ""}${printable(line)}${i < lines.length - 1 ? " \\" : ""}`));
  }

  #line(text: string): void {
    this.#terminal.write(`${text}\n`);
  }
}
