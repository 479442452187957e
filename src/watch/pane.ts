import type { Participant } from "../backend/contract.ts";
import { agentStatus } from "../negotiation/backend-states.ts";
import { measureOf } from "../terminal/measure.ts";
import { COLOURS, scoreOf } from "../terminal/paint.ts";
import { markdown, paragraph } from "../terminal/paragraph.ts";
import { timeLeft } from "../terminal/time-left.ts";
import { ellipsis } from "../terminal/wrap.ts";
import { stringWidth } from "../text-width.ts";
import type { Format } from "./format.ts";
import { offerSeen } from "./times.ts";
import { offerText, type View } from "./view.ts";

/** Which agent is shown: the one that was chosen, else the one whose offer came last, else the first. */
export function shownAgent({ negotiation, times }: View, selected: number | undefined): number {
  const agents = negotiation?.participants ?? [];
  if (selected !== undefined) return Math.min(selected, agents.length - 1);
  const came = agents.map((agent) =>
    agentStatus(agent) === "replied" ? (times.get(offerSeen(agent.agent_id)) ?? 0) : -1,
  );
  const last = Math.max(...came);
  return last < 0 ? 0 : came.lastIndexOf(last);
}

/** The offer of one agent, whole as far as it fits into so many rows. */
export function offerPane(agent: Participant, view: View, format: Format, rows: number): string[] {
  const { width, paint, texts } = format;
  const status = agentStatus(agent);
  const at = view.times.get(offerSeen(agent.agent_id));
  const begin = view.local.facts.submitted?.at;
  const after = at === undefined || begin === undefined ? [] : [texts.after(timeLeft(at - begin))];
  const offer = offerText(agent).trim();
  const text = offer === "" ? texts.noOffer[status] : offer;
  const lines = [
    paint("bold", ellipsis(agent.display_name, width)),
    ...paragraph([texts.offer[status], scoreOf(agent.resonance_score), ...after].join(" · "), {
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

/** What stands above a plan, instead of its own title. */
export function planHeading({ width, paint, texts }: Format): string[] {
  const title = `── ${texts.plan} `;
  const rule = "─".repeat(Math.max(0, measureOf(width) - stringWidth(title)));
  return [paint(["bold", COLOURS.act], ellipsis(title, width)) + paint(COLOURS.muted, rule)];
}

/** The plan whole, without its own title. */
export const planLines = (plan: string, format: Format): string[] => markdown(plan.replace(/^## .*\n+/, ""), format);
