/** What an endpoint's own address says in a browser. */
const en = {
  title: "Say what you need. Find the people to do it with.",
  heading: ["Say what you need.", "Find the people to do it with."],
  /** Where only the person's own hand counts, and whatever nobody has decided is withdrawn. */
  leadOwnHand:
    "The network writes it up and asks the people who fit. You read every word first: nothing goes out without your yes.",
  lead: "The network writes it up and asks the people who fit. The text comes to you first: say yes, change it, or withdraw it.",
  room: "Open your room",
  decide: "Decide now",
  waits: {
    withdrawn: ["A text waits for you: withdrawn at ", " if you do nothing."] as readonly [string, string],
    broadcast: ["A text waits for you: broadcast at ", " if you do nothing."] as readonly [string, string],
    undated: "A text waits for you.",
  },
  new: "New here?",
  get: "Get a token",
  ask: "New here? Ask the operator for a token.",
  connect: "Or work from your AI",
  connectFirst: "Work from your AI",
  asks: {
    passedOn: "It asks and watches for you, and can pass on your yes.",
    /** By default; a person may allow one of them more. */
    signedIn: "It asks and watches for you. You give each yes yourself, unless you allow it more.",
    ownHand: "It asks and watches for you. It cannot broadcast.",
    /** What nobody decides on is broadcast by itself. */
    ownHandOrLeft: "It asks and watches for you. Only you can say yes.",
  },
  clients: "Your client",
  token: "Put your own Towow token in place of <token>.",
  filled: "Your token is in it: keep it to yourself.",
  byAddress: {
    "Claude Code": "In a terminal. A page opens in your browser: say yes there.",
    Codex: "In a terminal. A page opens in your browser: say yes there.",
    Cursor: "In ~/.cursor/mcp.json. Cursor then asks you to sign in.",
    "VS Code": "In .vscode/mcp.json. VS Code then asks you to sign in.",
    other: "The address is enough. In Claude: Settings, Connectors, Add custom connector.",
  },
  cannotSignIn: "My client cannot sign in",
  next: {
    "Claude Code": "In a terminal.",
    Codex: "In ~/.codex/config.toml. Codex reads the token from the environment variable TOWOW_TOKEN.",
    Cursor: "In ~/.cursor/mcp.json.",
    "VS Code": "In .vscode/mcp.json.",
    other: "The address, and a header that goes with every request.",
  },
  other: "Other",
  how: "How it goes",
  steps: [
    ["Scene", "Choose who may hear you"],
    ["Profile", "What they read about you"],
    ["Demand", "In your own words"],
    ["Decision", "You read it and say yes"],
    ["Negotiating", "Offers come in"],
    ["Plan", "Who does what, by when"],
  ],
  yours: {
    title: "Your token",
    name: "the token",
    once: "It is shown only this once. Save it now.",
    opens: "Anybody who has it can act as you.",
    until: ["Valid until ", "."],
    utc: (time: string) => `${time} UTC`,
    noEnd: "The network did not say how long it is valid.",
    signedIn: "You are signed in here with it.",
    signIn: "Sign in there with it.",
    stays: "You stay signed in as before. To use this token here, sign out first.",
  },
  noToken: {
    title: "No token this time",
    none: "This network gives out no tokens here. Ask the operator for one.",
    busy: "Many people are asking for one. Try again in a moment.",
    failed: "The network did not issue one. Try again in a moment; if it keeps failing, tell the operator.",
  },
  again: "Try again",
  missing: "There is nothing at this address",
  missingLead: "The link may be incomplete or out of date.",
  clientsAt: "Clients connect at",
  toFront: "To the front page",
} as const;

type SameShape<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: SameShape<T[K]> };

const zh: SameShape<typeof en> = {
  title: "说出需求，找到一起做的人",
  heading: ["说出需求，", "找到一起做的人。"],
  leadOwnHand: "网络把需求补充完整，再去问合适的人。每一个字先由你过目：你不同意，什么都不会发出。",
  lead: "网络把需求补充完整，再去问合适的人。文本先给你过目：同意、修改，或撤回。",
  room: "打开协商室",
  decide: "现在决定",
  waits: {
    withdrawn: ["有一段文本等你决定；如不决定，", " 自动撤回。"],
    broadcast: ["有一段文本等你决定；如不决定，", " 自动广播。"],
    undated: "有一段文本等你决定。",
  },
  new: "第一次来？",
  get: "领取令牌",
  ask: "第一次来？请向管理员索取令牌。",
  connect: "或在你的 AI 里使用",
  connectFirst: "在你的 AI 里使用",
  asks: {
    passedOn: "它替你询问和等待，也能转达你的同意。",
    signedIn: "它替你询问和等待。每次都由你亲自同意，除非你允许它转达。",
    ownHand: "它替你询问和等待，但不能替你广播。",
    ownHandOrLeft: "它替你询问和等待，但只有你本人能点头。",
  },
  clients: "你的客户端",
  token: "把 <token> 换成你自己的通爻令牌。",
  filled: "里面有你的令牌，请勿交给别人。",
  byAddress: {
    "Claude Code": "在终端中运行。浏览器会打开一个页面，请在那里同意。",
    Codex: "在终端中运行。浏览器会打开一个页面，请在那里同意。",
    Cursor: "写入 ~/.cursor/mcp.json。Cursor 会请你登录。",
    "VS Code": "写入 .vscode/mcp.json。VS Code 会请你登录。",
    other: "有地址就够了。在 Claude 里：设置 → 连接器 → 添加自定义连接器。",
  },
  cannotSignIn: "我的客户端不能登录",
  next: {
    "Claude Code": "在终端中运行。",
    Codex: "写入 ~/.codex/config.toml。Codex 从环境变量 TOWOW_TOKEN 读取令牌。",
    Cursor: "写入 ~/.cursor/mcp.json。",
    "VS Code": "写入 .vscode/mcp.json。",
    other: "地址，以及每个请求都要带上的请求头。",
  },
  other: "其他",
  how: "流程",
  steps: [
    ["场景", "选择谁能听到"],
    ["资料", "别人读到的你"],
    ["需求", "用你自己的话"],
    ["决定", "逐字过目，由你点头"],
    ["协商", "Offer 陆续到来"],
    ["方案", "谁做什么，何时完成"],
  ],
  yours: {
    title: "你的令牌",
    name: "令牌",
    once: "只显示这一次，请现在存好。",
    opens: "谁拿到它，谁就能以你的身份行事。",
    until: ["有效期至 ", "。"],
    utc: (time) => `${time}（UTC）`,
    noEnd: "网络没有说明有效期。",
    signedIn: "已用它在这里登录。",
    signIn: "请用它登录。",
    stays: "你仍以原来的身份登录。要在这里用这个令牌，请先退出登录。",
  },
  noToken: {
    title: "没有领到令牌",
    none: "这个网络不在这里发放令牌。请向管理员索取。",
    busy: "正在领取的人很多，请稍后再试。",
    failed: "网络没有给出令牌。请稍后再试；如果一直如此，请联系管理员。",
  },
  again: "再试一次",
  missing: "这个地址没有内容",
  missingLead: "链接可能不完整，或已失效。",
  clientsAt: "客户端请连接",
  toFront: "前往首页",
};

export type FrontTexts = SameShape<typeof en>;
export const frontTexts = (lang: "zh" | "en"): FrontTexts => (lang === "zh" ? zh : en);
