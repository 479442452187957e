import { aloneEn, aloneZh } from "./alone.ts";

/**
 * The reasons and follow-ups of risks, in both languages. The reason for a risk that is also a warning is its
 * sentence in `note`.
 */
const en = {
  reason: {
    plan_missing:
      "There is no plan. Whether the negotiation failed or was withdrawn elsewhere, the backend does not say.",
    plan_empty: "The plan is empty.",
    no_resonance: (left: number, closest: string | undefined) =>
      left === 0 || closest === undefined
        ? aloneEn.sentence.no_participants
        : `No agent reached the threshold: ${left} ${left === 1 ? "was" : "were"} below it, the closest with ${closest}.`,
    not_compared: `${aloneEn.sentence.not_compared} Somebody may still fit.`,
    empty_scene: aloneEn.sentence.empty_scene,
    no_participants: aloneEn.sentence.no_participants,
    low_resonance: (best: string, low: string) =>
      `The best resonance is ${best}, below ${low} (setting low_resonance).`,
    agents_exited: (exited: number, total: number) =>
      `${exited} of ${total} ${total === 1 ? "agent" : "agents"} left without an offer.`,
    offer_missing: (missing: number, total: number) =>
      `${missing} of ${total} ${total === 1 ? "agent" : "agents"} made no offer, and did not leave either.`,
    single_offer: (total: number) =>
      total <= 1 ? "There is only one offer." : `There is only one offer, from ${total} agents that were asked.`,
    much_personal_data: (masked: number) => `${masked} pieces of personal data were masked in what others wrote.`,
    degraded_formulation: (cause: string | undefined) =>
      cause === undefined
        ? "The text is the demand as submitted: nothing was added."
        : `The text is the demand as submitted: the backend could not write it up (${cause}).`,
  },
  /** The causes of a degraded formulation, by the names that the backend's live events use. */
  causes: {
    adapter_error: "it could not read the submitter's profile",
    formulation_error: "its language model failed",
    formulation_timeout: "its language model took too long",
    token_expired: "its access to the language model had expired",
  },
  followUp: {
    auto_confirmed: "Read the text that went out; withdraw it if it is not yours.",
    decision_too_late: "Read the text that went out; withdraw it if it is not yours.",
    other_text_broadcast: "Read the text that went out; withdraw it if it is not yours.",
    confirmed_text_mismatch: "Compare the text that went out with the one that was confirmed.",
    withdrawn_late: "Check again whether it went on.",
    confirmation_failed: undefined,
    sub_negotiation_open: "Read what was asked in your name.",
    plan_missing: "Read the offers, or submit the demand again.",
    plan_fallback: "Read the offers themselves.",
    no_resonance: "Say it differently or choose another scene.",
    not_compared: "Submit it again later; rewording does not help.",
    empty_scene: "Choose another scene.",
    no_participants: "Look at the scene's agents, or choose another scene.",
    degraded_resonance: "Judge the offers by what they say.",
    low_resonance: "Check that the offers fit before you rely on the plan.",
    agents_exited: "Check that what the plan needs is still offered.",
    offer_missing: "Check that what the plan needs is still offered.",
    single_offer: "There is nothing to compare it with: ask more people if it matters.",
    degraded_formulation: "Check that the text says enough by itself.",
    confirmed_by_argument: "Read the text that went out.",
    much_personal_data: "Read all of it yourself before you pass it on.",
    cancelled: undefined,
  },
  /**
   * Shown if the backend was silent for so long that a wait ended. This program noticed the silence itself, and no
   * answer of the backend shows it.
   */
  backendAway: "The backend stayed away while this went on: see what became of it.",
  /** The follow-ups for a negotiation that is over and can no longer be cancelled. */
  followUpAtEnd: {
    auto_confirmed: "Read the text that went out. It is over, so you can no longer withdraw it.",
    decision_too_late: "Read the text that went out. It is over, so you can no longer withdraw it.",
    other_text_broadcast: "Read the text that went out. It is over, so you can no longer withdraw it.",
  } as Readonly<Record<string, string>>,
};

