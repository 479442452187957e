import type { Participant } from "../backend/contract.ts";
import { agentStatus } from "../negotiation/backend-states.ts";
import { scoreOf } from "../terminal/bar.ts";
import type { Format } from "./format.ts";
import { deadlineText, decidedText, outageText, sentencesOf } from "./sentences.ts";
import { offerText, type View } from "./view.ts";

export interface PlainOptions {
  /** ms since the epoch. */
  now: number;
  /** Whether a word can be typed here. */
  words: boolean;
}

/** What is new since the last view, a line each, with the time of day before it. Nothing is wrapped. */
export function changes(before: View | undefined, after: View, { now, words }: PlainOptions, format: Format): string[] {
  const { texts, timeOfDay } = format;
  const lines: string[] = [];
  if (before === undefined) lines.push(texts.watching(after.id, after.host));
  const outage = outageText(after, format);
  if (outage !== undefined && before?.outage === undefined) lines.push(outage);
  if (outage === undefined && before?.outage !== undefined) lines.push(texts.back);
  if (after.negotiation !== undefined || after.said.ending !== undefined) {
    const already = before?.negotiation === undefined ? [] : linesOf(before, format);
    const decided = decidedText(after, format);
    const earlier = new Map(before?.negotiation?.participants.map((agent) => [agent.agent_id, agent]));
    const agents = after.negotiation?.participants ?? [];
    lines.push(...agents.flatMap((agent) => news(earlier.get(agent.agent_id), agent, format)));
    // A decision comes before what it leads to.
    const sentences = linesOf(after, format).filter((text) => !already.includes(text));
    if (decided !== undefined && sentences.includes(decided)) lines.push(decided);
    lines.push(...sentences.filter((text) => text !== decided));
    if (after.asking && !before?.asking)
      lines.push(deadlineText(after, now, format), words ? texts.decideByWord : texts.decideElsewhere(after.id));
  }
  return lines.map((line) => `${timeOfDay(now)}  ${line.replace(/\s+/g, " ")}`);
}

const linesOf = (view: View, format: Format): string[] => sentencesOf(view, format).map(({ text }) => text);

function news(before: Participant | undefined, agent: Participant, { texts }: Format): string[] {
  const name = agent.display_name;
  const is = agentStatus(agent);
  const was = before === undefined ? "waiting" : agentStatus(before);
  return [
    ...(before === undefined ? [texts.activated(name, scoreOf(agent.resonance_score))] : []),
    ...(is === "replied" && was !== "replied" ? [`${texts.offerOf(name)} ${offerText(agent)}`.trim()] : []),
    ...(is === "exited" && was !== "exited" ? [texts.leftWithout(name)] : []),
  ];
}
