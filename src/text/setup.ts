/** What `towow-mcp setup` says. */
const en = {
  none: (known: string) => `No client was found here. Name one all the same: ${known}`,
  found: (titles: string) => `Found: ${titles}`,
  absent: "Not found on this machine; the entry is written anyway.",
  starts: {
    copy: (command: string) => `Starts ${command}: a copy of this program, so that no project's files have a say.`,
    path: (command: string) =>
      `Starts ${command}: everybody who opens this project needs it installed (npm install -g towow-mcp).`,
  },
  copied: (path: string) => `Copied this program to ${path}.`,
  copyMissing: (path: string) => `This copy is made by setup without --print: ${path}`,
  swept: (path: string) => `Removed ${path}: no client starts it.`,
  same: "It is set up already; nothing to do.",
  copyReplaced: "The copy that it starts was replaced. Restart the client.",
  updated: (from: string, to: string) => `Updated from ${from} to ${to}.`,
  notThere: "It has no entry; nothing to do.",
  by: (command: string) => `by: ${command}`,
  add: "Write this? [Y/n] ",
  update: "Update this? [Y/n] ",
  replace: "There is another entry of this name. Replace it? [y/N] ",
  remove: "Take this out? [Y/n] ",
  removeOthers: "This entry starts something else. Take it out? [y/N] ",
  yes: ["y", "yes"],
  left: "Left as it was.",
  done: { add: "Written.", update: "Updated.", replace: "Replaced.", remove: "Taken out." },
  would: "Nothing was written: name the client, or add --yes for all of these:",
  noBackend: "No backend is set: add --backend-url https://…, or try the mock: towow-mcp mock",
  next: "Restart the client, then say what you want: “Join the scene … with my résumé, and find me …”",
  asked: "No tool is allowed in advance, so the client asks you first.",
};

const zh: typeof en = {
  none: (known) => `这里没有找到客户端。仍可指定一个：${known}`,
  found: (titles) => `已找到：${titles}`,
  absent: "本机没有找到它，仍会写入。",
  starts: {
    copy: (command) => `启动方式：${command}（本程序的副本，项目里的文件影响不到它）。`,
    path: (command) => `启动方式：${command}（打开这个项目的人都要先安装：npm install -g towow-mcp）。`,
  },
  copied: (path) => `已把本程序复制到 ${path}。`,
  copyMissing: (path) => `不带 --print 运行 setup 时才会生成这个副本：${path}`,
  swept: (path) => `已删除 ${path}：没有客户端使用它。`,
  same: "已经设置好，无需改动。",
  copyReplaced: "已替换它启动的副本。请重启客户端。",
  updated: (from, to) => `已从 ${from} 更新到 ${to}。`,
  notThere: "没有这一项，无需改动。",
  by: (command) => `执行：${command}`,
  add: "写入吗？[Y/n] ",
  update: "更新吗？[Y/n] ",
  replace: "已有同名的另一项。替换吗？[y/N] ",
  remove: "移除吗？[Y/n] ",
  removeOthers: "这一项启动的是别的程序。移除吗？[y/N] ",
  yes: ["y", "yes", "是", "好"],
  left: "保持原样。",
  done: { add: "已写入。", update: "已更新。", replace: "已替换。", remove: "已移除。" },
  would: "什么都没有写入：请指定客户端，或加 --yes 写入以下全部：",
  noBackend: "尚未设置后端：请加 --backend-url https://…，或先用模拟后端：towow-mcp mock",
  next: "重启客户端，然后直接说：“用我的简历加入场景……，帮我找……”",
  asked: "没有预先放行任何工具，客户端会先问你。",
};

export type SetupTexts = typeof en;

export const setupTexts = (lang: "zh" | "en"): SetupTexts => (lang === "zh" ? zh : en);
