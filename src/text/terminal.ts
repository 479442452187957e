/** What `towow-mcp confirm` says. */
const en = {
  none: "No demand waits for a decision.",
  several: "Several demands wait; name one:",
  notOwn: (id: string) => `${id} does not wait for a decision here.`,
  heading: "This text would be broadcast, word for word:",
  notTerminal: "A decision needs a person: run this in a terminal.",
  ask: "[a]ccept, [e]dit, [r]eject, or Enter to leave it open: ",
  edit: "Your text; end with a line that holds only a dot:",
  difference: "This would be sent instead:",
  code: (code: string) => `Type ${code} to send it: `,
  wrongCode: "That was not the code. Nothing was sent.",
  open: "Left open. Nothing was sent.",
  changed: "The text has just changed. Run the command again and read it.",
  accept: "Accepted: the text is on its way.",
  edited: "Your text is on its way.",
};

const zh: typeof en = {
  none: "没有等待决定的需求。",
  several: "有多个需求在等待，请指定一个：",
  notOwn: (id) => `${id} 在这里不需要决定。`,
  heading: "以下文本将一字不差地广播：",
  notTerminal: "决定需要本人：请在终端中运行。",
  ask: "[a] 接受，[e] 修改，[r] 拒绝，直接回车则暂不决定：",
  edit: "请输入你的文本，以单独一行的句点（.）结束：",
  difference: "将改为发送：",
  code: (code) => `输入 ${code} 以发送：`,
  wrongCode: "验证码不对，什么都没有发送。",
  open: "暂不决定，什么都没有发送。",
  changed: "文本刚刚发生了变化，请重新运行并再读一遍。",
  accept: "已接受，文本正在发送。",
  edited: "你的文本正在发送。",
};

export const terminalTexts = (lang: "zh" | "en") => (lang === "zh" ? zh : en);
