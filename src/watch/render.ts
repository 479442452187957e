import stringWidth from "string-width";
import { markdown, paragraph } from "../terminal/paragraph.ts";
import { ellipsis } from "../terminal/wrap.ts";
import { agentLines } from "./agents.ts";
import type { Look } from "./look.ts";
import { stepLine } from "./steps.ts";
import { deadlineText, outageText, toldOf } from "./told.ts";
import type { View } from "./view.ts";

export interface FrameOptions {
  /** In rows; the frame is never taller. */
  rows: number;
  /** ms since the epoch. */
  now: number;
  /** Whether a key can be pressed here. */
  keys: boolean;
  /** What the last decision at this terminal led to. */
  notice?: string | undefined;
}

/** A tall terminal shows an offer whole; a very long one waits for the end. */
const MOST_OFFER_LINES = 10;

/** One picture of a negotiation under way, for a terminal of this size. Same view, same lines. */
export function frame(view: View, options: FrameOptions, look: Look): string[] {
  const top = head(view, look);
  const bottom = foot(view, options, look);
  const middle = body(view, options, look, options.rows - top.length - bottom.length);
  return [...top, ...middle, ...bottom].slice(0, Math.max(0, options.rows));
}

/** What stays on the person's screen when it is over: everything, offers and plan whole. */
export function ending(view: View, look: Look): string[] {
  const { negotiation } = view;
  const lines = head(view, look);
  if (negotiation === undefined) return lines;
  const { participants, plan_output: plan } = negotiation;
  if (participants.length > 0) lines.push("", ...agentLines(participants, look));
  if (plan !== null) lines.push("", ...heading(look), ...markdown(plan.replace(/^## .*\n+/, ""), look));
  return lines;
}

function heading({ width, paint, texts }: Look): string[] {
  const title = `── ${texts.plan} `;
  return [
    paint(["bold", "cyan"], ellipsis(title, width)) + paint("dim", "─".repeat(Math.max(0, width - stringWidth(title)))),
  ];
}

function head(view: View, look: Look): string[] {
  const { width, paint, texts } = look;
  const where = `${view.id} · ${view.host}`;
  const named = `${texts.title} · ${where}`;
  const title = stringWidth(named) <= width ? named : where;
  return [
    paint("bold", ellipsis(title, width)),
    ...(view.negotiation ? [paint("dim", ellipsis(texts.demand(oneLine(view.negotiation.demand_raw)), width))] : []),
    "",
    stepLine(view, look),
    "",
    ...toldOf(view, look).flatMap(({ text, style }) => paragraph(text, { ...look, style })),
  ];
}

const oneLine = (text: string) => text.replace(/\s+/g, " ");

function foot(view: View, { now, keys, notice }: FrameOptions, look: Look): string[] {
  const { width, paint, texts } = look;
  const outage = outageText(view, look);
  const say = (text: string, style: Parameters<Look["paint"]>[0]) => paragraph(text, { width, paint, style });
  const hintsWith = (leave: string) => [...(view.asking ? [texts.keys.decide] : []), leave].join(" · ");
  const full = hintsWith(texts.keys.leave);
  const hints = stringWidth(full) <= width ? full : hintsWith(texts.keys.leaveShort);
  return [
    ...(view.asking ? ["", ...say(deadlineText(view, now, look), ["bold", "yellow"])] : []),
    ...(view.asking && !keys ? say(texts.decideElsewhere(view.id), "yellow") : []),
    ...(notice === undefined ? [] : ["", ...say(notice, "yellow")]),
    ...(outage === undefined ? [] : ["", ...say(outage, ["bold", "red"])]),
    ...(keys ? ["", ...say(hints, "dim")] : []),
  ];
}

function body(view: View, { keys }: FrameOptions, look: Look, rows: number): string[] {
  const { negotiation: n } = view;
  if (n === undefined || rows < 3) return [];
  if (n.participants.length > 0) return ["", ...agentsIn(rows - 1, n.participants, look)];
  if (n.demand_formulated === null || n.state !== "formulated") return [];
  const { paint, texts } = look;
  const title = paragraph(view.asking ? texts.wouldGoOut : texts.wentOut, look);
  const text = paragraph(n.demand_formulated, { width: look.width - 2, paint });
  const room = rows - 1 - title.length;
  const cut = ellipsis(view.asking && keys ? texts.cutDecide : texts.cut, look.width - 2);
  const shown = text.length <= room ? text : [...text.slice(0, Math.max(0, room - 1)), cut];
  return ["", ...title, ...shown.map((line) => paint("yellow", "│ ") + line)];
}

/** As much of each offer as fits; where not even the agents fit, the first of them. */
function agentsIn(rows: number, agents: Parameters<typeof agentLines>[0], look: Look): string[] {
  for (let offerLines = MOST_OFFER_LINES; offerLines >= 0; offerLines--) {
    const lines = agentLines(agents, look, offerLines);
    if (lines.length <= rows) return lines;
  }
  const shown = Math.max(0, rows - 1);
  const more = ellipsis(`  ${look.texts.more(agents.length - shown)}`, look.width);
  return [...agentLines(agents, look, 0).slice(0, shown), look.paint("dim", more)];
}
