/** What a terminal says about a decision that has not arrived, and about what the backend does at its deadline. */
const en = {
  no: {
    sending: "Your no is saved; a running program sends it until it arrives.",
    unsent: (id: string) => `Your no is saved, but no running program sends it now. Send it: towow-mcp cancel ${id}`,
  },
  withdrawal: {
    sending: "It is being withdrawn.",
    unsent: (id: string) =>
      `It should have been withdrawn, but no running program is doing that. Withdraw it: towow-mcp cancel ${id}`,
  },
  yes: {
    sending: "Your yes is saved, and a running program sends it; it is not known yet whether it has arrived.",
    unsent: "Your yes is saved, but no running program sends it now.",
  },
  noByThen: (time: string) => `If it has not arrived by ${time}, the backend broadcasts the text.`,
  yesByThen: (time: string) => `If it has not arrived by ${time}, the backend broadcasts its own text.`,
  tooLate: (time: string) => `The backend was due to broadcast its text at ${time}, and may have done so.`,
};

const zh: typeof en = {
  no: {
    sending: "你的撤回已保存，有程序在发送，直到送达为止。",
    unsent: (id) => `你的撤回已保存，但现在没有程序在发送。现在发送：towow-mcp cancel ${id}`,
  },
  withdrawal: {
    sending: "正在撤回。",
    unsent: (id) => `它本应撤回，但现在没有程序在做。现在撤回：towow-mcp cancel ${id}`,
  },
  yes: {
    sending: "你的确认已保存，有程序在发送；还不知道是否已经送达。",
    unsent: "你的确认已保存，但现在没有程序在发送。",
  },
  noByThen: (time) => `如果到 ${time} 还没有送达，后端会广播这段文本。`,
  yesByThen: (time) => `如果到 ${time} 还没有送达，后端会广播它自己的文本。`,
  tooLate: (time) => `后端本应在 ${time} 广播它的文本，可能已经广播。`,
};

export type FateTexts = typeof en;
export const fateTexts = (lang: "zh" | "en"): FateTexts => (lang === "zh" ? zh : en);
