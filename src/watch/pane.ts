import { duration } from "../duration.ts";
import { measureOf } from "../terminal/measure.ts";
import { COLOURS } from "../terminal/paint.ts";
import { paragraph } from "../terminal/paragraph.ts";
import { ellipsis } from "../terminal/wrap.ts";
import { stringWidth } from "../text-width.ts";
import type { Agent } from "../view/agents.ts";
import type { Format } from "./format.ts";
import { offerSeen } from "./times.ts";
import { shownOffer, type View } from "./view.ts";

/**
 * Returns the position of the agent to show, which is the selected one, or else the one with the latest offer, or else the
 * first.
 */
export function shownAgent({ agents, times }: View, selected: number | undefined): number {
  if (selected !== undefined) return Math.min(selected, agents.length - 1);
  const came = agents.map(({ id, offer }) => (offer === null ? -1 : (times.get(offerSeen(id)) ?? 0)));
  const last = Math.max(...came);
  return last < 0 ? 0 : came.lastIndexOf(last);
}

/** Draws one agent's offer, as much of it as fits into `rows`. */
export function offerPane(agent: Agent, view: View, format: Format, rows: number): string[] {
  const { width, paint, texts } = format;
  const at = view.times.get(offerSeen(agent.id));
  const begin = view.local.facts.submitted?.at;
  const after = at === undefined || begin === undefined ? [] : [texts.after(duration(at - begin))];
  const offer = shownOffer(agent);
  const text = offer === "" ? texts.noOffer[agent.state] : offer;
  const lines = [
    paint("bold", ellipsis(agent.name, width)),
    ...paragraph([texts.offer[agent.state], agent.scoreText, ...after].join(" · "), {
      width,
      paint,
      style: COLOURS.muted,
    }),
    "",
    ...paragraph(text, { width, paint, ...(offer === "" && { style: COLOURS.muted }) }),
  ];
  return lines.length <= rows
    ? lines
    : [...lines.slice(0, Math.max(0, rows - 1)), paint(COLOURS.muted, ellipsis(texts.cut, width))];
}

/** Draws the heading above a plan, in place of the plan's own title. */
export function planHeading({ width, paint, texts }: Format): string[] {
  const title = `── ${texts.plan} `;
  const rule = "─".repeat(Math.max(0, measureOf(width) - stringWidth(title)));
  return [paint(["bold", COLOURS.act], ellipsis(title, width)) + paint(COLOURS.muted, rule)];
}
