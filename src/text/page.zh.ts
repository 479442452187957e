import type { pageEn } from "./page.en.ts";

export const pageZh: typeof pageEn = {
  title: "通爻：可以广播这段文本吗？",
  intro: "你的需求已丰富化如下。如果接受，将把这段文本一字不差地广播给场景中的 Agent。",
  goesTo: (host) => `将发送到 ${host}。`,
  decideBy: (time) => `如不决定，将于 ${time} 自动撤回。`,
  autoAt: (time) => `如不决定，后端将于 ${time} 自行广播。`,
  length: (n) => `${n} 字`,
  invisible: "文本中有不可见字符，这里写作 \\u{…}；实际发送的文本包含它们。",
  changed: "打开本页之后文本发生了变化，请再读一遍。",
  accept: "接受：广播这段文本",
  reject: "拒绝：取消需求",
  editHeading: "或者改为发送你自己的文本",
  preview: "与原文对比",
  previewHeading: "将改为发送",
  diffHeading: "与丰富化文本的差异",
  send: "发送我的文本",
  back: "返回",
  empty: "你的文本是空的：请填写，或接受、拒绝原文。",
  done: {
    accept: "已接受，文本正在发送；可以关闭本页。",
    edit: "你的文本正在发送；可以关闭本页。",
    reject: "已拒绝，需求已取消，没有广播；可以关闭本页。",
    moved: "这个需求已不在等待决定。",
  },
  refused: {
    gone: "本页已失效：已决定、已过期，或从未存在。",
    elsewhere: "本页已在另一个浏览器中打开。如果不是你本人，请用 towow-mcp confirm 拒绝该需求。",
    origin: "请求来自其他网站，已拒绝。",
    failed: (message) => `没有成功：${message}`,
  },
};
