import { describe, expect, it } from "vitest";
import { languageOf } from "../../mock-backend/formulation.ts";
import { sandboxCommunity } from "../../mock-backend/sandbox/community.ts";
import { KINDS } from "../../mock-backend/sandbox/kinds.ts";
import { comersTo, PEOPLE } from "../../mock-backend/sandbox/town.ts";
import { setupTexts } from "../../src/text/setup.ts";
import { workOf } from "../support/work.ts";
import { World } from "./world.ts";

/** What people of all walks of life ask for, and whose trade it is. */
const DEMANDS: Record<"en" | "zh", [demand: string, first: string][]> = {
  en: [
    ["Our dishwasher leaves a puddle in front of it every evening.", "修百通"],
    ["I want to learn the cello at sixty; is anybody patient enough?", "弦小白"],
    ["Somebody to look after my father on Tuesdays, he has Parkinson's.", "Nell Nightlight"],
    ["We marry in September and look for a small band that plays swing.", "Aria Songbird"],
    ["My landlord raises the rent by a third. Is he allowed to?", "Lex Fairchild"],
    ["A birthday cake without eggs for ten children, 4 Piano Street", "Bun Breadley"],
    ["The hedge behind our house has not been cut for years", "Hedge Mowbray"],
    ["I look for somebody to go bouldering with, I have never done it", "山小径"],
    ["Who can turn our club's membership list into a proper website?", "Stack Overby"],
    ["I need a certified translation of my diploma", "译小桥"],
    ["Sole of my left boot came off, can it be sewn?", "皮小匠"],
    ["My daughter is afraid of every chemistry test", "数小优"],
    ["Someone with a van for one wardrobe and six boxes, second floor", "Van Haulaway"],
    ["Our puppy barks as soon as we leave the flat", "Paw Pickering"],
    ["Caterpillars eat my box tree, what can I do?", "Hedge Mowbray"],
    ["My tomatoes have brown spots and the leaves curl", "田小禾"],
    ["I got a letter from the immigration office in German and must answer it", "译小桥"],
    ["Our roof is leaking above the bedroom", "瓦高高"],
    ["Cook a feast for forty people at my parents' golden wedding", "炒小香"],
    ["I wrote my grandfather's life down and need an honest editor", "Quill Redpen"],
  ],
  zh: [
    ["马桶一直流水停不下来，今晚能来看看吗", "Tilda Tapwell"],
    ["五岁的女儿想学画画，家附近钢琴路 8 号", "画小棠"],
    ["外婆住院了，想找人白天陪护", "Nell Nightlight"],
    ["想找人每周一起打两次羽毛球，水平一般", "羽小飞"],
    ["公司突然裁员，赔偿只给一半，该怎么办", "律小正"],
    ["年底想给爸妈拍一套全家福", "Lens Shutterby"],
    ["阳台上的兰花叶子一直发黄", "田小禾"],
    ["想把家里的老相册扫描整理出来", "Folio Dusty"],
    ["小店想做一个新招牌和菜单", "Dot Kerning"],
    ["出差一周，求人上门喂猫", "Paw Pickering"],
    ["想请人帮我改英文简历，准备面试", "职小路"],
    ["孩子作文写不出来，三年级", "文小豆"],
    ["电脑蓝屏，里面有毕业论文", "晶小屏"],
    ["盆栽上全是虫子，叶子一片片枯萎", "田小禾"],
    ["收到外管局的德文信，不知道怎么回", "译小桥"],
    ["屋顶漏水，一下雨卧室就滴水", "瓦高高"],
    ["想学打太极，膝盖不太好", "Guard Stance"],
    ["想在老家办一场三十人的寿宴，求厨师", "炒小香"],
  ],
};

const ABSURD = [
  "a bricklayer who can build a staircase to the moon by Thursday",
  "Need a vet for my invisible unicorn",
  "请人到太阳表面帮我摆个烧烤摊，夏天晚上，要露天座",
  "xqv zzt",
  "求一位量子纠缠馆长",
  "We need an expert in system design",
  "Engineer wanted, must know turbine blades",
  "Need a submarine engineer with experience in pressure hulls",
  "找一位专家做系统设计",
  "求卫星系统设计工程师",
];

/** A demand from its submit to its plan, in the scene of its language. */
async function negotiated(intent: string) {
  const world = new World({ seed: 7, community: sandboxCommunity });
  const scenes = (await world.call("GET", "/v1/api/scenes")).body.scenes as { scene_id: string }[];
  const id = await world.negotiationAt("completed", scenes[0]!.scene_id, intent);
  return { ...(await world.get(id)).body, events: world.view(id).events };
}

