import { type Agent, demandOf, type Negotiation, type Profile, type Store } from "./data.ts";
import { wanted } from "./formulation.ts";
import { markersOf } from "./markers.ts";
import { hashed, type Random } from "./random.ts";

/** Words that mean the same in both languages, so that a Chinese demand can find an English profile. */
const CONCEPTS: readonly (readonly string[])[] = [
  ["机器学习", "machine learning"],
  ["人工智能", "ai", "artificial intelligence"],
  ["推荐", "recommendation"],
  ["数据", "data"],
  ["前端", "frontend", "front-end", "react"],
  ["后端", "backend", "back-end"],
  ["全栈", "full-stack", "full stack"],
  ["产品", "product"],
  ["设计", "design"],
  ["增长", "growth"],
  ["运营", "operations", "community management"],
  ["营销", "市场", "marketing"],
  ["翻译", "translation", "translator"],
  ["活动", "event", "events"],
  ["摄影", "photography"],
  ["视频", "video"],
  ["写作", "文案", "writing", "copywriting"],
  ["法律", "legal", "contracts"],
  ["财务", "finance", "accounting"],
  ["硬件", "hardware"],
  ["安全", "security"],
  ["教育", "teaching", "education"],
];

const STOP_WORDS = new Set(
  "a an and are at be by can do for from help i in is it me my need of on or our someone that the this to want we with who you start within two months remote fine budget negotiable about hours week first then decide bring trial four ten ".split(
    " ",
  ),
);
const STOP_PAIRS = new Set(
  "我需 需要 要一 一个 个能 我们 们需 帮我 一位 可远 远程 程协 协作 希望 两个 个月 月内 内启 启动 自己 己懂 每周 先做 做四 四周 周试 试点 再谈 长期 期合 合作 可投 投入 约十 十小 小时 预算 算可 可以 以商 商量 寻找 找一 想找".split(
    " ",
  ),
);

