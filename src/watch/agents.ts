import stringWidth from "string-width";
import type { Participant } from "../backend/contract.ts";
import { bar, scoreOf } from "../terminal/bar.ts";
import { paragraph } from "../terminal/paragraph.ts";
import { ellipsis, wrap } from "../terminal/wrap.ts";
import type { Look } from "./look.ts";
import { offerText, standing } from "./view.ts";

const INDENT = "  ";
const OFFER_INDENT = "    ";
/** Below this many columns the bar is short and the standing is one sign. */
const ROOMY = 60;
const LONGEST_NAME = 28;
const SIGNS = { replied: "✓", exited: "✗", waiting: "…" } as const;
const STYLES = { replied: "green", exited: "red", waiting: "dim" } as const;

/**
 * The agents with name, resonance bar and standing, and of each offer at most `offerLines` lines: all of them where
 * that is not given.
 */
export function agentLines(agents: readonly Participant[], look: Look, offerLines?: number): string[] {
  const name = nameColumns(agents, look);
  return agents.flatMap((agent) => [agentLine(agent, name, look), ...offerOf(agent, look, offerLines)]);
}

const labelOf = (agent: Participant, { width, texts }: Look) =>
  width < ROOMY ? SIGNS[standing(agent)] : texts.offer[standing(agent)];
const barCells = ({ width }: Look) => (width < 32 ? 0 : width < ROOMY ? 6 : 10);

function nameColumns(agents: readonly Participant[], look: Look): number {
  const widest = (texts: string[]) => Math.max(0, ...texts.map((text) => stringWidth(text)));
  const taken =
    INDENT.length +
    1 +
    (barCells(look) > 0 ? barCells(look) + 1 : 0) +
    widest(agents.map((agent) => scoreOf(agent.resonance_score))) +
    1 +
    widest(agents.map((agent) => labelOf(agent, look)));
  const wanted = Math.min(LONGEST_NAME, widest(agents.map((agent) => agent.display_name)));
  return Math.max(2, Math.min(wanted, look.width - taken));
}

function agentLine(agent: Participant, nameColumns: number, look: Look): string {
  const { paint } = look;
  const name = ellipsis(agent.display_name, nameColumns);
  const cells = barCells(look);
  return [
    INDENT + paint("bold", name) + " ".repeat(Math.max(0, nameColumns - stringWidth(name))),
    ...(cells > 0 ? [bar(agent.resonance_score, cells, paint)] : []),
    scoreOf(agent.resonance_score),
    paint(STYLES[standing(agent)], labelOf(agent, look)),
  ].join(" ");
}

function offerOf(agent: Participant, { width, paint }: Look, lines: number | undefined): string[] {
  const text = offerText(agent).trim();
  if (text === "" || lines === 0) return [];
  if (lines === undefined) return paragraph(text, { width, paint, first: OFFER_INDENT });
  const columns = width - OFFER_INDENT.length;
  const wrapped = wrap(text.replace(/\s+/g, " "), columns);
  const shown = wrapped.slice(0, lines);
  if (wrapped.length > lines) shown[lines - 1] = ellipsis(wrapped.slice(lines - 1).join(" "), columns);
  return shown.map((line) => OFFER_INDENT + line);
}
