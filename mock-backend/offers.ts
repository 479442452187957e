import { type Agent, demandOf, type Negotiation } from "./data.ts";
import { type Language, languageOf, strings, wanted } from "./formulation.ts";
import { markersOf, withoutMarkers } from "./markers.ts";
import { hashed } from "./random.ts";
import { bySkill, type Community } from "./resonance.ts";

interface Offer {
  content: unknown;
  capabilities: unknown;
}

/** How an agent answers: an offer, "exit" (failed or empty), or "hang" (no answer before the timeout). */
export type Answer = Offer | "exit" | "hang";

const FIRST_STEPS = {
  zh: ["先用一周把范围和验收标准写清楚", "先做一个可点击的原型，再决定投入", "先和三位目标用户聊一次，校准方向"],
  en: [
    "spend the first week writing down scope and acceptance criteria",
    "build a clickable prototype before anybody commits",
    "talk to three of your users to check the direction",
  ],
} as const;
const AVAILABILITY = {
  zh: ["每周可投入约 8 小时，下周一就能开始", "晚上和周末有空，可以先做四周试点", "本月能投入十天左右，之后按需参与"],
  en: [
    "I have about 8 hours a week, from next Monday",
    "Evenings and weekends work for me; a four-week trial suits me",
    "I can give ten days this month and stay on call afterwards",
  ],
} as const;

const sentence = (text: string) => text.trim().replace(/[.。!！]+$/, "");

/** A believable offer in the language of the demand. */
function write(agent: Agent, demand: string, language: Language, turn: number, community?: Community): Offer {
  const profile = agent.profile_data;
  const own = community?.about(wanted(demand)).offer(agent);
  if (own !== undefined) return own;
  const capabilities = bySkill(demand, strings(profile.skills)).slice(0, 3);
  const bio = typeof profile.bio === "string" ? sentence(withoutMarkers(profile.bio)) : "";
  const first = FIRST_STEPS[language][turn % 3];
  const free = AVAILABILITY[language][(turn + 1) % 3];
  const content =
    language === "zh"
      ? `我可以负责${capabilities.join("、") || "这件事"}。${bio ? `${bio}。` : ""}我建议${first}。${free}。`
      : `I can take on ${capabilities.join(", ") || "this"}. ${bio ? `${bio}. ` : ""}I would ${first}. ${free}.`;
  return { content, capabilities };
}

/**
 * How the agent at `index` (best resonance first) answers, honouring `[[offers=…]]` of the intent and
 * `[[offer=…]]` in the agent's own bio. An empty demand, or one that is no text, makes every offer fail.
 */
export function answer(
  negotiation: Negotiation,
  agent: Agent | undefined,
  index: number,
  { seed, community }: { seed: number; community?: Community | undefined },
): Answer {
  const demand = demandOf(negotiation);
  const { offers } = markersOf(negotiation.demand_raw);
  if (agent === undefined || demand === "" || Array.isArray(negotiation.demand_formulated)) return "exit";
  const bio = agent.profile_data.bio;
  const own = typeof bio === "string" ? markersOf(bio).offer : undefined;
  if (own === "fail" || own === "empty" || offers === "fail") return "exit";
  if (own === "hang" || (offers === "hang" && index === 0)) return "hang";
  if (offers === "partial" && index % 2 === 1) return "exit";
  if (own === "object" || offers === "object") return { content: { summary: "structured", days: 3 }, capabilities: [] };
  return write(agent, demand, languageOf(wanted(demand)), index + Math.floor(hashed(demand, seed) * 3), community);
}
