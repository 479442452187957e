// What is said in the filmed sittings, in both languages.

export type Lang = "en" | "zh";

interface Words {
  /** Of the mock's sample data. */
  scene: string;
  name: string;
  profile: object;
  prompt: string;
  intent: string;
  /** Goes to the page: no form shows it whole. */
  long: string;
  /** The person's own text. */
  changed: string;
  meanwhile: string;
  later: string;
  says: { background: string; meanwhile: string; later: string; plan: string; withdrawn: string };
}

const repeated = (sentences: readonly string[], between: string): string => sentences.join(between);

export const WORDS: Readonly<Record<Lang, Words>> = {
  en: {
    scene: "Indie product studio",
    name: "Lin",
    profile: {
      skills: ["product management", "user research"],
      bio: "Product manager who has run two pilots in clinics",
    },
    prompt: "Find me people for my clinic queue product, through Towow.",
    intent: "I need a frontend engineer and an ML engineer to take a product to first users",
    long: repeated(
      [
        "I am looking for two people who want to take a small product for outpatient queues from a prototype to its first real users.",
        "The prototype has run in a community clinic for three weeks, and nurses as well as patients have used it.",
        "The first should know frontend work and accessibility, turn vague ideas into something that can be tried, and come to the clinic for half a day a week.",
        "The second should know machine learning and data pipelines, and be honest about what the data can and cannot say.",
        "The budget is small: 1,500 euros a month each for the first three months, then a share of the income, to be talked about.",
        "We begin in January, two days a week, mostly remote, with one meeting a month in Vienna.",
        "I do the visits, the writing and the testing myself, and some of the frontend.",
        "We touch no patient records and keep no names; all data stays in the clinic, and the pilot needs the approval of its board first.",
        "If it goes well we found a company after half a year; shares follow what each has put in, on paper before we start.",
        "Please look at the prototype before you answer, and tell me the one thing that you find most wrong with it.",
        "A short note is enough: who you are, what you have built before, and the days on which you are free.",
        "I answer everybody within two days, say so plainly when it does not fit, and am glad to meet first if you would rather decide after that.",
        "If it is nothing for you, pass it on to somebody. You would work with three nurses who want this to succeed, and with one doctor who does not believe in it yet.",
      ],
      " ",
    ),
    changed: "I need a frontend engineer for clinic queues, two days a week",
    meanwhile: "And what else is on my list today?",
    later: "Remind me what that product was called?",
    says: {
      background: "It is on its way. You will be asked before anything goes out.",
      meanwhile: "Two reviews and the notes for Monday.",
      later: "It has no name yet. A question about your demand is waiting in /tasks.",
      plan: "The plan is here: three people, four weeks.",
      withdrawn: "It is withdrawn; nothing went out.",
    },
  },
  zh: {
    scene: "AI 创业合伙人",
    name: "小林",
    profile: { skills: ["产品设计", "医院信息系统", "门诊流程"], bio: "做过两年门诊流程的产品经理" },
    prompt: "帮我在通爻上找人，一起做门诊排队产品。",
    intent: "想找懂产品设计和门诊流程的合伙人，一起做一个排队小产品",
    long: repeated(
      [
        "我想找两位合伙人，一起把一个门诊排队的小产品从原型做到第一批真实用户。",
        "产品现在有一个能用的原型，在一家社区医院的两个诊室里跑了三周。护士用平板叫号，病人在手机上看前面还有几位，走廊里不再需要有人喊名字。三周里一共走了一千四百多个号，出过两次错，一次是网络断了，一次是同一位病人取了两个号，都在十分钟内改回了手工叫号。",
        "我自己做过两年门诊流程的产品经理，熟悉医院里从挂号、分诊、候诊到取药的每一步，也知道哪些步骤谁都不敢动。这个产品的需求、文案、测试和跑医院都由我负责，我也会写一点前端代码，但写得慢，离能给别人维护还差得远。",
        "第一位合伙人，希望懂产品设计和用户研究。现在的界面是我自己画的，年纪大的病人看不清，护士说颜色太多。希望你能把含糊的想法变成可以试用的东西，愿意每两周到现场坐半天，看人们究竟怎么用，而不是只看数据。做过适老化设计，或者做过给一线员工用的工具，都会很有帮助；没有也没关系，愿意听人把话说完更重要。",
        "第二位合伙人，希望懂医院信息系统。我们现在靠护士手工录号，要走得更远就必须和挂号系统对接。希望你熟悉挂号、分诊和叫号之间的接口，知道哪些数据能用、哪些不能用，能和医院信息科的老师说到一块去。会不会写代码不重要，能判断一件事该不该做、要花多久，才是我最缺的。",
        "预算不多，先说清楚：前三个月每人每月八千元，从我自己的积蓄里出；之后按收入分成，比例我们三个人一起定，写在纸上再开始。如果半年以后合作顺利，就注册公司，股份按投入的时间和钱来分。如果中途有人要退出，已经付的不用退，做好的东西留在项目里。",
        "时间从一月开始，每周大约两天，以远程为主，每个月在杭州见一次面，路费我来出。第一个月只做三件事：把现有的原型交给你们看一遍，一起去医院待两天，然后决定哪些推倒重来。第二个月做出新的一版，在原来的两个诊室里换上。第三个月再找一家医院试，看看换一个地方还能不能用。",
        "工具方面没有要求，习惯用什么就用什么。原型是网页做的，跑在一台旧的台式机上，代码一共不到三千行，没有自动测试，注释写得很认真。你可以推倒重来，只要能告诉我为什么。我会把三周里记下的四十多条问题、护士的原话和几段走廊里的录像整理好给你，录像里没有人脸。",
        "沟通上，平时用文字，说不清再打电话，每周日晚上用半小时对一遍这一周做了什么、下一周做什么。谁有事要请假，提前说一声就行。我不喜欢开长会，也不喜欢半夜发消息；如果我们对一件事看法不同，就先做一个最小的版本拿到诊室里试两天，让护士来说哪个好用。",
        "有几条底线。我们不碰病历，不存身份证号，不留手机号，号码当天用完当天清掉。所有数据留在医院自己的机器里，试点要先过伦理审批，病人可以随时选择不用。不做广告，不卖数据，也不接受要求我们这样做的投资。",
        "和你一起工作的还有三位护士，她们从第一天起就在用，说话很直；还有一位不太相信这件事的主任，他答应再给我们半年。他们的时间很少，所以每次去之前，我们要想好问什么，问完要告诉他们改了什么。",
        "也说说现在还没有想清楚的事。一是复诊的病人不取号就直接进诊室，护士拦不住，我们还没有办法；二是过号以后应该往后排几位，每家医院的说法都不一样；三是如果系统坏了，怎么让前台在一分钟之内知道，而不是等病人来问。希望你对其中至少一件事有自己的看法。",
        "如果你有兴趣，请先看一遍原型再回复我，不用写很长：你是谁，做过什么，一周里哪几天有空，还有你觉得现在最不对的一点是什么。我两天之内一定回复，不合适也会直接说明原因。愿意先见一面再决定的，也完全可以，我去你那边。",
        "最后说一句：这件事不大，也不会让谁很快赚到钱，但每天有几千人在走廊里等着被叫到名字。把这件小事做好，我觉得值得。",
      ],
      "",
    ),
    changed: "我需要一位懂门诊排队的设计师，在杭州，每周两天",
    meanwhile: "我今天还有什么安排？",
    later: "那个产品叫什么名字来着？",
    says: {
      background: "需求已经在处理了，发出之前会先问你。",
      meanwhile: "两个评审，还有周一的会议记录。",
      later: "还没有名字。你的需求有一个问题，在 /tasks 里等你回答。",
      plan: "方案来了：三个人，四周。",
      withdrawn: "已撤回，什么都没有发出。",
    },
  },
};