describe.each(["en", "zh"] as const)("the people of the sandbox, %s", (lang) => {
  it.each(DEMANDS[lang])(
    "%s: %s comes first, and all of it is in the language of the demand",
    async (intent, first) => {
      const { participants, plan_output: plan } = await negotiated(intent);
      expect(participants[0]).toMatchObject({ display_name: first, state: "replied" });
      expect(participants.length).toBeLessThanOrEqual(4);
      const names = PEOPLE.map(({ name }) => name);
      const unnamed = (text: string) => names.reduce((rest, name) => rest.replaceAll(name, ""), text);
      for (const { offer_content: offer, offer_capabilities, resonance_score: score, display_name } of participants) {
        expect(/\p{Script=Han}/u.test(offer)).toBe(lang === "zh");
        expect(offer_capabilities).toHaveLength(1);
        expect(score).toBeGreaterThanOrEqual(0.5);
        expect(plan).toContain(display_name);
      }
      expect(/\p{Script=Han}/u.test(unnamed(plan))).toBe(lang === "zh");
      expect(plan).toContain(lang === "zh" ? ". 你：" : ". You: ");
    },
  );

  it("what setup suggests to say leads to a plan, in a scene that is there", async () => {
    const said = setupTexts(lang).say.sandbox;
    const scene = /[“"](.+?)[”"]/.exec(said)?.[1];
    const world = new World({ community: sandboxCommunity });
    const { scenes } = (await world.call("GET", "/v1/api/scenes")).body;
    expect(scenes.map(({ name }: { name: string }) => name)).toContain(scene);
    const demand = said.split(/\. |。/).at(-2 + Number(lang === "en"))!;
    expect((await negotiated(demand)).participants[0].display_name).toBe("Stack Overby");
  });
});

