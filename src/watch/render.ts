import { COLOURS } from "../terminal/colours.ts";
import type { Style } from "../terminal/paint.ts";
import { paragraph } from "../terminal/paragraph.ts";
import { timeLeft } from "../terminal/time-left.ts";
import { ellipsis } from "../terminal/wrap.ts";
import { stringWidth } from "../text-width.ts";
import { agentLines } from "./agents.ts";
import { agentsIn } from "./agents-body.ts";
import { columnWidths, sideBySide, TWO_COLUMNS } from "./columns.ts";
import type { Format } from "./format.ts";
import { helpLines } from "./help.ts";
import { hintLine } from "./hints.ts";
import { nextStep } from "./next-step.ts";
import { planHeading, planLines } from "./pane.ts";
import { deadlineText, isLate, outageText, sentencesOf } from "./sentences.ts";
import { addedText, type Sheet, sheetOf, textLines } from "./sheet.ts";
import { stepLine } from "./steps.ts";
import { elapsed } from "./times.ts";
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
  /** The agent that the person has chosen, from 0. */
  selected?: number | undefined;
  /** What the keys do is shown, instead of the agents. */
  help?: boolean;
}

/** One picture of a negotiation under way, for a terminal of this size. Same view, same lines. */
export function frame(view: View, options: FrameOptions, format: Format): string[] {
  const top = head(view, options.now, format);
  const bottom = foot(view, options, format);
  const middle = body(view, options, format, options.rows - top.length - bottom.length);
  return [...top, ...middle, ...bottom].slice(0, Math.max(0, options.rows));
}

/** What stays on the person's screen when it is over: everything, offers and plan whole, and what they can do next. */
export function ending(view: View, now: number, format: Format): string[] {
  const { negotiation } = view;
  const next = nextStep(view, format);
  const last = next === undefined ? [] : ["", ...paragraph(next, { ...format, style: COLOURS.act })];
  const top = head(view, now, format);
  if (negotiation === undefined) return [...top, ...last];
  const { participants, plan_output: plan } = negotiation;
  const isWide = format.width >= TWO_COLUMNS && participants.length > 0 && plan !== null;
  const { left, right } = isWide ? columnWidths(format.width) : { left: format.width, right: format.width };
  const agents = agentLines(participants, { ...format, width: left });
  const planned =
    plan === null ? [] : [...planHeading({ ...format, width: right }), ...planLines(plan, { ...format, width: right })];
  const blocks = isWide ? [sideBySide(agents, planned, left)] : [agents, planned];
  return [...top, ...blocks.filter((block) => block.length > 0).flatMap((block) => ["", ...block]), ...last];
}

function head(view: View, now: number, format: Format): string[] {
  const { width, paint, texts } = format;
  const time = elapsed(view, now);
  const where = [view.id, view.host].join(" · ");
  const timed = time === undefined ? where : `${where} · ${timeLeft(time)}`;
  const named = `${texts.title} · ${timed}`;
  const title = [named, timed].find((text) => stringWidth(text) <= width) ?? where;
  return [
    paint("bold", ellipsis(title, width)),
    ...(view.negotiation
      ? [paint(COLOURS.muted, ellipsis(texts.demand(oneLine(view.negotiation.demand_raw)), width))]
      : []),
    "",
    stepLine(view, now, format),
    "",
    ...sentencesOf(view, format).flatMap(({ text, style }) => paragraph(text, { ...format, style })),
  ];
}

const oneLine = (text: string) => text.replace(/\s+/g, " ");

function foot(view: View, { now, keys, notice }: FrameOptions, format: Format): string[] {
  const { width, paint, texts } = format;
  const outage = outageText(view, format);
  const say = (text: string, style: Style) => paragraph(text, { width, paint, style });
  const urgency: Style = isLate(view, now) ? ["bold", COLOURS.warn] : "bold";
  return [
    ...(view.asking ? ["", ...say(deadlineText(view, now, format), urgency)] : []),
    ...(view.asking && !keys ? say(texts.decideElsewhere(view.id), COLOURS.act) : []),
    ...(notice === undefined ? [] : ["", ...say(notice, "bold")]),
    ...(outage === undefined ? [] : ["", ...say(outage, ["bold", COLOURS.warn])]),
    ...(keys ? ["", ...say(hintLine(view, format), COLOURS.muted)] : []),
  ];
}

function body(view: View, options: FrameOptions, format: Format, rows: number): string[] {
  const { negotiation: n } = view;
  if (n === undefined || rows < 3) return [];
  if (options.help) return ["", ...helpLines(format).slice(0, rows - 1)];
  if (n.participants.length > 0) return ["", ...agentsIn(rows - 1, view, options.selected, format)];
  if (n.demand_formulated === null || n.state !== "formulated") return [];
  const { texts } = format;
  // Nobody but the program of that decision has the text; the backend's own one is no longer what goes out.
  if (view.isReplaced && view.ownText === undefined) return ["", ...paragraph(texts.ownTextElsewhere, format)];
  const sheet = sheetOf(n.demand_raw, n.demand_formulated, view.isReplaced ? view.ownText : undefined);
  return ["", ...textBody(view, sheet, options.keys, format, rows - 1)];
}

/** The text that waits, or that went out, as much of it as fits. */
function textBody(view: View, sheet: Sheet, keys: boolean, format: Format, rows: number): string[] {
  const { texts, width } = format;
  const title = [
    ...paragraph(view.asking ? texts.wouldGoOut : texts.wentOut, format),
    ...(view.asking ? paragraph(addedText(sheet, format), { ...format, style: COLOURS.muted }) : []),
  ];
  const text = textLines(sheet, format);
  const room = rows - title.length;
  const cut = `  ${ellipsis(view.asking && keys ? texts.cutDecide : texts.cut, width - 2)}`;
  return [...title, ...(text.length <= room ? text : [...text.slice(0, Math.max(0, room - 1)), cut])];
}
