/** What stands around the tables of the READMEs, in each language; what stands in them is the code's. */
const en = {
  tools: ["Tool", "Modes", "What it does", "Effect"],
  modes: { both: "normal, developer", developer: "developer", toolset: (names: string) => `toolset ${names}` },
  effect: {
    reads: "reads only",
    asks: "asks the person before anything is broadcast",
    final: "writes; cannot be undone",
    sends: "sends the person's words to the network",
    writes: "writes",
    session: "changes this session",
  },
  config: ["Key", "Environment", "Default", "Meaning"],
  locale: "from the locale",
  meaning: (text: string, expected: string) => `${text} (${expected})`,
};

/** The few words of `expected` that are words and no notation. */
const EXPECTED_ZH: Readonly<Record<string, string>> = {
  "1–200 characters": "1–200 个字符",
  "visible ASCII": "可见 ASCII 字符",
  "a whole number from 1": "不小于 1 的整数",
  "name,name,…": "名称,名称,…",
};

const zh: typeof en = {
  tools: ["工具", "模式", "做什么", "影响"],
  modes: { both: "normal、developer", developer: "developer", toolset: (names: string) => `工具集 ${names}` },
  effect: {
    reads: "只读",
    asks: "广播之前先由本人决定",
    final: "写入，不可撤销",
    sends: "把你写的内容发给网络",
    writes: "写入",
    session: "只改变当前会话",
  },
  config: ["配置项", "环境变量", "默认值", "含义"],
  locale: "取自系统语言",
  meaning: (text, expected) => `${text}（${EXPECTED_ZH[expected] ?? expected.replace(/ s$/, " 秒")}）`,
};

export const words = { en, zh } as const;
