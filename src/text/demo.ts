import { terminalTexts } from "./terminal.ts";

const en = {
  title: "towow-mcp demo",
  intro: (port: string) =>
    `A whole negotiation against the mock backend on 127.0.0.1:${port}: nothing leaves this machine, and nothing stays on it. A real MCP client starts the real server and calls its tools.`,
  steps: {
    join: "Join a scene",
    demand: "Say what you need",
    pause: "You decide",
    network: "The network answers",
    offers: "Offers",
    plan: "The plan",
    next: "Use it yourself",
  },
  scene: "Around you",
  resume: (characters: number) => `résumé, ${characters} characters`,
  guided: (lines: number) =>
    `The answer holds a guiding prompt of ${lines} lines for your own AI. It turns your words into a profile and asks you before anything is sent; this program calls no model.`,
  standIn: "No AI runs in this demo: a prepared profile stands in for what yours would write.",
  profileShown: "No form shows a profile this long, so your AI shows it to you first; a second call sends it.",
  joined: "Joined: the network has this profile now.",
  shown: "This is the whole text that would go out, as your client's form shows it:",
  added: (text: string) => `The network added: “${text}”`,
  byItself: "Accepted automatically: the demo does so only against the mock, with --yes or where nobody can be asked.",
  question: "[a]ccept, [e]dit or [w]ithdraw? ",
  edit: "Your text: ",
  again: terminalTexts("en").again,
  empty: "An edit needs a text.",
  resonance: "resonance",
  noOffer: "no offer",
  setUp: "One command sets up Claude Code, with a network or with a sandbox on this machine:",
  say: "Then say to Claude: “Join the scene … with my résumé, and find me …”",
  rejected: "You withdrew it, so nothing was broadcast. That is a complete run too.",
  done: (seconds: string) => `Done in ${seconds} s. Everything the demo created has been removed.`,
  failed: (reason: string) => `The demo failed: ${reason}`,
  lost: "the server that it started ended early.",
  noPlan: "the negotiation ended without a plan.",
};

const zh: typeof en = {
  title: "towow-mcp 演示",
  intro: (port) =>
    `在本机的模拟后端（127.0.0.1:${port}）上走完一次协商：不联网，也不留下任何东西。由真实的 MCP 客户端启动真实的服务，逐个调用工具。`,
  steps: {
    join: "加入场景",
    demand: "提出需求",
    pause: "由你决定",
    network: "网络响应",
    offers: "收到的 Offer",
    plan: "方案",
    next: "自己用起来",
  },
  scene: "身边的人",
  resume: (characters) => `简历，${characters} 字`,
  guided: (lines) =>
    `返回的是一份 ${lines} 行的引导提示词，交给你自己的 AI：由它把自述整理成资料，征得你同意后才发送。本程序不调用任何模型。`,
  standIn: "演示里没有 AI：下面用一份事先备好的资料，代替你的 AI 会写的内容。",
  profileShown: "这么长的资料表单放不下，所以先由你的 AI 给你看；再次调用才会发送。",
  joined: "已加入：网络里现在有这份资料。",
  shown: "将要广播的全文如下，和你在客户端表单里看到的一样：",
  added: (text) => `网络补充了：“${text}”`,
  byItself: "已自动接受：只有演示在模拟后端上，带 --yes 或无人可问时，才会这样。",
  question: "接受 [a]、修改 [e]，还是撤回 [w]？",
  edit: "你的文本：",
  again: terminalTexts("zh").again,
  empty: "修改需要填写文本。",
  resonance: "共振",
  noOffer: "没有 Offer",
  setUp: "一条命令接入 Claude Code，可以连接网络，也可以使用本机的沙盒：",
  say: "然后对 Claude 说：“用我的简历加入场景……，帮我找……”",
  rejected: "你撤回了需求，所以什么都没有广播。这也是一次完整的流程。",
  done: (seconds) => `用时 ${seconds} 秒。演示产生的一切都已清除。`,
  failed: (reason) => `演示失败：${reason}`,
  lost: "它启动的服务提前结束了。",
  noPlan: "协商结束，但没有方案。",
};

export type DemoTexts = typeof en;

/** Returns what `towow-mcp demo` says itself. The rest of its output comes from the server. */
export const demoTexts = (lang: "zh" | "en"): DemoTexts => (lang === "zh" ? zh : en);
