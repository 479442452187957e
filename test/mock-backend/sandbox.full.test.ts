import { describe, expect, it } from "vitest";
import { AGENTS } from "../../mock-backend/sandbox/agents.ts";
import { sandboxCommunity } from "../../mock-backend/sandbox/community.ts";
import { NEEDS } from "../../mock-backend/sandbox/needs.ts";
import { setupTexts } from "../../src/text/setup.ts";
import { World } from "./world.ts";

/** As people who had not seen the sandbox's words put it. */
const SENSIBLE = {
  en: [
    "I restore old radios and can't find anyone who still winds transformers by hand.",
    "can someone walk my cat-hating greyhound at lunch mon to thurs, Brooklyn",
    "Somebody to help me move a sofa up three flights of stairs, I'll pay and there's pizza",
    "python tutor for my 13 yr old, she already knows scratch and gets bored fast",
    "Our village hall needs a volunteer treasurer, about two hours a month, good biscuits provided.",
    "solar installer near Nairobi who will do a small shop, lights plus one freezer",
    "A dinosaur birthday cake for my son, and a wizard costume",
    "I'm six months sober and would like a running buddy for early mornings, slow pace.",
  ],
  zh: [
    "我爷爷耳朵不好，想找个会四川长牌的老人陪他打打牌。",
    "有没有做小程序的开发者愿意接个小活，给我的花店做个预订页面",
    "家里下水道又堵了，谁能今晚过来看看？",
    "产后三个月情绪一直很低落，想找一位女心理咨询师，可以线上聊。",
    "我是外卖骑手，电动车老断电，附近有便宜又实在的修车铺吗",
    "复活节亲子活动策划，再请人画一幅美人鱼壁画",
    "求日语翻译，陪同看工厂一天，大阪，要懂一点模具。",
    "相亲相累了，就想认识个也喜欢看老电影、能好好说话的人，三十五岁上下，在武汉",
  ],
};
const ABSURD = [
  "a bricklayer who can build a staircase to the moon by Thursday",
  "Need a vet for my invisible unicorn",
  "请人到太阳表面帮我摆个烧烤摊，夏天晚上，要露天座",
  "xqv zzt",
];

/** A demand from its submit to its plan, in the scene of its language. */
async function negotiated(intent: string) {
  const world = new World({ seed: 7, community: sandboxCommunity });
  const scenes = (await world.call("GET", "/v1/api/scenes")).body.scenes as { scene_id: string }[];
  const id = await world.negotiationAt("completed", scenes[0]!.scene_id, intent);
  return (await world.get(id)).body;
}
const offersOf = ({ participants }: { participants: { state: string; offer_content: string }[] }) =>
  participants.filter(({ state }) => state === "replied").map(({ offer_content }) => offer_content);

describe.each(["en", "zh"] as const)("the people of the sandbox, %s", (lang) => {
  it.each(SENSIBLE[lang])("%s: at least three offers and a plan, in its language", async (intent) => {
    const negotiation = await negotiated(intent);
    const offers = offersOf(negotiation);
    expect(offers.length).toBeGreaterThanOrEqual(3);
    for (const offer of offers) expect(/\p{Script=Han}/u.test(offer)).toBe(lang === "zh");
    const scores = negotiation.participants.map((one: { resonance_score: number }) => one.resonance_score);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0.5);
    expect(Math.max(...scores)).toBeLessThan(0.77);
    expect(new Set(scores).size).toBe(scores.length);
  });

  it("what setup suggests to say leads to a plan, in a scene that is there", async () => {
    const said = setupTexts(lang).say.sandbox;
    const scene = /[“"](.+?)[”"]/.exec(said)?.[1];
    const world = new World({ community: sandboxCommunity });
    const { scenes } = (await world.call("GET", "/v1/api/scenes")).body;
    expect(scenes.map(({ name }: { name: string }) => name)).toContain(scene);
    const demand = said.split(/\. |。/).at(-2 + Number(lang === "en"))!;
    expect(offersOf(await negotiated(demand)).length).toBeGreaterThanOrEqual(3);
  });
});

it.each(ABSURD)("%s: nobody", async (intent) => {
  expect(await negotiated(intent)).toMatchObject({ participants: [] });
});

it.each(["我自己懂", "I bring ", "[[center=", "设计 design 猫 cat "])(
  "20,000 characters of %s are read in a moment",
  async (piece) => {
    const before = process.cpuUsage();
    expect(await negotiated(piece.repeat(20_000 / piece.length))).toMatchObject({ state: "completed" });
    const { user, system } = process.cpuUsage(before); // what other programs take does not count
    expect((user + system) / 1_000).toBeLessThan(3_000);
  },
);

it("each need has at least three people, each word one meaning in its list", () => {
  for (const [need, words] of Object.entries(NEEDS)) {
    expect(AGENTS.filter(({ skills }) => skills.some(([one]) => one === need)).length, need).toBeGreaterThanOrEqual(3);
    const list = words.split(" ");
    expect(new Set(list).size, need).toBe(list.length);
  }
});
