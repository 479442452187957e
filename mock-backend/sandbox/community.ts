import { type Agent, demandOf, type Negotiation, type Store } from "../data.ts";
import { languageOf, wanted } from "../formulation.ts";
import { hashed, type Random } from "../random.ts";
import type { Community } from "../resonance.ts";
import { added } from "./additions.ts";
import { type Part, planOf } from "./plan.ts";
import { type Comer, comersTo, PEOPLE, WALKS } from "./town.ts";

const SCENES = [
  {
    name: "Around you",
    description:
      "For anything you need: build, fix, learn, organise, travel, find company. A sandbox: nobody here is real",
  },
  { name: "身边的人", description: "什么需要都可以说：做产品、办活动、修东西、学东西、出门、找搭子。沙盒，没有真人" },
];
const ORGANIZER = "towow_sandbox";
/** The town sends four people at most; one more seat is for an agent that the person registered. */
const RESPONDERS = 5;

const idOf = (id: string) => `agent_${id}`;

/** The people of a sandbox: few are close to a demand, and those speak of it. */
export const sandboxCommunity: Community = {
  load(store: Store, random: Random): void {
    for (const { id, name, bio, limit, does } of PEOPLE)
      store.agents.set(idOf(id), {
        agent_id: idOf(id),
        display_name: name,
        source: "template",
        profile_data: {
          skills: does.flatMap(({ en, zh }) => [en.skill, zh.skill]),
          bio: `${bio.zh}。${bio.en}.`,
          ...(limit && { constraints: `${limit.zh}${limit.en}` }),
        },
      });
    const ids = PEOPLE.map(({ id }) => idOf(id));
    const kept = [...store.scenes.values()].filter(({ organizer_id }) => organizer_id === ORGANIZER);
    // A sandbox of an earlier version has people who do not live here any more.
    for (const scene of kept) {
      const joined = scene.agent_ids.filter((id) => store.agents.get(id)?.source !== "template");
      scene.agent_ids = [...ids, ...joined];
    }
    if (kept.length > 0) return;
    for (const scene of SCENES) {
      const scene_id = `scene_${random.hex(12)}`;
      store.scenes.set(scene_id, {
        scene_id,
        ...scene,
        expected_responders: RESPONDERS,
        organizer_id: ORGANIZER,
        access_policy: "open",
        status: "active",
        agent_ids: ids,
      });
    }
  },

  enrich: added,

  about(demand: string) {
    const comers = comersTo(demand);
    return {
      score({ agent_id }: Agent, seed: number): number | undefined {
        if (!residents.has(agent_id)) return undefined;
        const place = comers.findIndex(({ person }) => idOf(person.id) === agent_id);
        const spread = 0.009 * hashed(`${agent_id} ${demand}`, seed);
        if (place < 0) return Number((0.38 + spread).toFixed(6));
        const score = 0.54 + 0.24 * (1 - Math.exp(-comers[place]!.score / 3)) - 0.01 * place + spread;
        return Number(score.toFixed(6));
      },
      offer({ agent_id }: Agent) {
        const comer = comers.find(({ person }) => idOf(person.id) === agent_id);
        return comer && offerOf(comer, demand);
      },
    };
  },

  plan(negotiation: Negotiation) {
    const demand = wanted(demandOf(negotiation));
    const comers = comersTo(demand);
    const parts = new Map(comers.map((comer) => [idOf(comer.person.id), partOf(comer, demand)]));
    return planOf(
      negotiation,
      (id) => parts.get(id),
      (language) => WALKS.map((walk) => walk[language]),
    );
  },
};

const residents = new Set(PEOPLE.map(({ id }) => idOf(id)));

/** When somebody would like it, as they say it. */
const WHEN = {
  en: /\b(?:(?:on|by|before|every|this|next|until) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning|afternoon|evening)s?)?\b|\b(?:this|next|before the|on) weekend\b|\btonight\b|\btomorrow(?: (?:morning|afternoon|evening))?\b/i,
  zh: /(?:这|下|每)?(?:周|星期|礼拜)[一二三四五六日天末](?:[早晚]上|上午|下午)?(?:以?前|之前)?|今晚|今天|明天(?:[早晚]上|上午|下午)?|周末/,
};
const EXCEPT = /\b(?:not|no|never|except|but)\b|n['’]t\b|不|没|除/i;
const BUDGET = /\bbudget\b|[£€$¥]|\b(?:euros?|dollars?|pounds?|yuan|rmb|free)\b|预算|\d+\s*(?:元|块)|免费|费用|价格/i;

const SAYS = {
  en: {
    when: (day: string) => `“${day}” works for me.`,
    budget: "What you can spend I have read, and I say before I begin whether it is enough.",
    join: " ",
  },
  zh: {
    when: (day: string) => `“${day}”我可以。`,
    budget: "您说的预算我看到了，够不够我开工前直说。",
    join: "",
  },
} as const;

/** Beside a budget nobody names a price of their own. */
const priceOf = ({ person }: Comer, demand: string): string | undefined =>
  BUDGET.test(demand) ? undefined : person.price?.[languageOf(demand)];

function offerOf(comer: Comer, demand: string): { content: string; capabilities: string[] } {
  const language = languageOf(demand);
  const { person, service, things } = comer;
  const { says, asks, skill } = service[language];
  const day = EXCEPT.test(demand) ? undefined : WHEN[language].exec(demand)?.[0];
  const parts = [
    named(says, things.get(language)),
    day && SAYS[language].when(day),
    person.limit?.[language],
    priceOf(comer, demand) ?? (person.price && SAYS[language].budget),
    asks,
  ];
  return { content: parts.filter((part) => part !== undefined).join(SAYS[language].join), capabilities: [skill] };
}

const partOf = (comer: Comer, demand: string): Part => ({
  kind: comer.service.kind,
  asks: comer.service[languageOf(demand)].asks,
  limit: comer.person.limit?.[languageOf(demand)],
  price: priceOf(comer, demand),
  standsInFor: comer.standsInFor?.name,
});

/** What somebody says, with the thing that they were asked about. */
function named(says: string, thing: string | undefined): string {
  const said = says.replace(/\{(.+?)\}/, (_, usual: string) => thing ?? usual);
  return said.replace(/\b([Aa]) (?=[aeiou])/g, "$1n ");
}
