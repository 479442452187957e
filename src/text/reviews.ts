/** What `towow-mcp reviews` says, and what results say about the queue of negotiations to review. */
const en = {
  none: "Nothing waits for a second look.",
  ask: "[f]ine, [c]oncern, or Enter for later: ",
  noted: "Noted; you are not asked again.",
  unnoted: "Nothing was noted: this was answered before, or it cannot be written down here.",
  heading: "Worth a second look",
  fine: "It is fine",
  concern: "I have a concern",
  more: (n: number) => `… and ${n} more: run the command again.`,
};

const zh: typeof en = {
  none: "没有需要再核对的内容。",
  ask: "[f] 没问题，[c] 有疑虑，直接回车则以后再说：",
  noted: "已记下，不会再问。",
  unnoted: "没有记下：之前已经答复过，或者这里无法写入。",
  heading: "请再核对",
  fine: "没问题",
  concern: "有疑虑",
  more: (n) => `……还有 ${n} 条，请再运行一次。`,
};

export const reviewTexts = (lang: "zh" | "en"): typeof en => (lang === "zh" ? zh : en);
