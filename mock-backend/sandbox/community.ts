import { type Agent, demandOf, type Negotiation, type Store } from "../data.ts";
import { languageOf, wanted } from "../formulation.ts";
import { hashed, type Random } from "../random.ts";
import type { Community } from "../resonance.ts";
import { added } from "./additions.ts";
import { type Part, planOf } from "./plan.ts";
import { amountIn, stillAsked, timeIn } from "./stated.ts";
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

const SAYS = {
  en: {
    terms: (time: string | undefined, amount: string | undefined) =>
      [
        time && `“${time}” works for me`,
        amount && `${time ? "and " : ""}within your “${amount}” I say what is possible`,
      ]
        .filter(Boolean)
        .join(", ")
        .replace(/^w/, "W")
        .concat("."),
    join: " ",
  },
  zh: {
    terms: (time: string | undefined, amount: string | undefined) =>
      [time && `“${time}”我可以`, amount && `“${amount}”以内能做多少我先说清`].filter(Boolean).join("，").concat("。"),
    join: "",
  },
} as const;

function offerOf(comer: Comer, demand: string): { content: string; capabilities: string[] } {
  const language = languageOf(demand);
  const { person, service, things } = comer;
  const { says, asks, skill } = service[language];
  const time = timeIn(demand);
  const amount = amountIn(demand);
  const parts = [
    named(says, things.get(language)),
    time || amount ? SAYS[language].terms(time, amount) : undefined,
    person.limit?.[language],
    person.price?.[language],
    stillAsked(asks, demand),
  ];
  return { content: parts.filter((part) => part !== undefined).join(SAYS[language].join), capabilities: [skill] };
}

const partOf = (comer: Comer, demand: string): Part => ({
  kind: comer.service.kind,
  asks: stillAsked(comer.service[languageOf(demand)].asks, demand),
  limit: comer.person.limit?.[languageOf(demand)],
  price: comer.person.price?.[languageOf(demand)],
  standsInFor: comer.standsInFor?.name,
});

/** What somebody says, with the thing that they were asked about. */
function named(says: string, thing: string | undefined): string {
  const said = says.replace(/\{(.+?)\}/, (_, usual: string) => thing ?? usual);
  return said.replace(/\b([Aa]) (?=[aeiou])/g, "$1n ");
}
