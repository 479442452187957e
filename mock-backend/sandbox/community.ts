import type { Agent, Store } from "../data.ts";
import { type Language, wanted } from "../formulation.ts";
import { hashed, type Random } from "../random.ts";
import type { Community } from "../resonance.ts";
import { AGENTS, type SandboxAgent } from "./agents.ts";
import { type Need, needsIn } from "./needs.ts";

const SCENES = [
  {
    name: "Around you",
    description:
      "For anything you need: build, fix, learn, organise, travel, find company. A sandbox: nobody here is real",
  },
  { name: "身边的人", description: "什么需要都可以说：做产品、办活动、修东西、学东西、出门、找搭子。沙盒，没有真人" },
];
const ORGANIZER = "towow_sandbox";
/** So many answer one demand. */
const RESPONDERS = 5;

const FIRST_STEPS = {
  zh: ["先通个电话，把要做的事说清楚", "先试一次，合适再继续", "先见一面，看看具体情况"],
  en: [
    "start with a short call about what exactly you need",
    "try it once and see whether it fits",
    "come and look at it first",
  ],
} as const;

const byId = new Map(AGENTS.map((one) => [one.id, one]));

/** How well an agent's skills meet a demand's needs: its best one, and a little for each further one. */
function meets({ skills }: SandboxAgent, needs: ReadonlyMap<Need, number>): number {
  const counts = skills.map(([need]) => needs.get(need) ?? 0).toSorted((a, b) => b - a);
  const [best = 0, ...rest] = counts;
  return best + rest.reduce((sum, count) => sum + count, 0) / 2;
}

/** The people of a sandbox, who find something to do in any sensible demand; spread over 0.5 to 0.75 as the engine's are. */
export const sandboxCommunity: Community = {
  load(store: Store, random: Random): void {
    if ([...store.scenes.values()].some(({ organizer_id }) => organizer_id === ORGANIZER)) return;
    for (const scene of SCENES) {
      const scene_id = `scene_${random.hex(12)}`;
      store.scenes.set(scene_id, {
        scene_id,
        ...scene,
        expected_responders: RESPONDERS,
        organizer_id: ORGANIZER,
        access_policy: "open",
        status: "active",
        agent_ids: AGENTS.map(({ id }) => id),
      });
    }
    for (const { id, name, bio, skills } of AGENTS)
      store.agents.set(id, {
        agent_id: id,
        display_name: name,
        source: "template",
        profile_data: { skills: skills.flatMap(([, zh, en]) => [zh, en]), bio: `${bio.zh}。${bio.en}.` },
      });
  },

  about(demand: string) {
    const needs = needsIn(wanted(demand));
    return {
      score({ agent_id }: Agent, seed: number): number | undefined {
        const known = byId.get(agent_id);
        if (known === undefined) return undefined;
        const met = meets(known, needs);
        if (met === 0) return 0.4;
        const spread = 0.06 * hashed(`${agent_id} ${demand}`, seed);
        return Number((0.5 + 0.2 * (1 - Math.exp(-met / 3)) + spread).toFixed(6));
      },

      says({ agent_id }: Agent, language: Language, turn: number) {
        const known = byId.get(agent_id);
        if (known === undefined) return undefined;
        const skills = known.skills.toSorted(([a], [b]) => (needs.get(b) ?? 0) - (needs.get(a) ?? 0));
        const fitting = skills.filter(([need]) => needs.has(need));
        return {
          bio: known.bio[language],
          first: FIRST_STEPS[language][turn % 3] ?? "",
          skills: (fitting.length > 0 ? fitting : skills)
            .slice(0, 3)
            .map(([, zh, en]) => (language === "zh" ? zh : en)),
        };
      },
    };
  },
};
