import { idInSentence } from "../quotation.ts";
import type { pageEn } from "./page.en.ts";
import { roomZh } from "./room.zh.ts";

const labelOf = (key: string): string =>
  key === "display_name" ? "公开的名字" : ((roomZh.profile.fields as Record<string, string>)[key] ?? key);

const SCENE_LABELS: Readonly<Record<string, string>> = {
  name: "名称",
  description: "介绍",
  expected_responders: "预计响应人数",
  access_policy: "加入方式",
};

export const pageZh: typeof pageEn = {
  decision: "通爻：你的决定",
  openPage: "打开决定页面",
  inOwnWindow: (negotiationId) =>
    `决定页面已在浏览器的另一个窗口中打开。如果没有，请刷新本页${
      negotiationId === undefined ? "。" : `，或在终端中决定：towow-mcp confirm ${negotiationId}`
    }`,
  elsewhere: {
    demand: "本页已在另一个浏览器中打开。如果那不是你的，请在终端中撤回需求，或让你的 AI 撤回。",
    permission: "本页已在另一个浏览器中打开。如果那不是你的，请抢先在这里作答。",
  },
  way: {
    intro: "这里还不能决定：单凭这个地址，无法确认是你本人。",
    introHosted: "登录后打开本页。",
    terminal: "请在运行 AI 的那台机器上，打开终端决定：",
    letIn: "或者让这个浏览器今后也能决定：运行同一个命令，在那里输入下面的验证码，然后刷新本页。",
    letInOnly:
      "让这个浏览器今后也能决定：在运行 AI 的那台机器上，打开终端运行下面的命令，输入下面的验证码，然后刷新本页。",
    warning: "只有在你自己的浏览器里看到这个验证码时才输入；AI 或消息里给你的验证码，一律不要输入。",
    token: "你的通爻令牌",
    tokenHelp: "就是你的客户端发给这个服务的那个令牌。浏览器会得到一个可以撤销的 Cookie。",
    noToken: "还没有令牌？",
    signIn: "登录",
  },
  browsers: {
    signInTitle: "通爻：登录",
    title: "可以替你做决定的浏览器",
    intro: "谁能使用其中一个浏览器，谁就能阅读等你决定的内容并做决定。请撤销不认识的浏览器。",
    current: "当前浏览器",
    since: (day, used) => `自 ${day} 起，最近使用于 ${used}`,
    revoke: (name) => `撤销 ${name}`,
    room: "前往你的协商室",
    revokeAll: "全部撤销",
    full: "服务暂时已满，请过几秒再试。",
    notTheirs: "这是别人的令牌。",
    othersTitle: "通爻：他人的页面",
    others: "本页属于另一个人。如果其实是你的，请先撤销当前浏览器，再重新打开本页登录。",
    unknown: "网络不接受这个令牌。请完整复制，或换一个新的。",
    untried: "这个网络无法检查令牌。请先在客户端里用它一次，再来登录。",
    unreached: "网络没有应答，无法试用你的令牌。请稍后再试。",
    locked: "这里试过太多错误的令牌，而这么短的令牌可能被猜中。请一分钟后再试。",
  },
  goesTo: (host) => `将发送到：${host}。`,
  send: {
    accept: "可以，发送",
    reject: "不，什么都不发",
    accepted: "好的，可以发送。请回到你的 AI 继续。",
    rejected: "什么都没有发送。",
  },
  stop: {
    accept: "是，撤回它",
    reject: "不，让它继续",
    accepted: "好的，可以撤回。请回到你的 AI 继续。",
    rejected: "没有撤回。",
  },
  scene: (id, name) =>
    name === undefined ? `${idInSentence(id)}（名称无法显示）` : `“${name}”（${idInSentence(id)}）`,
  sceneInResult: (id, name) =>
    name === undefined ? `${idInSentence(id)}（名称无法显示）` : `${idInSentence(id)}（名称见 scene_name）`,
  profileAsk: (sceneId) => `发送这份资料？场景：${idInSentence(sceneId)}`,
  profileAskNames: (scene, name) => `${scene === undefined ? "场景名称无法显示" : `“${scene}”`} · 名字：${name}`,
  profileKey: labelOf,
  profileField: (key, value) => `${labelOf(key)}：${value}`,
  profileStays: "发布后无法删除。",
  profileReplaces: (elsewhere) =>
    elsewhere === undefined
      ? "你在所有场景中的名字和资料都会被它替换。"
      : `你在 ${elsewhere} 等所有场景中的名字和资料都会被它替换。`,
  profileAs: (id) => `将以 ${idInSentence(id)} 的身份发送，这不是你的 ID。`,
  profileReplacesTheirs: "这个 ID 在所有场景中的名字和资料都会被它替换。",
  profileAsNew: (id) => `将登记为新的 Agent：${idInSentence(id)}。`,
  profileTitle: "把这份资料发送到网络吗？",
  profileHead: (scene) => `场景：${scene}`,
  sceneTitle: "创建这个场景吗？",
  sceneField: (key, value) => `${SCENE_LABELS[key] ?? key}：${value}`,
  cancelTitle: "撤回这个需求？",
  cancelText: (id, intent) =>
    `撤回需求${intent === undefined ? ` ${id} ` : `“${intent}”（${id}）`}？撤回后协商立即结束，不会产生方案，且无法恢复。`,
  cancelCarries: (payload) => `并随撤回向后端发送：${payload}`,
  refused: {
    gone: "本页已关闭：已决定、已过期，或从未存在。查看需求的进展，请问你的 AI，或运行 towow-mcp list。",
    origin: "请求来自其他网站，已拒绝。",
    failed: (message) => `没有成功：${message}要再试，请返回并刷新页面。`,
  },
};
