import { bar, COLOURS } from "../terminal/paint.ts";
import { paragraph } from "../terminal/paragraph.ts";
import { ellipsis, wrap } from "../terminal/wrap.ts";
import { stringWidth } from "../text-width.ts";
import type { Agent } from "../view/agents.ts";
import type { Format } from "./format.ts";
import { shownOffer } from "./view.ts";

const INDENT = "  ";
const SELECTED = "▸ ";
const OFFER_INDENT = "    ";
/** The width, in columns, below which the bar is short and the state is a single sign. */
const ROOMY = 48;
const MAX_NAME_LENGTH = 28;
const SIGNS = { offered: "✓", left: "✗", none: "–", waiting: "…" } as const;

export interface AgentLinesOptions {
  /** The most lines to show of each offer. Undefined shows all of them. */
  offerLines?: number;
  /** The position of the selected agent, from 0, which is marked. */
  selected?: number | undefined;
}

/** Draws the agents with name, resonance bar and state, and at most `offerLines` lines of each offer. */
export function agentLines(
  agents: readonly Agent[],
  format: Format,
  { offerLines, selected }: AgentLinesOptions = {},
): string[] {
  const columns = columnsOf(agents, format);
  return agents.flatMap((agent, i) => [
    agentLine(agent, columns, format, i === selected),
    ...offerOf(agent, format, offerLines),
  ]);
}

const labelOf = ({ state }: Agent, { width, texts }: Format) => (width < ROOMY ? SIGNS[state] : texts.offer[state]);
const barCells = ({ width }: Format) => (width < 32 ? 0 : width < ROOMY ? 6 : 10);

interface Columns {
  name: number;
  score: number;
}

function columnsOf(agents: readonly Agent[], format: Format): Columns {
  const widest = (texts: string[]) => Math.max(0, ...texts.map((text) => stringWidth(text)));
  const score = widest(agents.map(({ scoreText }) => scoreText));
  const bars = barCells(format) > 0 ? barCells(format) + 1 : 0;
  const taken = INDENT.length + 1 + bars + score + 1 + widest(agents.map((agent) => labelOf(agent, format)));
  const wanted = Math.min(MAX_NAME_LENGTH, widest(agents.map(({ name }) => name)));
  return { name: Math.max(2, Math.min(wanted, format.width - taken)), score };
}

function agentLine(agent: Agent, columns: Columns, format: Format, isSelected: boolean): string {
  const { paint } = format;
  const name = ellipsis(agent.name, columns.name);
  const cells = barCells(format);
  return [
    (isSelected ? paint(["bold", COLOURS.act], SELECTED) : INDENT) +
      paint("bold", name) +
      " ".repeat(Math.max(0, columns.name - stringWidth(name))),
    ...(cells > 0 ? [bar(agent.score, cells, paint)] : []),
    agent.scoreText.padStart(columns.score),
    paint(agent.state === "offered" ? COLOURS.act : COLOURS.muted, labelOf(agent, format)),
  ].join(" ");
}

function offerOf(agent: Agent, { width, paint, texts }: Format, lines: number | undefined): string[] {
  const text = shownOffer(agent) || (agent.offer === null ? "" : texts.noOffer.offered);
  if (text === "" || lines === 0) return [];
  if (lines === undefined) return paragraph(text, { width, paint, first: OFFER_INDENT });
  const columns = width - OFFER_INDENT.length;
  const wrapped = wrap(text.replace(/\s+/g, " "), columns);
  const shown = wrapped.slice(0, lines);
  if (wrapped.length > lines) shown[lines - 1] = ellipsis(wrapped.slice(lines - 1).join(" "), columns);
  return shown.map((line) => OFFER_INDENT + line);
}
