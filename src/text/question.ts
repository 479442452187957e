import { pageZh } from "./page.zh.ts";
import { roomEn } from "./room.en.ts";

const SCENE_LABELS: Readonly<Record<string, string>> = {
  name: "Name",
  description: "Description",
  expected_responders: "Expected responders",
  access_policy: "Who can join",
};

/** What the page says that asks whether something may be sent or stopped. */
const en = {
  from: "A question from your AI",
  more: "More below",
  end: "It ends here",
  nothing: "If you do nothing",
  wrong: "Something is wrong? Send nothing, and tell your AI what to change.",
  unnamed: "its name cannot be shown",
  ended: {
    send: {
      accept: "You said yes. Tell your AI to go on, and it is sent.",
      reject: "You said no: nothing is sent.",
    },
    stop: { accept: "You said yes. Tell your AI to go on, and it is cancelled.", reject: "You said no: it goes on." },
  },
  profile: {
    heading: "Send this profile?",
    lead: (scene: string | undefined) =>
      scene === undefined ? "You join a scene with it." : `You join “${scene}” with it.`,
    sheet: "What agents will read",
    follows: "If you send it",
    readers: "Everybody in the scene can read it.",
    fate: (until: string) => `Nothing is sent; asked until ${until}`,
    goesTo: "If you send it, it goes to",
    yes: "Send this profile",
    no: "Send nothing",
    takeOut: "Take out",
    labelOf: (key: string): string => (roomEn.profile.fields as Readonly<Record<string, string>>)[key] ?? key,
  },
  scene: {
    heading: "Create this scene?",
    lead: "It begins empty. Others join it and negotiate in it.",
    sheet: "The scene",
    fate: (until: string) => `Nothing is created; asked until ${until}`,
    goesTo: "If you create it, it goes to",
    yes: "Create this scene",
    no: "Create nothing",
    labelOf: (key: string): string => SCENE_LABELS[key] ?? key,
  },
  stop: {
    heading: "Cancel this negotiation?",
    offers: (received: number, total: number) => `${received} of ${total} offers are in.`,
    final: "This cannot be undone.",
    broadcast: "The text that was broadcast",
    text: "The text",
    notOwn: "The negotiation",
    id: "Id",
    submitted: "Submitted",
    elsewhere: "somewhere else",
    payload: "Sent along",
    follows: "If you cancel",
    ends: "It ends now, without a plan.",
    reach: {
      broadcast: "The text is out already; it cannot be taken back.",
      not_broadcast: "The text had not been broadcast when this was asked.",
      not_known: "The text may be out already.",
    },
    again: "You can submit the demand again.",
    fate: "It goes on",
    waits: "It waits for your decision",
    yes: "Cancel it",
    no: "Let it go on",
  },
};

const zh: typeof en = {
  from: "你的 AI 的问题",
  more: "下面还有",
  end: "到此为止",
  nothing: "如不决定",
  wrong: "哪里不对？先不发送，告诉你的 AI 怎么改。",
  unnamed: "名称无法显示",
  ended: {
    send: { accept: "你同意了。让你的 AI 继续，它就会发送。", reject: "你没有同意：什么都不会发送。" },
    stop: { accept: "你同意了。让你的 AI 继续，它就会取消。", reject: "你没有同意：协商继续。" },
  },
  profile: {
    heading: "要发送这份资料吗？",
    lead: (scene) => (scene === undefined ? "你将带着它加入一个场景。" : `你将带着它加入“${scene}”。`),
    sheet: "场景里的人会看到的内容",
    follows: "发送之后",
    readers: "场景中的所有人都能看到。",
    fate: (until) => `什么都不发送；${until} 前有效`,
    goesTo: "同意后发送到",
    yes: "发送这份资料",
    no: "不发送",
    takeOut: "删去",
    labelOf: pageZh.profileKey,
  },
  scene: {
    heading: "要创建这个场景吗？",
    lead: "新场景里还没有人，其他人可以加入并在其中协商。",
    sheet: "场景",
    fate: (until) => `什么都不创建；${until} 前有效`,
    goesTo: "同意后发送到",
    yes: "创建这个场景",
    no: "不创建",
    labelOf: pageZh.sceneKey,
  },
  stop: {
    heading: "要取消这次协商吗？",
    offers: (received, total) => `已有 ${received}/${total} 个 Offer。`,
    final: "取消后无法恢复。",
    broadcast: "已广播的文本",
    text: "文本",
    notOwn: "协商",
    id: "ID",
    submitted: "提交于",
    elsewhere: "别处",
    payload: "随之发送",
    follows: "取消之后",
    ends: "立即结束，不会有方案。",
    reach: {
      broadcast: "文本已经发出，无法收回。",
      not_broadcast: "提问时文本还没有广播。",
      not_known: "文本可能已经发出。",
    },
    again: "需求可以重新提交。",
    fate: "协商继续",
    waits: "它等你决定",
    yes: "取消协商",
    no: "让它继续",
  },
};

export type QuestionTexts = typeof en;
export const questionTexts = (lang: "zh" | "en"): QuestionTexts => (lang === "zh" ? zh : en);
