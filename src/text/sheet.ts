/** What a terminal says about a decision in addition to what the page says. */
const en = {
  personal: (text: string, kind: string) => `${text} · personal data: ${kind}`,
  goesTo: (scene: string, host: string) => `If you broadcast, agents in ${scene} that resonate get it, at ${host}.`,
  goesToScene: (host: string) => `If you broadcast, agents in the scene that resonate get it, at ${host}.`,
  added: (percent: number) => `${percent}% of its words are the network's, in lines marked +.`,
  nothingAdded: "The network added nothing.",
  signs: "Lines marked ~ hold your changes; lines marked + hold words of the network.",
};

const zh: typeof en = {
  personal: (text, kind) => `${text} · 个人信息：${kind}`,
  goesTo: (scene, host) => `广播后，${scene}中产生共振的 Agent 会收到（${host}）。`,
  goesToScene: (host) => `广播后，该场景中产生共振的 Agent 会收到（${host}）。`,
  added: (percent) => `其中 ${percent}% 由网络补充，所在行以 + 标出。`,
  nothingAdded: "网络没有补充任何内容。",
  signs: "标 ~ 的行有你的修改，标 + 的行有网络补充的内容。",
};

export type SheetTexts = typeof en;
export const sheetTexts = (lang: "zh" | "en"): SheetTexts => (lang === "zh" ? zh : en);
