import { demandOf, type Negotiation, type Participant } from "../data.ts";
import { type Language, languageOf, strings, wanted } from "../formulation.ts";
import { KINDS, type Kind, kindOf } from "./kinds.ts";

/** Somebody's part in a plan, as their offer has it. */
export interface Part {
  kind: Kind;
  /** What they want to know first; undefined where the demand says it all. */
  asks: string | undefined;
  limit: string | undefined;
  price: string | undefined;
  /** Who is of the same craft and comes before them: one of the two is enough. */
  standsInFor: string | undefined;
}

/** Somebody who takes part; without a part of their own it is an agent that the town does not know. */
interface Member extends Participant {
  part: Part | undefined;
}

interface Step {
  assignee_id: string;
  name: string;
  title: string;
}

const SAY = {
  en: {
    plan: "## Plan",
    demand: "**Demand**: ",
    who: "### Who",
    member: (name: string, skills: string[]) => `- **${name}**: ${skills.join(", ") || "wants to help"}`,
    steps: "### Steps",
    step: (at: number, name: string, what: string) => `${at}. ${name}: ${what}`,
    you: "You",
    and: " and ",
    answer: (name: string, asks: string | undefined) =>
      asks ? `answer ${name}: “${asks}”` : `agree with ${name} on when to begin`,
    with: (name: string, what: string) => `with ${name}: ${what}`,
    standIn: (name: string) => `step in if ${name} cannot`,
    open: "### Still open",
    price: (name: string, price: string | undefined) =>
      price
        ? `- what it costs: ${name} says “${price}”`
        : `- what it costs: settle it with ${name} before the first step`,
    limit: (name: string, limit: string) => `- ${name} says: “${limit}”`,
    nobody: "- nobody here does this; say it in other words, or ask for something else",
    there: "### What there is here",
  },
  zh: {
    plan: "## 协商方案",
    demand: "**需求**：",
    who: "### 谁来",
    member: (name: string, skills: string[]) => `- **${name}**：${skills.join("、") || "愿意帮忙"}`,
    steps: "### 步骤",
    step: (at: number, name: string, what: string) => `${at}. ${name}：${what}`,
    you: "你",
    and: "、",
    answer: (name: string, asks: string | undefined) => (asks ? `回答${name}：“${asks}”` : `和${name}约好什么时候开始`),
    with: (name: string, what: string) => `${what}（${name}）`,
    standIn: (name: string) => `${name}来不了时顶上`,
    open: "### 待确认",
    price: (name: string, price: string | undefined) =>
      price ? `- 费用：${name}说“${price}”` : `- 费用：开始之前和${name}说好`,
    limit: (name: string, limit: string) => `- ${name}说：“${limit}”`,
    nobody: "- 这里没有人做这件事；可以换个说法，或者换件事",
    there: "### 这里有什么",
  },
} as const;

/**
 * A plan in Markdown that names everybody who made an offer and the person's own turns, with the same as tasks. Where
 * nobody came it says what there is.
 */
export function planOf(
  negotiation: Negotiation,
  partOf: (agentId: string) => Part | undefined,
  whatThereIs: (language: Language) => string[],
): { text: string; tasks: Step[] } {
  const demand = demandOf(negotiation);
  const language = languageOf(wanted(demand));
  const say = SAY[language];
  const team = negotiation.participants
    .filter(({ state }) => state === "replied")
    .map((one) => ({ ...one, part: partOf(one.agent_id) }));
  const steps = stepsOf(negotiation, team, wanted(demand), language);
  const block = (title: string, lines: string[]) => (lines.length > 0 ? [[title, ...lines].join("\n")] : []);
  const own = language === "zh" ? (lines: string[]) => lines.map(spaced) : (lines: string[]) => lines;
  const members = team.map(({ display_name: name, offer_capabilities }) =>
    say.member(name, strings(offer_capabilities)),
  );
  const text = [
    say.plan,
    `${say.demand}${demand}`,
    ...block(say.who, members.length > 0 ? members : [say.nobody]),
    ...block(say.there, team.length > 0 ? [] : whatThereIs(language).map((what) => `- ${what}`)),
    ...block(say.steps, own(linesOf(steps, say))),
    ...block(say.open, own(team.filter((one) => !isWaiting(one)).flatMap((member) => openWith(member, say)))),
  ].join("\n\n");
  return { text, tasks: steps };
}

/**
 * Who does what in which order. Each sort of work goes its own way, one after the other; whoever stands in for another
 * is named before any of it begins.
 */
function stepsOf({ submittedBy }: Negotiation, team: readonly Member[], demand: string, language: Language): Step[] {
  const say = SAY[language];
  const active = team.filter((member) => !isWaiting(member));
  const you = (title: string): Step => ({ assignee_id: submittedBy, name: say.you, title });
  const they = ({ agent_id, display_name }: Member, title: string): Step => ({
    assignee_id: agent_id,
    name: display_name,
    title,
  });
  const asked = kindOf(demand);
  const ways = Map.groupBy(active, ({ part }) => part?.kind ?? asked);
  return [
    ...active.map(({ display_name, part }) => you(say.answer(display_name, part?.asks))),
    ...team.filter(isWaiting).map((member) => they(member, say.standIn(member.part?.standsInFor ?? ""))),
    ...[...ways].flatMap(([kind, members]) => {
      const names = members.map(({ display_name }) => display_name).join(say.and);
      return KINDS[kind][language].steps.flatMap(([who, what]) =>
        who === "they"
          ? members.map((member) => they(member, what))
          : [you(ways.size > 1 ? say.with(names, what) : what)],
      );
    }),
  ];
}

const isWaiting = ({ part }: Member): boolean => part?.standsInFor !== undefined;

/** One line for each step; what several do in the same way stands on one line. */
function linesOf(steps: readonly Step[], say: (typeof SAY)[Language]): string[] {
  const names = new Map<string, Set<string>>();
  for (const { name, title } of steps) names.set(title, (names.get(title) ?? new Set()).add(name));
  return [...names].map(([title, who], i) => say.step(i + 1, [...who].join(say.and), title));
}

/** What is not settled with somebody; company costs nothing unless they say so. */
function openWith({ display_name: name, part }: Member, say: (typeof SAY)[Language]): string[] {
  const price = part?.kind === "company" && part.price === undefined ? [] : [say.price(name, part?.price)];
  return part?.limit === undefined ? price : [...price, say.limit(name, part.limit)];
}

/** Chinese beside Latin letters, as it is set. */
const spaced = (text: string): string =>
  text.replace(/(?<=\p{Script=Han})(?=[a-z0-9])|(?<=[a-z0-9])(?=\p{Script=Han})/giu, " ");
