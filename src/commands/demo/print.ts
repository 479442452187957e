import { bar } from "../../terminal/paint.ts";
import { planLines } from "../../terminal/plan-lines.ts";
import { printable } from "../../terminal/printable.ts";
import { ellipsis, wrap } from "../../terminal/wrap.ts";
import { stringWidth } from "../../text-width.ts";
import { offerOf, offerText, scoreText } from "../../view/agents.ts";
import { Printer } from "../printer.ts";

export interface Participant {
  display_name: string;
  resonance_score: number;
  offer_content: unknown;
}

const BAR_CELLS = 10;
const OFFER_LINES = 3;

const oneLine = (text: string): string => printable(text).replace(/\s+/g, " ");

/** Prints the demo's steps, calls, texts, offers and plan. */
export class DemoPrinter extends Printer {
  #steps = 0;

  step(title: string): void {
    this.#steps += 1;
    this.gap();
    const head = `── ${this.#steps} ${title} `;
    const rule = "─".repeat(Math.max(0, this.width - stringWidth(head)));
    this.line(this.style(["bold", "cyan"], head) + this.style("dim", rule));
  }

  call(tool: string, what: string): void {
    this.text(`${tool} ${what}`, { first: "→ ", style: "cyan" });
  }

  /** Prints what the person is asked about, uncut. */
  quote(text: string): void {
    const bar = this.style("yellow", "│ ");
    for (const line of printable(text)
      .split("\n")
      .flatMap((l) => wrap(l, this.width - 2)))
      this.line(bar + line);
  }

  /** Prints one change, with the time since the demand was submitted. */
  progress(elapsedMs: number, text: string): void {
    this.text(text, { first: `  ${`+${(elapsedMs / 1000).toFixed(1)}`.padStart(5)} s  ` });
  }

  offer({ display_name, resonance_score, offer_content }: Participant, label: string, none: string): void {
    const score = `${bar(resonance_score, BAR_CELLS, this.style)} ${label} ${scoreText(resonance_score)}`;
    this.line(`${this.style("bold", oneLine(display_name))}  ${score}`);
    const lines = wrap(printable(offerText(offerOf(offer_content)) || none).split("\n")[0] ?? "", this.width - 2);
    for (const line of lines.slice(0, OFFER_LINES - 1)) this.line(`  ${line}`);
    const rest = lines.slice(OFFER_LINES - 1).join(" ");
    if (rest !== "") this.line(`  ${ellipsis(rest, this.width - 2)}`);
  }

  plan(text: string): void {
    for (const line of planLines(printable(text), { width: this.width, paint: this.style })) this.line(line);
  }
}
