/** What an endpoint's address says in a browser. */
const en = {
  title: "Towow for MCP clients",
  lead: "This address connects MCP clients to the Towow negotiation network: join a scene, say what you need, decide yourself what is broadcast, and get a plan.",
  token:
    "Connect your client with one of these, with your own Towow token in place of <token>; Codex reads it from the environment variable TOWOW_TOKEN.",
  none: {
    title: "No token yet?",
    lead: "Get one here. You join the network as a new person; it gives no access to anybody else's account.",
    get: "Get a token",
    ask: "No token yet? Ask the operator of this endpoint for one.",
  },
  yours: {
    title: "Your Towow token",
    name: "the token",
    once: "It is shown this once, and kept nowhere here. Save it now, in your password manager for example.",
    opens: "Anybody who has it can act as you in the network. Keep it to yourself.",
    until: (time: string) => `It is valid until ${time} UTC.`,
    noEnd: "The network did not say when it expires.",
    signIn: ": sign in there with this token.",
    client: "Or connect your client; Codex reads the token from the environment variable TOWOW_TOKEN.",
  },
  noToken: {
    title: "No token this time",
    none: "This network gives out no tokens here. Ask the operator of this endpoint for one.",
    busy: "Many people are asking for one. Try again in a moment.",
    failed:
      "The network did not issue one. Try again in a moment; if it keeps failing, tell the operator of this endpoint.",
  },
  others: "Cursor and others (in VS Code: servers instead of mcpServers)",
  address: "The address alone",
  copy: "Copy",
  copyOf: (what: string) => `Copy: ${what}`,
  copied: "Copied",
  people: "In this browser",
  room: "Your negotiation room",
  browsers: "Browsers that decide for you",
  missing: "There is nothing at this address",
  missingLead: "MCP clients connect at /mcp.",
  toFront: "To the first page",
};

const zh: typeof en = {
  title: "通爻：供 MCP 客户端使用",
  lead: "这个地址把 MCP 客户端接入通爻协商网络：加入场景，说出需求，亲自决定广播什么，得到方案。",
  token: "任选一种方式接入你的客户端，并把 <token> 换成你自己的通爻令牌；Codex 从环境变量 TOWOW_TOKEN 读取令牌。",
  none: {
    title: "还没有令牌？",
    lead: "在这里领取一个。你会以新成员的身份加入网络；用它不能访问别人的任何内容。",
    get: "领取令牌",
    ask: "还没有令牌？请向这个服务的管理员索取。",
  },
  yours: {
    title: "你的通爻令牌",
    name: "令牌",
    once: "只显示这一次，这里不会保存。请现在就存好，例如存进密码管理器。",
    opens: "拿到它的人就能以你的身份行事，请勿交给别人。",
    until: (time) => `有效期至 ${time} UTC。`,
    noEnd: "网络没有说明有效期。",
    signIn: "：用这个令牌登录。",
    client: "或者接入你的客户端；Codex 从环境变量 TOWOW_TOKEN 读取令牌。",
  },
  noToken: {
    title: "没有领到令牌",
    none: "这个网络不在这里发放令牌。请向这个服务的管理员索取。",
    busy: "正在领取的人很多，请稍后再试。",
    failed: "网络没有给出令牌。请稍后再试；如果一直如此，请联系这个服务的管理员。",
  },
  others: "Cursor 等（在 VS Code 中，把 mcpServers 换成 servers）",
  address: "仅地址",
  copy: "复制",
  copyOf: (what) => `复制：${what}`,
  copied: "已复制",
  people: "在这个浏览器中",
  room: "你的协商室",
  browsers: "可以替你做决定的浏览器",
  missing: "这个地址没有内容",
  missingLead: "MCP 客户端请连接 /mcp。",
  toFront: "前往首页",
};

export type FrontTexts = typeof en;
export const frontTexts = (lang: "zh" | "en"): FrontTexts => (lang === "zh" ? zh : en);
