import stringWidth from "string-width";
import type { Negotiation } from "../backend/contract.ts";
import type { Stage } from "../negotiation/stage.ts";
import type { Style } from "../terminal/paint.ts";
import type { Format } from "./format.ts";
import type { View } from "./view.ts";

const STEP_OF: Readonly<Record<string, number>> = {
  created: 0,
  formulating: 1,
  formulated: 2,
  encoding: 3,
  offering: 4,
  barrier_waiting: 4,
  synthesizing: 5,
};

/** How far it came: a cancelled negotiation only says that it is over. */
function lastStep(n: Negotiation, { decision }: Stage): number {
  if (n.participants.length > 0) return n.participants.every((p) => p.state !== "active") ? 5 : 4;
  if (decision === undefined || decision.kind === "accept" || decision.kind === "edit") return 3;
  return n.demand_formulated === null ? 1 : 2;
}

type Mark = "done" | "now" | "failed" | "later";
const SIGNS: Readonly<Record<Mark, string>> = { done: "✓", now: "●", failed: "✗", later: "○" };
const STYLES: Readonly<Record<Mark, Style>> = {
  done: "green",
  now: ["bold", "yellow"],
  failed: ["bold", "red"],
  later: "dim",
};

function marksOf({ negotiation: n, stage }: View, count: number): Mark[] {
  const over = n?.state === "completed";
  if (over && n.plan_output !== null) return Array<Mark>(count).fill("done");
  // A state that this version does not know comes after the decision, or nobody would have been asked about it.
  const at = n === undefined ? -1 : over ? lastStep(n, stage) : (STEP_OF[n.state] ?? 3);
  return Array.from({ length: count }, (_, i) => (i < at ? "done" : i > at ? "later" : over ? "failed" : "now"));
}

/** The steps as one line with the current one marked; signs and the current name alone where there is no room. */
export function stepLine(view: View, { width, paint, texts }: Format): string {
  const marks = marksOf(view, texts.steps.length);
  const named = marks.map((mark, i) => [mark, `${SIGNS[mark]} ${texts.steps[i]}`] as const);
  const full = named.map(([, text]) => text).join("   ");
  if (stringWidth(full) <= width) return named.map(([mark, text]) => paint(STYLES[mark], text)).join("   ");
  const signs = marks.map((mark) => paint(STYLES[mark], SIGNS[mark])).join(" ");
  const at = marks.findIndex((mark) => mark === "now" || mark === "failed");
  const name = at < 0 ? "" : `  ${at + 1}/${marks.length} ${texts.steps[at]}`;
  return signs + (stringWidth(name) + marks.length * 2 - 1 <= width ? paint("bold", name) : "");
}
