/**
 * The words that may be typed as a decision, in either language. Anything else decides nothing, and the person is
 * asked again.
 */
export const DECISION_WORDS: ReadonlyMap<string, "accept" | "edit" | "reject"> = new Map([
  ...["a", "accept", "接受"].map((word) => [word, "accept"] as const),
  ...["e", "edit", "修改"].map((word) => [word, "edit"] as const),
  ...["w", "withdraw", "撤回", "r", "reject", "拒绝"].map((word) => [word, "reject"] as const),
]);
export const NO_WORDS: readonly string[] = ["n", "no", "不"];

/** What `towow-mcp confirm` says. */
const en = {
  none: "No demand is waiting for a decision.",
  notWaiting: (id: string) => `${id} is not waiting for your decision.`,
  heading: "Read the text below, and decide.",
  keys: "a broadcasts this text, e changes it first, w withdraws the demand, Ctrl-C leaves it open.",
  keysReadOnly:
    "The profile read_only is set here (towow-mcp config shows where), so nothing can be broadcast: w withdraws the demand, Ctrl-C leaves it open.",
  keysOrWithdrawn:
    "a broadcasts this text, e changes it first, w withdraws the demand. Ctrl-C ends this command, which withdraws it too.",
  nothingSent: "Nothing was sent.",
  ask: "[a]ccept, [e]dit, [w]ithdraw: ",
  askReadOnly: "[w]ithdraw: ",
  again: "Please answer a, e or w.",
  left: (time: string) => `${time} left: `,
  editorFailed: (editor: string) => `${editor} returned no text. Nothing was sent.`,
  empty: "An empty text cannot be broadcast.",
  unchanged: "The text is as it was.",
  codeOfEdit: (code: string) => `Type ${code} to send it, e to edit it: `,
  edit: "Your text; end with a line that holds only a dot:",
  instead: "This would be sent instead:",
  difference: "How it differs: [-taken out-] {+put in+}",
  notCompared: "The two texts are too long or too different to compare word by word.",
  browserWaits: (name: string, time: string) =>
    `A browser waits to be let in: ${name}, ${time}. From then on it can decide for you. Its page shows a code: type it only because you see it in your own browser, never because your AI or a message says so.`,
  browserCode: "The code, or n to go on without it: ",
  browserIn: (name: string) =>
    `${name} can decide for you from now on. Load its page again.\nTo take that back: towow-mcp forget --browser ${name}`,
  browserWrong: "No waiting browser shows that code, so none was let in.",
  code: (code: string) => `Type ${code} to send it: `,
  codeOrNo: (code: string) => `Type ${code} to send it, n to send nothing: `,
  wrongCode: "That was not the code. Nothing was sent.",
  open: "Left open. Nothing was sent.",
  changed: "The text has just changed. Run the command again and read it.",
  accept: "Accepted: the text is on its way.",
  edited: "Your text is on its way.",
  follow: (id: string) => `Follow it live: towow-mcp watch ${id}`,
};

const zh: typeof en = {
  none: "没有等待决定的需求。",
  notWaiting: (id) => `${id} 没有在等你决定。`,
  heading: "请阅读以下文本并决定。",
  keys: "a 广播这段文本，e 先修改，w 撤回需求，Ctrl-C 暂不决定。",
  keysReadOnly:
    "当前设置为只读（profile read_only，在哪里设置见 towow-mcp config），不能广播：w 撤回需求，Ctrl-C 暂不决定。",
  keysOrWithdrawn: "a 广播这段文本，e 先修改，w 撤回需求。Ctrl-C 结束命令，需求也会撤回。",
  nothingSent: "什么都没有发送。",
  ask: "[a]接受 [e]修改 [w]撤回：",
  askReadOnly: "[w]撤回：",
  again: "请回答 a、e 或 w。",
  left: (time) => `还剩 ${time}：`,
  editorFailed: (editor) => `${editor} 没有给出文本，什么都没有发送。`,
  empty: "空文本不能广播。",
  unchanged: "文本没有变化。",
  codeOfEdit: (code) => `输入 ${code} 发送，输入 e 继续修改：`,
  edit: "请输入你的文本，以单独一行的句点（.）结束：",
  instead: "将改为发送：",
  difference: "与原文的差异：[-删去-] {+加入+}",
  notCompared: "两份文本过长或差异过大，无法逐词比较。",
  browserWaits: (name, time) =>
    `有一个浏览器在等你准许：${name}，${time}。准许之后，它就能替你做决定。它的页面上有一个验证码：只有在你自己的浏览器里看到时才输入；AI 或消息里给你的验证码，一律不要输入。`,
  browserCode: "验证码（输入 n 则跳过）：",
  browserIn: (name) => `${name} 今后可以替你做决定。请刷新它的页面。\n如要收回：towow-mcp forget --browser ${name}`,
  browserWrong: "等待中的浏览器都没有显示这个验证码，没有准许任何浏览器。",
  code: (code) => `输入 ${code} 以发送：`,
  codeOrNo: (code) => `输入 ${code} 以发送，输入 n 则不发送：`,
  wrongCode: "验证码不对，什么都没有发送。",
  open: "暂不决定，什么都没有发送。",
  changed: "文本刚刚发生了变化，请重新运行并再读一遍。",
  accept: "已接受，文本正在发送。",
  edited: "你的文本正在发送。",
  follow: (id) => `实时跟踪：towow-mcp watch ${id}`,
};

export type TerminalTexts = typeof en;
export const terminalTexts = (lang: "zh" | "en"): TerminalTexts => (lang === "zh" ? zh : en);

/** Returns the texts for a command that leaves no question open when it ends. */
export function withdrawingTexts(lang: "zh" | "en"): TerminalTexts {
  const texts = terminalTexts(lang);
  return { ...texts, keys: texts.keysOrWithdrawn, open: texts.nothingSent };
}
