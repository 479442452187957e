import { Glossary } from "./words.ts";

/** What sort of thing a demand is about: it decides how a plan goes. */
export type Kind = keyof typeof KINDS;

/** Somebody's turn in a plan: the person who asked, or whoever answers. */
type Turn = readonly [who: "you" | "they", what: string];

interface Told {
  /** Words that show the kind, whatever it is about. */
  words: string;
  /** What comes after the first step, in which the person answers what they are asked. */
  steps: readonly Turn[];
}

export const KINDS = {
  repair: {
    en: {
      words:
        "repair, fix, broken, broke, fell off, does not work, doesn't work, not working, has stopped, stopped working, stuck, faulty, install, replace, restore, come loose, loose",
      steps: [
        ["they", "look at it, and say what it costs before anything is opened"],
        ["they", "repair it, and try it out together with you"],
        ["you", "pay once it works, and say so if it comes back"],
      ],
    },
    zh: {
      words: "修, 维修, 修理, 坏了, 故障, 失灵, 不能用, 用不了, 安装, 换掉, 更换",
      steps: [
        ["they", "先看毛病，动手之前报价"],
        ["they", "修好，当场和你一起试"],
        ["you", "能用了再付钱；再犯就说一声"],
      ],
    },
  },
  lessons: {
    en: {
      words:
        "learn, teach, teacher, tutor, lesson, lessons, course, class, coach, practise, practice, beginner, beginners, instructor, training, improve, trainer, exam",
      steps: [
        ["they", "give one trial lesson, and say afterwards what to work on"],
        ["you", "decide whether it suits, and agree on a fixed hour and a price"],
        ["they", "give four lessons"],
        ["you", "look back after the fourth: go on, change something or stop"],
      ],
    },
    zh: {
      words: "学, 教, 老师, 家教, 辅导, 课, 入门, 零基础, 陪练, 教练, 补习, 考级, 提高",
      steps: [
        ["they", "先上一节试听课，课后说说该从哪里下手"],
        ["you", "觉得合适，再定下固定的时间和价格"],
        ["they", "上四节课"],
        ["you", "四节之后回头看：继续、调整，还是停下"],
      ],
    },
  },
  event: {
    en: {
      words:
        "wedding, party, birthday, event, celebration, celebrate, guests, anniversary, ceremony, festival, reception, funeral, concert, gathering, reunion, conference, baby shower, meetup, fundraiser",
      steps: [
        ["they", "keep the day free, and write down what is included and what it costs"],
        ["you", "say yes to it in writing, and pass on the order of the day"],
        ["they", "call a week before, and go through the day once more"],
        ["they", "do it on the day"],
        ["you", "pay the rest within a week"],
      ],
    },
    zh: {
      words: "婚礼, 聚会, 生日, 活动, 派对, 年会, 仪式, 庆典, 典礼, 晚会, 宴, 演出, 同学会, 沙龙, 周年",
      steps: [
        ["they", "把那天留出来，写明包含什么、多少钱"],
        ["you", "书面确认，把当天的流程发过去"],
        ["they", "提前一周再对一遍流程"],
        ["they", "当天到场"],
        ["you", "一周内付清余款"],
      ],
    },
  },
  company: {
    en: {
      words: "partner, buddy, company, companion, together, friend, join, mate, with me, group, with whom",
      steps: [
        ["you", "name a public place and an hour for the first time"],
        ["they", "come, and do it once with you, without any promise"],
        ["you", "say honestly whether it was good; if it was, agree on the next time"],
      ],
    },
    zh: {
      words: "搭子, 一起, 陪, 朋友, 伙伴, 结伴, 同伴, 约, 球友, 陪我, 认识",
      steps: [
        ["you", "定一个公共场所和时间，先见一次"],
        ["they", "来一次，先试试，谁都不用承诺"],
        ["you", "说实话感觉如何；合得来就约下一次"],
      ],
    },
  },
  care: {
    en: {
      words: "look after, care, carer, sit, sitter, watch over, feed, walk, accompany, looked after, help my",
      steps: [
        ["they", "come once while you are there, to get to know everybody"],
        ["you", "write down the day: meals, medicine, whom to call"],
        ["they", "do the first time alone, and call you afterwards"],
        ["you", "talk it over after two weeks, and change what does not fit"],
      ],
    },
    zh: {
      words: "照顾, 照看, 看护, 陪护, 接送, 护理, 带娃, 陪同, 看管, 喂",
      steps: [
        ["they", "先来一次，你也在场，互相认识"],
        ["you", "写下一天的安排：吃饭、用药、有事找谁"],
        ["they", "第一次单独照看，结束后给你打电话"],
        ["you", "两周后聊一次，不合适的地方改掉"],
      ],
    },
  },
  visit: {
    en: {
      words: "pain, hurts, hurt, ache, sick, ill, treatment, appointment, therapist, doctor, trouble",
      steps: [
        ["they", "give you a first appointment, and say what would help and what it costs"],
        ["you", "decide at home whether to go on"],
        ["they", "see you again, and look at what has changed"],
      ],
    },
    zh: {
      words: "疼, 痛, 不舒服, 生病, 治, 预约, 难受, 医生",
      steps: [
        ["they", "约第一次，看过之后说怎样会有帮助、多少钱"],
        ["you", "回家想一想，再决定要不要继续"],
        ["they", "再见一次，看有什么变化"],
      ],
    },
  },
  order: {
    en: {
      words: "make, made, build, order, custom, by hand, handmade, sew, alter, paint, write, bake, gift, present",
      steps: [
        ["they", "show a sketch or a sample, and name the price and the day"],
        ["you", "say yes, or what should be different"],
        ["they", "make it, and show it once before it is finished"],
        ["you", "fetch it, look at it closely, and pay"],
      ],
    },
    zh: {
      words: "做一, 定做, 订做, 定制, 订, 手工, 画一, 写一, 改一, 礼物, 送给",
      steps: [
        ["they", "先给草图或样子，说好价格和日子"],
        ["you", "点头，或者说哪里要改"],
        ["they", "做，快完成时给你看一次"],
        ["you", "取货，仔细看过再付钱"],
      ],
    },
  },
  advice: {
    en: {
      words:
        "advice, advise, adviser, advisor, consult, question, questions, understand, apply, application, rights, explain",
      steps: [
        ["you", "put the papers in order by date, and make copies"],
        ["they", "read them, and say in a first talk where you stand and which ways there are"],
        ["you", "choose one, and sleep on it"],
        ["they", "help with that one step, a letter or a form, and say what comes next"],
      ],
    },
    zh: {
      words: "咨询, 问问, 建议, 怎么办, 帮我看看, 申请, 请教, 了解, 规划",
      steps: [
        ["you", "把材料按日期理好，复印一份"],
        ["they", "看过之后聊一次：现在是什么情况，有哪几条路"],
        ["you", "选一条，隔一晚再定"],
        ["they", "帮你走这一步，一封信或一张表，再说下一步"],
      ],
    },
  },
  errand: {
    en: {
      words:
        "carry, move, clean, collect, deliver, fetch, drive, transport, pick up, tidy, hours, cut, appointment, visit, meeting",
      steps: [
        ["they", "name the price and the day, and what you should have ready"],
        ["you", "clear the way, and be there or leave a key with somebody"],
        ["they", "do it, and show you when it is done"],
        ["you", "look it over, and pay"],
      ],
    },
    zh: {
      words: "搬, 打扫, 取, 送, 跑腿, 运, 清理, 整理, 代办, 收拾",
      steps: [
        ["they", "说好价格和日子，还要你提前准备什么"],
        ["you", "腾好地方，人在场，或者把钥匙交给谁"],
        ["they", "做完，叫你来看"],
        ["you", "看过没问题再付钱"],
      ],
    },
  },
  lending: {
    en: {
      words: "borrow, lend, loan, rent, give away",
      steps: [
        ["they", "put it aside for you, and show how it works"],
        ["you", "fetch it, and look at it together before you take it along"],
        ["you", "bring it back clean on the day agreed"],
      ],
    },
    zh: {
      words: "借, 租借, 借用, 二手, 闲置, 转让",
      steps: [
        ["they", "给你留着，教你怎么用"],
        ["you", "来取，当面看一遍再带走"],
        ["you", "按说好的日子干干净净还回来"],
      ],
    },
  },
  project: {
    en: {
      words:
        "build, develop, developer, project, design, designer, team, cofounder, co-founder, pilot, launch, product, startup",
      steps: [
        ["you", "write down in five lines what should be there at the end, and by when"],
        ["they", "say what of it is possible, what it costs, and what comes first"],
        ["they", "show a first piece of it"],
        ["you", "try it with two of those it is for, and say what has to change"],
        ["they", "finish it, or stop there: both are fine at this point"],
      ],
    },
    zh: {
      words: "开发, 设计, 项目, 做一个, 合作, 合伙, 创业, 团队, 产品, 试点, 上线, 搭建",
      steps: [
        ["you", "用五行字写下最后要有什么、什么时候要"],
        ["they", "说说哪些做得到、多少钱、先做哪块"],
        ["they", "先拿出一小块给你看"],
        ["you", "请两位真正要用、要看的人试试，说哪里要改"],
        ["they", "做完，或者就此打住，这时候都来得及"],
      ],
    },
  },
} as const satisfies Record<string, Record<"en" | "zh", Told>>;

const words = new Glossary<Kind>();
for (const kind of Object.keys(KINDS) as Kind[])
  for (const language of ["en", "zh"] as const) words.add(KINDS[kind][language].words, kind);

/** What a demand is about as far as its words show, each kind with how many of them do. */
export function kindsIn(demand: string): Map<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const { of, weight } of words.foundIn(demand))
    for (const kind of of) counts.set(kind, (counts.get(kind) ?? 0) + weight);
  return counts;
}

/** What a demand is most about; a project where nothing speaks for anything else. */
export function kindOf(demand: string): Kind {
  const [first] = [...kindsIn(demand)].toSorted(([, a], [, b]) => b - a);
  return first?.[0] ?? "project";
}
