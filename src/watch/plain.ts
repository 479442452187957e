import type { Participant } from "../backend/contract.ts";
import { scoreOf } from "../terminal/bar.ts";
import type { Look } from "./look.ts";
import { deadlineText, decidedText, outageText, toldOf } from "./told.ts";
import { offerText, standing, type View } from "./view.ts";

export interface PlainOptions {
  /** ms since the epoch. */
  now: number;
  /** Whether a word can be typed here. */
  words: boolean;
}

/** What is new since the last view, a line each, with the time of day before it. Nothing is wrapped. */
export function changes(before: View | undefined, after: View, { now, words }: PlainOptions, look: Look): string[] {
  const { texts, timeOfDay } = look;
  const lines: string[] = [];
  if (before === undefined) lines.push(texts.watching(after.id, after.host));
  const outage = outageText(after, look);
  if (outage !== undefined && before?.outage === undefined) lines.push(outage);
  if (outage === undefined && before?.outage !== undefined) lines.push(texts.back);
  if (after.negotiation !== undefined) {
    const told = before?.negotiation === undefined ? [] : sentencesOf(before, look);
    const decided = decidedText(after, look);
    const known = before?.negotiation?.participants ?? [];
    lines.push(...after.negotiation.participants.flatMap((agent, i) => news(known[i], agent, look)));
    // A decision comes before what it leads to.
    const sentences = sentencesOf(after, look).filter((text) => !told.includes(text));
    if (decided !== undefined && sentences.includes(decided)) lines.push(decided);
    lines.push(...sentences.filter((text) => text !== decided));
    if (after.asking && !before?.asking)
      lines.push(deadlineText(after, now, look), words ? texts.decideByWord : texts.decideElsewhere(after.id));
  }
  return lines.map((line) => `${timeOfDay(now)}  ${line.replace(/\s+/g, " ")}`);
}

const sentencesOf = (view: View, look: Look): string[] => toldOf(view, look).map(({ text }) => text);

function news(before: Participant | undefined, agent: Participant, { texts }: Look): string[] {
  const name = agent.display_name;
  const is = standing(agent);
  const was = before === undefined ? "waiting" : standing(before);
  return [
    ...(before === undefined ? [texts.activated(name, scoreOf(agent.resonance_score))] : []),
    ...(is === "replied" && was !== "replied" ? [`${texts.offerOf(name)} ${offerText(agent)}`.trim()] : []),
    ...(is === "exited" && was !== "exited" ? [texts.leftWithout(name)] : []),
  ];
}
