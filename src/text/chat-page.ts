/** What the page in the chat shows if there is no question to show. */
export interface Sayings {
  waiting: Said;
  /** Shown if the host did not give the page the key to its question. */
  noTicket: Said;
  /** Shown if the host lets the page call no tools. */
  noTools: Said;
  /** Shown if the host lets the page call no tools. A button beside this text opens the question's page. */
  onPageOnly: Said;
  /** Shown if the host did not give the page the key. A button beside this text opens the question's page. */
  onPageNoTicket: Said;
  /** Shown if the tool's answer asks nothing. */
  nothing: Said;
  cancelled: Said;
  /** Shown if the question can no longer be asked here. */
  over: Said;
  /** Shown if no program answers to the page's key. */
  unreached: Said;
}

/** Everything that the page in the chat says by itself. */
interface ChatTexts extends Sayings {
  toPage: string;
  decideOnPage: string;
  toRoom: string;
  toPlan: string;
  noPage: string;
  fullScreen: string;
  additions: string;
  goesOn: string;
  restOnPage: string;
  colon: string;
}

interface Said {
  title: string;
  lead: string;
}

const en: ChatTexts = {
  waiting: { title: "Waiting", lead: "What there is to decide appears here." },
  noTicket: {
    title: "It cannot be decided here",
    lead: "This chat does not pass on what this page needs. Your AI can tell you where to decide.",
  },
  noTools: {
    title: "It cannot be decided here",
    lead: "This chat does not let pages act. Your AI can tell you where to decide.",
  },
  onPageOnly: {
    title: "It cannot be decided here",
    lead: "This chat does not let pages act. Decide on the page in your browser.",
  },
  onPageNoTicket: {
    title: "It cannot be decided here",
    lead: "This chat does not pass on what this page needs. Decide on the page in your browser.",
  },
  nothing: { title: "Nothing to decide here", lead: "Your AI has the answer." },
  cancelled: { title: "The call was stopped", lead: "Ask your AI how it stands." },
  over: { title: "This page is over", lead: "Ask your AI how it stands." },
  unreached: { title: "No answer", lead: "Trying again. It cannot be decided here until then." },
  toPage: "Open the page",
  decideOnPage: "Decide on the page",
  toRoom: "Open the room",
  toPlan: "Open the plan",
  noPage: "No page could be opened. Ask your AI for it.",
  fullScreen: "Full screen",
  additions: "Take out what the network added",
  goesOn: "It goes on by itself. Your AI sees the same.",
  restOnPage: "The whole plan, with offers and contacts, is on the page.",
  colon: ": ",
};

const zh: ChatTexts = {
  waiting: { title: "等待中", lead: "需要你决定的内容会显示在这里。" },
  noTicket: {
    title: "不能在这里决定",
    lead: "这个对话程序没有传来本页需要的信息。在哪里决定，可以问你的 AI。",
  },
  noTools: {
    title: "不能在这里决定",
    lead: "这个对话程序不允许页面操作。在哪里决定，可以问你的 AI。",
  },
  onPageOnly: {
    title: "不能在这里决定",
    lead: "这个对话程序不允许页面操作。请到浏览器里的页面上决定。",
  },
  onPageNoTicket: {
    title: "不能在这里决定",
    lead: "这个对话程序没有传来本页需要的信息。请到浏览器里的页面上决定。",
  },
  nothing: { title: "这里没有要决定的", lead: "结果在你的 AI 那里。" },
  cancelled: { title: "这次调用已停止", lead: "可以问你的 AI 现在怎么样了。" },
  over: { title: "这个页面已失效", lead: "可以问你的 AI 现在怎么样了。" },
  unreached: { title: "没有回应", lead: "正在重试。恢复之前不能在这里决定。" },
  toPage: "打开页面",
  decideOnPage: "到页面上决定",
  toRoom: "打开协商室",
  toPlan: "打开方案",
  noPage: "没能打开页面，可以让你的 AI 打开。",
  fullScreen: "全屏",
  additions: "删去网络补充的内容",
  goesOn: "协商会自己继续，你的 AI 看到的也一样。",
  restOnPage: "完整的方案、Offer 和联系方式在页面上。",
  colon: "：",
};

export const chatTexts = (lang: "zh" | "en"): ChatTexts => ({ en, zh })[lang];
