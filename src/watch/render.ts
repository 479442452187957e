import { duration } from "../duration.ts";
import { titleOf } from "../negotiation/outline.ts";
import { COLOURS, type Style } from "../terminal/paint.ts";
import { paragraph } from "../terminal/paragraph.ts";
import { planLines } from "../terminal/plan-lines.ts";
import { type Cell, table } from "../terminal/table.ts";
import { ellipsis } from "../terminal/wrap.ts";
import { stringWidth } from "../text-width.ts";
import type { StepState } from "../view/course.ts";
import { mayGoOut } from "../view/fate.ts";
import { agentLines } from "./agents.ts";
import type { Format } from "./format.ts";
import { offerPane, planHeading, shownAgent } from "./pane.ts";
import { deadlineText, isLate, nextStep, outageText, sentencesOf } from "./sentences.ts";
import { addedText, type Sheet, sheetOf, textLines } from "./sheet.ts";
import { courseAt } from "./times.ts";
import { hiddenIn, type View } from "./view.ts";

export interface FrameOptions {
  /** The height in rows. The frame is never taller. */
  rows: number;
  /** The current time, in milliseconds since the epoch. */
  now: number;
  /** True if the person can press keys here. */
  keys: boolean;
  /** What the last decision at this terminal led to. */
  notice?: string | undefined;
  /** The position of the agent that the person has selected, from 0. */
  selected?: number | undefined;
  /** True if the help on keys is shown in place of the agents. */
  help?: boolean;
}

/** Draws a negotiation under way, for a terminal of this size. The same view always gives the same lines. */
export function frame(view: View, options: FrameOptions, format: Format): string[] {
  const top = head(view, options.now, format);
  const bottom = foot(view, options, format);
  const middle = body(view, options, format, options.rows - top.length - bottom.length);
  return [...top, ...middle, ...bottom].slice(0, Math.max(0, options.rows));
}

/** Draws what stays on the screen after the end, with whole offers, the whole plan, and what the person can do next. */
export function ending(view: View, now: number, format: Format): string[] {
  const { negotiation } = view;
  const next = nextStep(view, format);
  const last = next === undefined ? [] : ["", ...paragraph(next, { ...format, style: COLOURS.act })];
  const top = head(view, now, format);
  if (negotiation === undefined) return [...top, ...last];
  const plan = negotiation.plan_output;
  const isWide = format.width >= TWO_COLUMNS && view.agents.length > 0 && plan !== null;
  const { left, right } = isWide ? columnWidths(format.width) : { left: format.width, right: format.width };
  const agents = [
    ...agentLines(view.agents, { ...format, width: left }),
    ...moreLine(hiddenIn(view), { ...format, width: left }),
  ];
  const planned =
    plan === null ? [] : [...planHeading({ ...format, width: right }), ...planLines(plan, { ...format, width: right })];
  const blocks = isWide ? [sideBySide(agents, planned, left)] : [agents, planned];
  return [...top, ...blocks.filter((block) => block.length > 0).flatMap((block) => ["", ...block]), ...last];
}

function head(view: View, now: number, format: Format): string[] {
  const { width, paint, texts } = format;
  const { moments, end } = courseAt(view, now);
  const until = end === undefined ? now : moments.ended;
  const time =
    moments.submitted === undefined || until === undefined ? undefined : Math.max(0, until - moments.submitted);
  const where = [view.id, view.host].join(" · ");
  const timed = time === undefined ? where : `${where} · ${duration(time)}`;
  const named = `${texts.title} · ${timed}`;
  const title = [named, timed].find((text) => stringWidth(text) <= width) ?? where;
  return [
    paint("bold", ellipsis(title, width)),
    ...(view.negotiation ? [paint(COLOURS.muted, ellipsis(texts.demand(titleIn(view)), width))] : []),
    "",
    stepLine(view, now, format),
    "",
    ...sentencesOf(view, now, format).flatMap(({ text, style }) => paragraph(text, { ...format, style })),
  ];
}

/** Returns the text to show as the title. Only this program may know a person's own text that the backend does not show yet. */
const titleIn = ({ said, negotiation, isReplaced, ownText }: View): string =>
  isReplaced && ownText !== undefined ? ownText.replace(/\s+/g, " ") : titleOf({ ...said, negotiation: negotiation! });

