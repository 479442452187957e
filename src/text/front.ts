/** What an endpoint's address says in a browser. */
const en = {
  title: "Towow for MCP clients",
  lead: "This address connects MCP clients to the Towow negotiation network: join a scene, say what you need, decide yourself what is broadcast, and get a plan.",
  token:
    "Connect your client with one of these, with your own Towow token in place of <token>; Codex reads it from the environment variable TOWOW_TOKEN.",
  others: "Cursor and others (in VS Code: servers instead of mcpServers)",
  address: "The address alone",
  copy: (what: string) => `Copy: ${what}`,
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
  others: "Cursor 等（在 VS Code 中，把 mcpServers 换成 servers）",
  address: "仅地址",
  copy: (what) => `复制：${what}`,
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