it.each(ABSURD)("%s: nobody comes, and the plan says what there is", async (intent) => {
  const { participants, plan_output } = await negotiated(intent);
  expect(participants).toEqual([]);
  expect(plan_output).toMatch(/### What there is here\n- repairs|### 这里有什么\n- 修理/);
});

it("two things that are asked for bring somebody for each, and the plan needs both", async () => {
  const { participants, plan_output } = await negotiated(
    "We look for a photographer for our wedding and a florist for the tables",
  );
  const names = participants.map(({ display_name }: { display_name: string }) => display_name);
  expect(new Set(names)).toEqual(new Set(["Lens Shutterby", "花小朵", "影小剪"]));
  expect(plan_output).toMatch(/\d\. Lens Shutterby: keep the day free/);
  expect(plan_output).toMatch(/\d\. 花小朵: show a sketch or a sample/);
  expect(plan_output).toMatch(/影小剪: step in if Lens Shutterby cannot\n[\s\S]*You: with Lens Shutterby: pay/);
});

it("who can do the same stands in, and the person's own turns are tasks of theirs", async () => {
  const { participants, plan_output, events } = await negotiated("求人周末上门喂猫");
  expect(participants).toHaveLength(2);
  const [first, second] = participants;
  expect(plan_output).toContain(`${second.display_name}：${first.display_name} 来不了时顶上`);
  const { tasks } = events.find(({ event_type }: { event_type: string }) => event_type === "plan.ready").data.plan_json;
  const whose = new Set(tasks.map(({ assignee_id }: { assignee_id: string }) => assignee_id));
  expect(whose).toEqual(new Set(["user_test", first.agent_id, second.agent_id]));
});

it.each([
  ["Our choir needs a poster and a website", ["Dot Kerning", "Stack Overby"]],
  [
    "Looking for a welder for the gate, a gardener for the hedge and a painter and decorator",
    ["Hedge Mowbray", "Anvil Smithers", "瓦高高"],
  ],
  ["写毕业论文，数据分析不会做", ["论小文", "表小格"]],
  ["公司年会需要主持人、乐队和摄影师", ["喜小台", "Aria Songbird", "Lens Shutterby"]],
])("%s: people of different crafts each have steps, and none stands in for another", async (intent, names) => {
  const { participants, plan_output } = await negotiated(intent);
  const came = participants.map(({ display_name }: { display_name: string }) => display_name);
  expect(came).toEqual(expect.arrayContaining(names));
  for (const name of names) {
    expect(plan_output).toMatch(new RegExp(`\\d\\. [^：:\n]*${name}[^：:\n]*[：:]`));
    expect(plan_output).not.toMatch(new RegExp(`${name}: step in|${name}：.*顶上`));
  }
});

it.each([
  ["My flower shop needs somebody who does the yearly accounts", "税小数"],
  ["As a violinist with two children I need a babysitter on Thursdays after six", "Moppet Merriday"],
  ["Our football club wants a new logo", "Dot Kerning"],
  ["我开了一家面包店，想找人做账", "税小数"],
  ["我们足球队想设计一个队徽", "Dot Kerning"],
])("%s: who they are brings nobody beside %s", async (intent, first) => {
  const { participants } = await negotiated(intent);
  expect(participants.map(({ display_name }: { display_name: string }) => display_name)).toEqual([first]);
});

it.each([
  ["A birthday cake for twenty guests", ["Is there an allergy, and what should be on it?"], ["For how many"]],
  [
    "I need a magician for ten children aged six, Saturday after three, 150 euros",
    ["“Saturday after three” works for me, and within your “150 euros”", "€120"],
    ["for ten children?"],
  ],
  [
    "A babysitter for my son, he is four years old, Thursdays after six",
    ["“Thursdays after six” works", "€16", "What helps when"],
    ["How old"],
  ],
  ["Two sisters with a van to carry a sofa from the third floor", ["Is there a lift?"], ["Which floors"]],
  ["找人周六上午教六岁的女儿弹钢琴，每节课150元", ["“周六上午”我可以，“150元”以内"], ["几岁"]],
  ["想在家里办寿宴，二十个人，求厨师", ["忌口是什么？"], ["几个人吃"]],
])("%s: an offer takes up what is stated, and asks for none of it", async (intent, said, asked) => {
  const { participants, plan_output } = await negotiated(intent);
  const offer: string = participants[0].offer_content;
  for (const one of said) expect(offer).toContain(one);
  for (const one of asked) expect(`${offer} ${plan_output}`).not.toContain(one);
});

it.each([
  ["maths tutor for 初二, twice a week", "en"],
  ["找个会 React 的人帮忙", "zh"],
] as const)("%s: %s, as most of it is", (text, language) => {
  expect(languageOf(text)).toBe(language);
});

it.each([
  "a nurse from today, no mornings, my budget is small, never phone me",
  "只有早上有空，预算五百，不要打电话，今天就要",
])("%s: what is added contradicts none of it", (intent) => {
  const added = sandboxCommunity.enrich(intent, 1).slice(intent.length + 1);
  expect(added.trim()).toMatch(/^If anything is unclear, just ask me\.$|^如果还需要了解什么，请直接问我。$/);
});

it.each(["我自己懂", "I bring ", "[[center=", "设计 design 猫 cat "])(
  "20,000 characters of %s are read in a moment",
  async (piece) => {
    const text = piece.repeat(20_000 / piece.length);
    const worked = await workOf(async () => expect(await negotiated(text)).toMatchObject({ state: "completed" }));
    expect(worked).toBeLessThan(3_000);
  },
);

describe("the town's own data", () => {
  const services = PEOPLE.flatMap(({ id, does }) => does.map((service) => ({ id, service })));

  it("has everybody once, and somebody for each kind of demand", () => {
    for (const key of ["id", "name"] as const) expect(new Set(PEOPLE.map((one) => one[key])).size).toBe(PEOPLE.length);
    for (const { id } of PEOPLE) expect(id).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(new Set(services.map(({ service }) => service.kind))).toEqual(new Set(Object.keys(KINDS)));
  });

  it("is in both languages, each without the other", () => {
    const texts = PEOPLE.flatMap(({ bio, limit, price, does }) => [bio, limit, price, ...does.flatMap(saysOf)]);
    for (const both of texts.filter((one) => one !== undefined)) {
      expect(both.en).not.toMatch(/\p{Script=Han}|^$/u);
      expect(both.zh).toMatch(/\p{Script=Han}/u);
    }
  });

  it("names no day and no reachable address", () => {
    const all = JSON.stringify(PEOPLE);
    expect(all).not.toMatch(/@|https?:|\d{5}/);
  });

  it.each(services.map(({ id, service }) => [`${id}: ${service.en.skill}`, id, service] as const))(
    "%s is found by each of its own words, in either language",
    (_, id, { en, zh }) => {
      for (const word of [en, zh].flatMap(({ words = "", things = "" }) =>
        `${words},${things}`.split(/,\s*/).filter(Boolean),
      ))
        expect(
          comersTo(word).map(({ person }) => person.id),
          word,
        ).toContain(id);
    },
  );
});

const saysOf = ({ en, zh }: (typeof PEOPLE)[number]["does"][number]) => [
  { en: en.says, zh: zh.says },
  { en: en.asks, zh: zh.asks },
];