function foot(view: View, { now, keys, notice }: FrameOptions, format: Format): string[] {
  const { width, paint, texts } = format;
  const outage = outageText(view, format);
  // If the backend shows nothing of the negotiation, the deadline that this machine wrote down is all that is known.
  const isHanging = view.asking || (view.negotiation === undefined && outage !== undefined);
  const deadline = isHanging ? deadlineText(view.fate, now, format) : undefined;
  const say = (text: string, style: Style) => paragraph(text, { width, paint, style });
  const urgency: Style = isLate(view.fate, now) ? ["bold", COLOURS.warn] : "bold";
  return [
    ...(deadline === undefined ? [] : ["", ...say(deadline, urgency)]),
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
  if (view.agents.length > 0) return ["", ...agentsIn(rows - 1, view, options.selected, format)];
  if (n.demand_formulated === null || n.state !== "formulated" || view.stage.name === "cancelling") return [];
  const { texts } = format;
  // Only the program in which the person decided has their text, and the backend's own text is not what will go out.
  if (view.isReplaced && view.ownText === undefined) return ["", ...paragraph(texts.ownTextElsewhere, format)];
  const sheet = sheetOf(n.demand_raw, n.demand_formulated, view.isReplaced ? view.ownText : undefined);
  return ["", ...textBody(view, sheet, options, format, rows - 1)];
}

/** Draws the text that waits for a decision or is going out, as much of it as fits. */
function textBody(view: View, sheet: Sheet, { keys, now }: FrameOptions, format: Format, rows: number): string[] {
  const { texts, width } = format;
  const { isBeingWithdrawn, stage } = view.said;
  const goesOut = mayGoOut(stage.name, { isBeingWithdrawn, decideBy: view.fate?.at, now });
  const title = [
    ...paragraph(goesOut ? (view.asking ? texts.wouldGoOut : texts.goesOut) : texts.text, format),
    ...(view.asking ? paragraph(addedText(sheet, format), { ...format, style: COLOURS.muted }) : []),
  ];
  const text = textLines(sheet, format);
  const room = rows - title.length;
  const cut = `  ${ellipsis(view.asking && keys ? texts.cutDecide : texts.cut, width - 2)}`;
  return [...title, ...(text.length <= room ? text : [...text.slice(0, Math.max(0, room - 1)), cut])];
}

/** The most lines of one offer. A longer offer is shown whole at the end. */
const MAX_OFFER_LINES = 10;

/**
 * Draws the agents. With room for two columns they stand beside the selected or latest offer. Otherwise as much of each offer
 * follows its agent as fits. If not even all agents fit, the first agents are drawn.
 */
function agentsIn(rows: number, view: View, selected: number | undefined, format: Format): string[] {
  const { agents } = view;
  if (format.width >= TWO_COLUMNS) {
    const shown = shownAgent(view, selected);
    const { left, right } = columnWidths(format.width);
    const list = fewer(
      agentLines(agents, { ...format, width: left }, { offerLines: 0, selected: shown }),
      { rows, selected: shown, hidden: hiddenIn(view) },
      format,
    );
    return sideBySide(list, offerPane(agents[shown]!, view, { ...format, width: right }, rows), left);
  }
  for (let offerLines = MAX_OFFER_LINES; offerLines >= 0; offerLines--) {
    const lines = agentLines(agents, format, { offerLines, selected });
    if (lines.length <= rows && hiddenIn(view) === 0) return lines;
  }
  return fewer(
    agentLines(agents, format, { offerLines: 0, selected }),
    { rows, selected, hidden: hiddenIn(view) },
    format,
  );
}

/**
 * Draws one line for each agent. If there is no room for all, draws those around the selected agent and the number of the
 * others.
 */
function fewer(
  lines: string[],
  { rows, selected = 0, hidden }: { rows: number; selected: number | undefined; hidden: number },
  format: Format,
): string[] {
  if (lines.length <= rows && hidden === 0) return lines;
  const shown = Math.min(lines.length, Math.max(0, rows - 1));
  const from = Math.min(Math.max(0, selected - shown + 1), lines.length - shown);
  return [...lines.slice(from, from + shown), ...moreLine(lines.length - shown + hidden, format)];
}

const moreLine = (count: number, { width, paint, texts }: Format): string[] =>
  count === 0 ? [] : [paint(COLOURS.muted, ellipsis(`  ${texts.more(count)}`, width))];

function helpLines({ width, paint, texts: { help } }: Format): string[] {
  const row = (key: string, meaning: string): Cell[] => [
    { text: key, style: ["bold", COLOURS.act] },
    { text: meaning },
  ];
  const rows = [
    row("c", help.decide),
    row("↑ ↓", help.choose),
    row("o", help.open),
    row("?", help.help),
    row("q", help.leave),
  ];
  return table([{ title: "" }, { title: "", tooWide: "wrap" }], rows, { width, paint, titles: false });
}

/** Returns what can be pressed now, as much as fits on one line. How to decide and how to leave are dropped last. */
function hintLine({ asking, agents }: View, { width, texts: { keys } }: Pick<Format, "width" | "texts">): string {
  const decide = asking ? [keys.decide] : [];
  const choose = agents.length > 0 ? [keys.choose] : [];
  const hints = [
    [...decide, ...choose, keys.open, keys.help, keys.leave],
    [...decide, ...choose, keys.open, keys.help, keys.leaveShort],
    [...decide, keys.help, keys.leaveShort],
    [...decide, keys.leaveShort],
  ].map((some) => some.join(" · "));
  return hints.find((hint) => stringWidth(hint) <= width) ?? hints.at(-1) ?? "";
}

/** The least width, in columns, at which the agents fit beside one offer. */
const TWO_COLUMNS = 100;
const GAP = 3;

function columnWidths(width: number): { left: number; right: number } {
  const left = Math.max(40, Math.floor(width * 0.42));
  return { left, right: width - left - GAP };
}

/** Sets two blocks of lines side by side. The left block's lines are at most `leftWidth` columns wide. */
function sideBySide(left: readonly string[], right: readonly string[], leftWidth: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
    const [one = "", other = ""] = [left[i], right[i]];
    return other === "" ? one : one + " ".repeat(Math.max(0, leftWidth - stringWidth(one)) + GAP) + other;
  });
}

