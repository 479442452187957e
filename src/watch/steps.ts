import type { Negotiation } from "../backend/contract.ts";
import type { Stage } from "../negotiation/stage.ts";
import { COLOURS } from "../terminal/colours.ts";
import type { Style } from "../terminal/paint.ts";
import { timeLeft } from "../terminal/time-left.ts";
import { stringWidth } from "../text-width.ts";
import type { Format } from "./format.ts";
import { stepTimes } from "./times.ts";
import type { View } from "./view.ts";

const STEP_OF: ReadonlyMap<string, number> = new Map([
  ["created", 0],
  ["formulating", 1],
  ["formulated", 2],
  ["encoding", 3],
  ["offering", 4],
  ["barrier_waiting", 4],
  ["synthesizing", 5],
]);

/** How far it came: a cancelled negotiation only says that it is over. */
function lastStep(n: Negotiation, { decision }: Stage): number {
  if (n.plan_output !== null) return n.participants.length === 0 ? 3 : 4;
  if (n.participants.length > 0) return n.participants.every((p) => p.state !== "active") ? 5 : 4;
  if (decision === undefined || decision.kind === "accept" || decision.kind === "edit") return 3;
  return n.demand_formulated === null ? 1 : 2;
}

type Mark = "done" | "now" | "failed" | "later";
const SIGNS: Readonly<Record<Mark, string>> = { done: "✓", now: "●", failed: "✗", later: "○" };
const STYLES: Readonly<Record<Mark, Style | undefined>> = {
  done: undefined,
  now: ["bold", COLOURS.act],
  failed: ["bold", COLOURS.warn],
  later: COLOURS.muted,
};

function marksOf({ negotiation: n, stage, said }: View, count: number): Mark[] {
  if (said.hasSucceeded) return Array<Mark>(count).fill("done");
  const over = n?.state === "completed";
  // A state that this version does not know comes after the decision, or nobody would have been asked about it.
  const at = n === undefined ? -1 : over ? lastStep(n, stage) : (STEP_OF.get(n.state) ?? 3);
  return Array.from({ length: count }, (_, i) => (i < at ? "done" : i > at ? "later" : over ? "failed" : "now"));
}

/**
 * The steps as one line with the current one marked, and how long each took; with less room only the current one's time,
 * then none, then signs and the current name alone.
 */
export function stepLine(view: View, now: number, { width, paint, texts }: Format): string {
  const marks = marksOf(view, texts.steps.length);
  const times = stepTimes(view, marks.indexOf("now"), now).map((ms) => (ms === undefined ? "" : ` ${timeLeft(ms)}`));
  const drawn = (mark: Mark, text: string) => {
    const style = STYLES[mark];
    return style === undefined ? text : paint(style, text);
  };
  for (const isTimed of [
    (mark: Mark) => mark === "done" || mark === "now",
    (mark: Mark) => mark === "now",
    () => false,
  ]) {
    const named = marks.map((mark, i) => `${SIGNS[mark]} ${texts.steps[i]}${isTimed(mark) ? times[i] : ""}`);
    if (stringWidth(named.join("   ")) <= width) return named.map((text, i) => drawn(marks[i]!, text)).join("   ");
  }
  const signs = marks.map((mark) => drawn(mark, SIGNS[mark])).join(" ");
  const at = marks.findIndex((mark) => mark === "now" || mark === "failed");
  const name = at < 0 ? "" : `  ${at + 1}/${marks.length} ${texts.steps[at]}`;
  return signs + (stringWidth(name) + marks.length * 2 - 1 <= width ? paint("bold", name) : "");
}
