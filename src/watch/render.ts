import stringWidth from "string-width";
import { COLOURS } from "../terminal/colours.ts";
import { markdown, paragraph } from "../terminal/paragraph.ts";
import { ellipsis } from "../terminal/wrap.ts";
import { agentLines } from "./agents.ts";
import type { Format } from "./format.ts";
import { deadlineText, outageText, sentencesOf } from "./sentences.ts";
import { addedText, sheetOf, textLines } from "./sheet.ts";
import { stepLine } from "./steps.ts";
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
const MAX_OFFER_LINES = 10;

/** One picture of a negotiation under way, for a terminal of this size. Same view, same lines. */
export function frame(view: View, options: FrameOptions, format: Format): string[] {
  const top = head(view, format);
  const bottom = foot(view, options, format);
  const middle = body(view, options, format, options.rows - top.length - bottom.length);
  return [...top, ...middle, ...bottom].slice(0, Math.max(0, options.rows));
}

/** What stays on the person's screen when it is over: everything, offers and plan whole. */
export function ending(view: View, format: Format): string[] {
  const { negotiation } = view;
  const lines = head(view, format);
  if (negotiation === undefined) return lines;
  const { participants, plan_output: plan } = negotiation;
  if (participants.length > 0) lines.push("", ...agentLines(participants, format));
  if (plan !== null) lines.push("", ...heading(format), ...markdown(plan.replace(/^## .*\n+/, ""), format));
  return lines;
}

function heading({ width, paint, texts }: Format): string[] {
  const title = `── ${texts.plan} `;
  return [
    paint(["bold", "cyan"], ellipsis(title, width)) + paint("dim", "─".repeat(Math.max(0, width - stringWidth(title)))),
  ];
}

function head(view: View, format: Format): string[] {
  const { width, paint, texts } = format;
  const where = `${view.id} · ${view.host}`;
  const named = `${texts.title} · ${where}`;
  const title = stringWidth(named) <= width ? named : where;
  return [
    paint("bold", ellipsis(title, width)),
    ...(view.negotiation ? [paint("dim", ellipsis(texts.demand(oneLine(view.negotiation.demand_raw)), width))] : []),
    "",
    stepLine(view, format),
    "",
    ...sentencesOf(view, format).flatMap(({ text, style }) => paragraph(text, { ...format, style })),
  ];
}

const oneLine = (text: string) => text.replace(/\s+/g, " ");

function foot(view: View, { now, keys, notice }: FrameOptions, format: Format): string[] {
  const { width, paint, texts } = format;
  const outage = outageText(view, format);
  const say = (text: string, style: Parameters<Format["paint"]>[0]) => paragraph(text, { width, paint, style });
  const hintsWith = (leave: string) => [...(view.asking ? [texts.keys.decide] : []), leave].join(" · ");
  const full = hintsWith(texts.keys.leave);
  const hints = stringWidth(full) <= width ? full : hintsWith(texts.keys.leaveShort);
  return [
    ...(view.asking ? ["", ...say(deadlineText(view, now, format), ["bold", "yellow"])] : []),
    ...(view.asking && !keys ? say(texts.decideElsewhere(view.id), "yellow") : []),
    ...(notice === undefined ? [] : ["", ...say(notice, "yellow")]),
    ...(outage === undefined ? [] : ["", ...say(outage, ["bold", "red"])]),
    ...(keys ? ["", ...say(hints, "dim")] : []),
  ];
}

function body(view: View, { keys }: FrameOptions, format: Format, rows: number): string[] {
  const { negotiation: n } = view;
  if (n === undefined || rows < 3) return [];
  if (n.participants.length > 0) return ["", ...agentsIn(rows - 1, n.participants, format)];
  if (n.demand_formulated === null || n.state !== "formulated") return [];
  const { texts } = format;
  const sheet = sheetOf(n.demand_raw, n.demand_formulated);
  const title = [
    ...paragraph(view.asking ? texts.wouldGoOut : texts.wentOut, format),
    ...(view.asking ? paragraph(addedText(sheet, format), { ...format, style: COLOURS.muted }) : []),
  ];
  const text = textLines(sheet, format);
  const room = rows - 1 - title.length;
  const cut = `  ${ellipsis(view.asking && keys ? texts.cutDecide : texts.cut, format.width - 2)}`;
  const shown = text.length <= room ? text : [...text.slice(0, Math.max(0, room - 1)), cut];
  return ["", ...title, ...shown];
}

/** As much of each offer as fits; where not even the agents fit, the first of them. */
function agentsIn(rows: number, agents: Parameters<typeof agentLines>[0], format: Format): string[] {
  for (let offerLines = MAX_OFFER_LINES; offerLines >= 0; offerLines--) {
    const lines = agentLines(agents, format, offerLines);
    if (lines.length <= rows) return lines;
  }
  const shown = Math.max(0, rows - 1);
  const more = ellipsis(`  ${format.texts.more(agents.length - shown)}`, format.width);
  return [...agentLines(agents, format, 0).slice(0, shown), format.paint("dim", more)];
}