const zh: typeof en = {
  reason: {
    plan_missing: "没有方案。是失败还是在别处被撤回，后端没有说明。",
    plan_empty: "方案是空的。",
    no_resonance: (left, closest) =>
      left === 0 || closest === undefined
        ? aloneZh.sentence.no_participants
        : `没有 Agent 达到共振门槛：${left} 个低于门槛，最接近的为 ${closest}。`,
    not_compared: `${aloneZh.sentence.not_compared}也许仍有合适的人。`,
    empty_scene: aloneZh.sentence.empty_scene,
    no_participants: aloneZh.sentence.no_participants,
    low_resonance: (best, low) => `最高共振分只有 ${best}，低于 ${low}（设置项 low_resonance）。`,
    agents_exited: (exited, total) => `${total} 个 Agent 中有 ${exited} 个没有给出 Offer 就退出了。`,
    offer_missing: (missing, total) => `${total} 个 Agent 中有 ${missing} 个既没有给出 Offer，也没有退出。`,
    single_offer: (total) => (total <= 1 ? "只有一个 Offer。" : `询问了 ${total} 个 Agent，只有一个 Offer。`),
    much_personal_data: (masked) => `他人所写的内容中遮盖了 ${masked} 处个人信息。`,
    degraded_formulation: (cause) =>
      cause === undefined ? "文本就是提交时的需求，没有增加内容。" : `文本就是提交时的需求：后端没能补充（${cause}）。`,
  },
  causes: {
    adapter_error: "读取不到提交者的资料",
    formulation_error: "语言模型出错",
    formulation_timeout: "语言模型超时",
    token_expired: "语言模型的访问授权已过期",
  },
  followUp: {
    auto_confirmed: "请阅读已广播的文本；若非本意，请撤回。",
    decision_too_late: "请阅读已广播的文本；若非本意，请撤回。",
    other_text_broadcast: "请阅读已广播的文本；若非本意，请撤回。",
    confirmed_text_mismatch: "请对比已广播的文本与确认过的文本。",
    withdrawn_late: "请再确认它是否仍在继续。",
    confirmation_failed: undefined,
    sub_negotiation_open: "请看看以你的名义问了什么。",
    plan_missing: "请直接阅读 Offer，或重新提交需求。",
    plan_fallback: "请直接阅读各个 Offer。",
    no_resonance: "换个说法，或换一个场景。",
    not_compared: "请稍后重新提交；换个说法无济于事。",
    empty_scene: "请换一个场景。",
    no_participants: "请看看场景里有哪些 Agent，或换一个场景。",
    degraded_resonance: "请根据 Offer 的内容自行判断。",
    low_resonance: "采用方案之前，请确认 Offer 确实合适。",
    agents_exited: "请确认方案所需的能力仍有人提供。",
    offer_missing: "请确认方案所需的能力仍有人提供。",
    single_offer: "没有可比较的对象：若事关重要，请多问几个人。",
    degraded_formulation: "请确认文本本身已经说清楚。",
    confirmed_by_argument: "请阅读已发出的文本。",
    much_personal_data: "转交之前，请先亲自看过全文。",
    cancelled: undefined,
  },
  backendAway: "协商进行时后端一直没有应答：请看看它的结果。",
  followUpAtEnd: {
    auto_confirmed: "请阅读已广播的文本。协商已结束，无法再撤回。",
    decision_too_late: "请阅读已广播的文本。协商已结束，无法再撤回。",
    other_text_broadcast: "请阅读已广播的文本。协商已结束，无法再撤回。",
  },
};

export type RiskTexts = typeof en;

export const riskTexts = (lang: "zh" | "en"): RiskTexts => (lang === "zh" ? zh : en);
