/** The sentences about a page of a list, in both languages. */
const en = {
  page: (shown: number, more: boolean) =>
    `This page holds ${shown}${more ? "; for the next one call again with cursor = data.next_cursor." : ", the last of them."}`,
};

const zh: typeof en = {
  page: (shown, more) =>
    `本页 ${shown} 个${more ? "；要看下一页，请用 cursor = data.next_cursor 再次调用。" : "，已到末尾。"}`,
};

export const listTexts = (lang: "zh" | "en"): typeof en => (lang === "zh" ? zh : en);
