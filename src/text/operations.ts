type Words = Readonly<Record<"en" | "zh", string>>;

/** What the backend was asked to do, by the client method that asked; in English it follows "to". */
const OPERATIONS: Readonly<Record<string, Words>> = {
  createScene: { en: "create a scene", zh: "创建场景" },
  listScenes: { en: "list scenes", zh: "列出场景" },
  registerAgent: { en: "register a profile", zh: "注册资料" },
  listAgents: { en: "list the agents of a scene", zh: "列出场景中的 Agent" },
  submitDemand: { en: "start a negotiation", zh: "提交需求" },
  getNegotiation: { en: "show a negotiation", zh: "读取协商" },
  confirm: { en: "record a decision", zh: "提交决定" },
  action: { en: "act on a negotiation", zh: "操作协商" },
  requestToken: { en: "issue a token", zh: "申请令牌" },
};

/** An operation in words; undefined for one that has none. */
export const operationIn = (lang: "zh" | "en", operation: string): string | undefined => OPERATIONS[operation]?.[lang];
