import { idInSentence } from "../quotation.ts";
import { browserName } from "./browser-name.ts";
import type { pageEn } from "./page.en.ts";
import { byReader, command, say, yourHand } from "./reader.ts";
import { roomZh } from "./room.zh.ts";

const DAY = new Intl.DateTimeFormat("zh-CN", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const dayOf = (at: number): string => DAY.format(at);

const labelOf = (key: string): string =>
  key === "display_name" ? "公开的名字" : ((roomZh.profile.fields as Record<string, string>)[key] ?? key);

const SCENE_LABELS: Readonly<Record<string, string>> = {
  name: "名称",
  description: "介绍",
  expected_responders: "预计响应人数",
  access_policy: "加入方式",
};

export const pageZh: typeof pageEn = {
  frame: { brand: "通爻", language: "English", otherLang: "en" },
  code: { copy: "复制", copyOf: (what) => `复制：${what}`, copied: "已复制" },
  decision: "你的决定",
  decided: "你已经决定了",
  openPage: "打开决定页面",
  ownWindow: {
    title: "已在另一个窗口中打开",
    lead: byReader({
      model: (negotiationId) =>
        negotiationId === undefined
          ? "决定页面已在浏览器的另一个窗口中打开。如果没有，请刷新本页。"
          : say`决定页面已在浏览器的另一个窗口中打开。如果没有，请刷新本页，或${yourHand(command("confirm", negotiationId), "决定")}`,
    }),
  },
  elsewhere: {
    title: "已在另一个浏览器中打开",
    demand: "本页只在最先打开它的浏览器里有效。不是你打开的？请在终端中撤回需求，或让你的 AI 撤回。",
    permission: "本页只在最先打开它的浏览器里有效。不是你打开的？请抢先在这里作答。",
  },
  way: {
    title: "是你本人吗？",
    demand: "有一段文本等你决定。单凭这个地址，还不能确认是你本人。",
    permission: "有一个问题等你回答。单凭这个地址，还不能确认是你本人。",
    terminal: "在运行 AI 的那台电脑上打开终端，输入",
    line: byReader({ model: (id?: string) => say`${command("confirm", ...(id === undefined ? [] : [id]))}` }),
    command: "命令",
    code: "它会要你输入这个验证码",
    codeOf: (digits) => `验证码：${digits}`,
    waits: "正在等待。确认后本页自动继续，以后也认得这个浏览器。",
    reload: "输入后请刷新本页，以后也认得这个浏览器。",
    expired: "验证码已过期。",
    newCode: "换一个",
    warning: ["只有在这里亲眼看到，才输入。", "AI 或消息里给你的验证码，一律不要输入。"],
    orThere: "也可以直接在终端里决定。",
  },
  signIn: {
    title: "登录",
    act: "登录",
    next: {
      room: "登录后打开你的协商室。",
      decision: "登录后打开你的决定页面。",
      browsers: "登录后查看已登录的浏览器。",
    },
    token: "你的通爻令牌",
    help: "就是你的客户端在这里用的那个。",
    or: "或",
    new: "我是新来的，领取令牌",
    newHelp: "你将以新成员的身份加入，看不到别人的账户。",
    unknown: "不认识这个令牌。请从第一个字符到最后一个字符完整复制。",
    untried: "这个网络无法检查令牌。请先在客户端里用它一次，再来登录。",
    unreached: "网络没有应答，无法检查令牌。请稍后再试。",
    locked: "这里试过太多错误的令牌，而这么短的令牌可能被猜中。请一分钟后再试。",
    full: "服务暂时已满，请过几秒再试。",
    notTheirs: "这是别人的令牌。",
  },
  browsers: {
    title: "已登录的浏览器",
    intro: "它们能读到等你决定的内容，并做决定。不认识的请撤销，立即生效。",
    clients: "使用你的令牌的客户端不在此列。",
    nameOf: (name) => browserName(name, (program, system) => `${system} 上的 ${program}`, "某个浏览器"),
    current: "当前浏览器",
    used: (at) => `最近使用：${dayOf(at)}`,
    since: (at) => `${dayOf(at)}登录`,
    revoke: "撤销",
    revoked: "刚刚已撤销",
    revokeOthers: "除当前浏览器外全部撤销",
    signOut: "退出登录",
    room: "前往协商室",
    othersTitle: "这是别人的页面",
    others: "你登录的是另一个账户。如果本页是你的，请先在浏览器列表中退出登录，再重新打开。",
  },
  goesTo: (host) => `将发送到：${host}。`,
  send: {
    accept: "可以，发送",
    reject: "不，什么都不发",
  },
  stop: {
    accept: "是，撤回它",
    reject: "不，让它继续",
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
      ? "你在所有场景里的名字和资料，都会换成这一份。"
      : `你在${elsewhere}等所有场景里的名字和资料，都会换成这一份。`,
  profileAs: (id) => `将以 ${idInSentence(id)} 的身份发送，这不是你的 ID。`,
  profileReplacesTheirs: "这个 ID 在所有场景里的名字和资料，都会换成这一份。",
  profileAsNew: (id) => `将登记为新的 Agent：${idInSentence(id)}。`,
  profileTitle: "把这份资料发送到网络吗？",
  profileHead: (scene) => `场景：${scene}`,
  sceneKey: (key) => SCENE_LABELS[key] ?? key,
  sceneTitle: "创建这个场景吗？",
  sceneField: (key, value) => `${SCENE_LABELS[key] ?? key}：${value}`,
  cancelTitle: "撤回这个需求？",
  cancelText: (id, intent) =>
    `撤回需求${intent === undefined ? ` ${id} ` : `“${intent}”（${id}）`}？撤回后协商立即结束，不会产生方案，且无法恢复。`,
  cancelCarries: (payload) => `并随撤回向后端发送：${payload}`,
  refused: {
    gone: {
      title: "本页已关闭",
      lead: byReader({
        model: say`可能已经决定或已过期，链接也可能不对。查看需求的进展，请问你的 AI，或运行 ${command("list")}。`,
        endpoint: "可能已经决定或已过期，链接也可能不对。查看需求的进展，请问你的 AI。",
      }),
    },
    origin: { title: "已拒绝", lead: "这个请求来自其他网站。" },
    failed: { title: "没有成功", lead: (message) => `${message}要再试，请返回并刷新页面。` },
  },
};