/** What the encoder makes of a text: a weight for each token. */
function encode(text: string): Map<string, number> {
  const lower = text.toLowerCase();
  const words = lower.match(/[a-z][a-z0-9+#-]*/g) ?? [];
  const tokens = new Map<string, number>();
  for (const word of words) if (!STOP_WORDS.has(word)) tokens.set(word.replace(/(?<=..)s$/, ""), 1);
  for (const run of lower.match(/\p{Script=Han}{2,}/gu) ?? [])
    for (let i = 0; i + 1 < run.length; i++) {
      const pair = run.slice(i, i + 2);
      if (!STOP_PAIRS.has(pair)) tokens.set(pair, 0.5);
    }
  const spaced = ` ${words.join(" ")} `;
  for (const forms of CONCEPTS)
    if (forms.some((form) => (/[a-z]/.test(form) ? spaced.includes(` ${form} `) : lower.includes(form))))
      tokens.set(`concept:${forms[0]}`, 1);
  return tokens;
}

/** A skill in common counts for more than a word in common. */
const SKILL_WEIGHT = 1.5;
const BIO_WEIGHT = 0.6;

/**
 * An agent is encoded by its skills, bio and description only. Undefined when the encoder chokes on the skills (anything
 * but strings in the list), which makes the agent invisible; skills given as one string fall apart into letters; an
 * agent without any of them is encoded by its id.
 */
function encodeAgent(agentId: string, profile: Profile): Map<string, number> | undefined {
  const { skills, bio, description } = profile;
  const parts = typeof skills === "string" ? [...skills] : Array.isArray(skills) ? skills : [];
  if (parts.some((skill) => typeof skill !== "string")) return undefined;
  const text = [bio, description].filter((part) => typeof part === "string").join(" ");
  const tokens = new Map<string, number>();
  for (const [token, weight] of encode(text.trim() || parts.length > 0 ? text : agentId))
    tokens.set(token, weight * BIO_WEIGHT);
  for (const [token, weight] of encode(parts.join(" . "))) tokens.set(token, weight * SKILL_WEIGHT);
  return tokens;
}

/** How far one agent resonates with a demand: 0.4 for nothing in common. Undefined for an invisible agent. */
function resonance(demand: string, agent: Agent, seed: number): number | undefined {
  const tokens = encodeAgent(agent.agent_id, agent.profile_data);
  if (tokens === undefined) return undefined;
  const sought = encode(wanted(demand));
  let overlap = 0;
  for (const [token, weight] of tokens) if (sought.has(token)) overlap += weight;
  if (overlap === 0) return 0.4;
  const jitter = 0.015 * hashed(`${agent.agent_id} ${demand}`, seed);
  return Number((0.4 + 0.5 * (1 - Math.exp(-overlap / 4)) + jitter).toFixed(6));
}

/** The agent's skills, those that the demand asks for first. */
export function bySkill(demand: string, skills: string[]): string[] {
  const sought = encode(wanted(demand));
  const hits = (skill: string) => [...encode(skill).keys()].filter((token) => sought.has(token)).length;
  return skills.toSorted((a, b) => hits(b) - hits(a));
}

interface Scored {
  agent_id: string;
  display_name: string;
  resonance_score: number;
}

export interface Activation {
  activated: Scored[];
  /** Below the threshold; those that only `k_star` left out are in neither list. */
  filtered: Scored[];
  /** Whether `resonance.activated` is sent at all. */
  announced: boolean;
}

/** Agents with a score and words of their own, in place of the samples'. For other agents its answers are undefined. */
export interface Community {
  /** Puts its scenes and agents in, or what is missing of them. */
  load(store: Store, random: Random): void;
  /** The intent with what its network adds. */
  enrich(intent: string, seed: number): string;
  /** What they make of one demand. */
  about(demand: string): {
    score(agent: Agent, seed: number): number | undefined;
    offer(agent: Agent): { content: string; capabilities: string[] } | undefined;
  };
  /** The plan of those who answered. */
  plan(negotiation: Negotiation): { text: string; tasks: { assignee_id: string; title: string }[] };
}

/** Who takes part: the best `k_star` (default: the scene's `expected_responders`) at `min_score` (0.5) or above. */
export function activate(
  negotiation: Negotiation,
  agents: ReadonlyMap<string, Agent>,
  defaultK: number,
  { seed, community }: { seed: number; community?: Community | undefined },
): Activation {
  const markers = markersOf(negotiation.demand_raw);
  const demand = demandOf(negotiation);
  const k = negotiation.k_star ?? defaultK;
  const others = negotiation.candidates.filter(({ agent_id }) => agent_id !== negotiation.submittedBy);
  // A demand that cannot be encoded reaches everybody, with a score of 0 and without the event.
  if (demand === "" || markers.encode === "fail" || Array.isArray(negotiation.demand_formulated)) {
    const everybody = others.slice(0, k).map((other) => ({ ...other, resonance_score: 0 }));
    return { activated: everybody, filtered: [], announced: false };
  }
  const none = markers.resonate === "none";
  const minScore = none ? Number.POSITIVE_INFINITY : (negotiation.min_score ?? 0.5);
  const own = community?.about(wanted(demand));
  const ranked: Scored[] = [];
  for (const other of others) {
    const agent = agents.get(other.agent_id);
    const score = agent && (own?.score(agent, seed) ?? resonance(demand, agent, seed));
    if (score !== undefined) ranked.push({ ...other, resonance_score: none ? Math.min(score, 0.4) : score });
  }
  ranked.sort((a, b) => b.resonance_score - a.resonance_score);
  return {
    activated: ranked.filter((one) => one.resonance_score >= minScore).slice(0, k),
    filtered: ranked.filter((one) => one.resonance_score < minScore),
    announced: ranked.length > 0, // agents that cannot be encoded are as good as none
  };
}