const SIGNS: Readonly<Record<StepState, string>> = { done: "✓", now: "●", failed: "✗", later: "○", unknown: "?" };
const STYLES: Readonly<Record<StepState, Style | undefined>> = {
  done: undefined,
  now: ["bold", COLOURS.act],
  failed: ["bold", COLOURS.warn],
  later: COLOURS.muted,
  unknown: COLOURS.muted,
};

/**
 * Draws the steps as one line, with the current one marked and the time that each took. With less room it keeps only the
 * current step's time, then no times, then only signs and the current step's name.
 */
function stepLine(view: View, now: number, { width, paint, texts }: Format): string {
  const { steps } = courseAt(view, now);
  const marks = steps.map(({ state }) => state);
  const names = steps.map(({ name }) => texts.steps[name]);
  const times = steps.map(({ tookMs }) => (tookMs === undefined ? "" : ` ${duration(tookMs)}`));
  const drawn = (mark: StepState, text: string) => {
    const style = STYLES[mark];
    return style === undefined ? text : paint(style, text);
  };
  for (const isTimed of [
    (mark: StepState) => mark === "done" || mark === "now",
    (mark: StepState) => mark === "now",
    () => false,
  ]) {
    const named = marks.map((mark, i) => `${SIGNS[mark]} ${names[i]}${isTimed(mark) ? times[i] : ""}`);
    if (stringWidth(named.join("   ")) <= width) return named.map((text, i) => drawn(marks[i]!, text)).join("   ");
  }
  const signs = marks.map((mark) => drawn(mark, SIGNS[mark])).join(" ");
  const at = marks.findIndex((mark) => mark === "now" || mark === "failed");
  const name = at < 0 ? "" : `  ${at + 1}/${marks.length} ${names[at]}`;
  return signs + (stringWidth(name) + marks.length * 2 - 1 <= width ? paint("bold", name) : "");
}
