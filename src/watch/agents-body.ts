import { COLOURS } from "../terminal/colours.ts";
import { ellipsis } from "../terminal/wrap.ts";
import { agentLines } from "./agents.ts";
import { columnWidths, sideBySide, TWO_COLUMNS } from "./columns.ts";
import type { Format } from "./format.ts";
import { offerPane, shownAgent } from "./pane.ts";
import type { View } from "./view.ts";

/** A tall terminal shows an offer whole; a very long one waits for the end. */
const MAX_OFFER_LINES = 10;

/**
 * With room for two columns the agents stand beside the offer that was chosen, or came last. Else as much of each offer
 * as fits, or all of the chosen one; where not even the agents fit, the first of them.
 */
export function agentsIn(rows: number, view: View, selected: number | undefined, format: Format): string[] {
  const agents = view.negotiation?.participants ?? [];
  if (format.width >= TWO_COLUMNS) {
    const shown = shownAgent(view, selected);
    const { left, right } = columnWidths(format.width);
    const list = fewer(
      agentLines(agents, { ...format, width: left }, { offerLines: 0, selected: shown }),
      rows,
      format,
      shown,
    );
    return sideBySide(list, offerPane(agents[shown]!, view, { ...format, width: right }, rows), left);
  }
  for (let offerLines = MAX_OFFER_LINES; offerLines >= 0; offerLines--) {
    const lines = agentLines(agents, format, { offerLines, selected });
    if (lines.length <= rows) return lines;
  }
  return fewer(agentLines(agents, format, { offerLines: 0, selected }), rows, format, selected);
}

/** One line an agent; where they do not fit, those around the chosen one, and how many there are besides. */
function fewer(lines: string[], rows: number, { width, paint, texts }: Format, selected = 0): string[] {
  if (lines.length <= rows) return lines;
  const shown = Math.max(0, rows - 1);
  const from = Math.min(Math.max(0, selected - shown + 1), lines.length - shown);
  const more = ellipsis(`  ${texts.more(lines.length - shown)}`, width);
  return [...lines.slice(from, from + shown), paint(COLOURS.muted, more)];
}
