/** What the commands that look at and change this machine's settings say: call, config, forget, mode, whoami. */
const en = {
  call: {
    withdrawn: (id: string) =>
      `${id} is withdrawn now: text of other agents has been read here within a day, and when this command has ended nothing would stop the backend from broadcasting it. Submit it in your client, and decide there.`,
    leftOpen: (id: string, time: string) =>
      `${id} waits for your decision: towow-mcp confirm ${id}\nUndecided, the backend broadcasts it by itself at ${time}.`,
    problem: {
      notJson: "it is not JSON",
      notObject: "it is not a JSON object",
      notPair: "it is neither a JSON object nor key=value",
      tooLong: (bytes: number) => `it is longer than ${bytes} bytes`,
      id: "it is neither a text nor a number",
      tool: "it is not the name of a tool",
    },
  },
  warning: {
    config_corrupt: (path: string, kept: string | undefined) =>
      kept === undefined ? `${path} is not JSON and counts as empty.` : `${path} was not JSON; it is kept as ${kept}.`,
    config_unreadable: (path: string, reason: string) => `${path} cannot be read (${reason}) and counts as empty.`,
    config_exposed: (path: string) => `Others may read ${path}, and that could not be changed.`,
  },
  source: { flag: "command line", environment: "environment", file: "file", default: "default" },
  config: {
    none: "–",
    refused: (expected: string, where: string) => `refused: it takes ${expected} (${where})`,
    set: (key: string, value: string | undefined) => `${key} is now ${value}.`,
    unset: (key: string, value: string | undefined) =>
      value === undefined ? `${key} is no longer in the file.` : `${key} is no longer in the file; it is now ${value}.`,
    notSet: (key: string) => `${key} is not in the file.`,
    ignored: (where: string, value: string) => ` (${where}: ${value} is looser and not followed)`,
    overridden: (key: string, where: string, value: string) => `But ${where} wins: ${key} stays ${value} here.`,
    looser: (key: string, from: string, to: string) =>
      `confirmation_policy is strict. This loosens what it protects: ${key} from ${from} to ${to}.`,
    typeYes: 'Type "yes" to change it: ',
    unchanged: "Nothing was changed.",
    needsTerminal: "Loosening the policy needs a person: run this in a terminal.",
    secretOnStdin: (key: string) =>
      `A secret on a command line is seen by others. Give it on stdin: towow-mcp config set ${key} -`,
    identity: (key: string) => `${key} belongs to your identity. To be rid of it: towow-mcp forget --identity`,
    ownState: (key: string) => `${key} is kept by the program itself and cannot be set.`,
  },
  mode: {
    is: (mode: string, source: string) => `${mode} (${source})`,
  },
  whoami: {
    user_id: "User id",
    backend: "Backend",
    token: "Token",
    scene: "Last scene",
    negotiation: "Last negotiation",
    mode: "Mode",
    home: "Home",
    browser: "Browser",
    browserSince: (name: string, time: string) => `${name}, let in ${time}`,
    none: "none yet",
    noBackend: "none configured",
    backendRefused: "refused, see below",
    token_none: "none",
    token_kept: "kept",
    token_until: (time: string) => `kept, until ${time}`,
    token_expired: (time: string) => `expired ${time}; the next call renews it`,
    token_given: (where: string) => `from ${where}`,
  },
  forget: {
    will: (home: string) => `In ${home} this will be erased:`,
    history: (n: number) => `the history: ${n} ${n === 1 ? "negotiation" : "negotiations"}`,
    identity:
      "your identity: ids and tokens of every backend, the key for HTTP, the scene joined last, config files kept aside",
    logs: "the logs",
    browsers: "the browsers that you have let in, or that wait for it",
    browser: (name: string) => `${name} decides for you no more.`,
    noBrowser: (name: string) => `No browser called ${name} decides for you; towow-mcp whoami shows those that do.`,
    stray: (n: number) => `${n} ${n === 1 ? "temporary file" : "temporary files"} that a killed program left`,
    link: (path: string, target: string) => `the link ${path} itself; what it leads to stays: ${target}`,
    linkedHome: (home: string, target: string) =>
      `${home} is a link, and forget follows none. Name the folder itself: TOWOW_HOME=${target}`,
    lostIdentity: "The network keeps your old id and profile; you will get another id.",
    open: (ids: string) =>
      `Still waiting for your decision: ${ids}. Forgotten, nobody here can decide on or withdraw it.`,
    openSubmit: "A demand was submitted a short time ago and its answer is not known yet.",
    decideFirst: "Decide first (towow-mcp confirm), or add --force.",
    nothing: "There is nothing to forget.",
    ask: 'Type "yes" to erase it: ',
    needsYes: "Without a terminal this needs --yes.",
    needsTerminal: "Under the policy strict, --force needs a person: run this in a terminal.",
    kept: "Nothing was erased.",
    done: "Erased.",
  },
  logs: {
    time: "Time",
    what: "What",
    result: "Result",
    took: "Took",
    details: "Details",
    warning: "warning",
    error: "error",
    unreadable: "(not a log line)",
    none: "Nothing has been logged yet.",
  },
  open: {
    at: (address: string) => `The negotiation room: ${address}\nThe address opens once, in one browser.`,
    opened: "It has opened in your browser.",
    notTerminal: "No browser could be opened. The address is for a person: run this in a terminal.",
    stop: "Ctrl-C ends it; a demand that you have not decided on is withdrawn then.",
  },
  serve: {
    homeKey: (path: string) =>
      `Clients send their own Towow token as Authorization: Bearer <token>. To act as the person of this machine, a client\nsends the key in ${path} instead. Anybody who has the key is you.`,
  },
};

const zh: typeof en = {
  call: {
    withdrawn: (id) =>
      `${id} 现在被撤回：一天之内这里读到过其他 Agent 的文本，而命令结束后没有程序能在后端广播前撤回它。请在客户端里提交并决定。`,
    leftOpen: (id, time) => `${id} 在等你决定：towow-mcp confirm ${id}\n若不决定，后端将在 ${time} 自行广播。`,
    problem: {
      notJson: "不是 JSON",
      notObject: "不是 JSON 对象",
      notPair: "既不是 JSON 对象，也不是 key=value",
      tooLong: (bytes) => `超过 ${bytes} 字节`,
      id: "既不是文本也不是数字",
      tool: "不是工具名",
    },
  },
  warning: {
    config_corrupt: (path, kept) =>
      kept === undefined ? `${path} 不是 JSON，按空文件处理。` : `${path} 不是 JSON，已另存为 ${kept}。`,
    config_unreadable: (path, reason) => `${path} 无法读取（${reason}），按空文件处理。`,
    config_exposed: (path) => `其他人可以读取 ${path}，且无法更改其权限。`,
  },
  source: { flag: "命令行", environment: "环境变量", file: "文件", default: "默认" },
  config: {
    none: "–",
    refused: (expected, where) => `已拒绝：应为 ${expected}（${where}）`,
    set: (key, value) => `${key} 现在是 ${value}。`,
    unset: (key, value) =>
      value === undefined ? `${key} 已从文件中移除。` : `${key} 已从文件中移除，现在是 ${value}。`,
    notSet: (key) => `文件中没有 ${key}。`,
    ignored: (where, value) => `（${where}：${value} 更宽松，不予采用）`,
    overridden: (key, where, value) => `但 ${where} 优先：这里 ${key} 仍是 ${value}。`,
    looser: (key, from, to) => `confirmation_policy 为 strict。这会放宽它的保护：${key} 从 ${from} 改为 ${to}。`,
    typeYes: "输入 yes 以更改：",
    unchanged: "没有任何更改。",
    needsTerminal: "放宽策略需要本人：请在终端中运行。",
    secretOnStdin: (key) => `命令行里的密钥会被他人看到。请从标准输入提供：towow-mcp config set ${key} -`,
    identity: (key) => `${key} 属于你的身份。要清除它：towow-mcp forget --identity`,
    ownState: (key) => `${key} 由程序自己维护，不能设置。`,
  },
  mode: {
    is: (mode, source) => `${mode}（${source}）`,
  },
  whoami: {
    user_id: "用户标识",
    backend: "后端",
    token: "令牌",
    scene: "最近的场景",
    negotiation: "最近的协商",
    mode: "模式",
    home: "目录",
    browser: "浏览器",
    browserSince: (name, time) => `${name}，准许于 ${time}`,
    none: "还没有",
    noBackend: "未配置",
    backendRefused: "不可用，原因见下",
    token_none: "无",
    token_kept: "已保存",
    token_until: (time) => `已保存，有效期至 ${time}`,
    token_expired: (time) => `已于 ${time} 过期，下次调用时更新`,
    token_given: (where) => `来自 ${where}`,
  },
  forget: {
    will: (home) => `将从 ${home} 中清除：`,
    history: (n) => `历史记录：${n} 个协商`,
    identity: "你的身份：各后端的标识和令牌、HTTP 密钥、最近加入的场景、另存的配置文件",
    logs: "日志",
    browsers: "已准许或等待准许的浏览器",
    browser: (name) => `${name} 不能再替你做决定。`,
    noBrowser: (name) => `没有名为 ${name} 的浏览器可以替你做决定；towow-mcp whoami 会列出现有的。`,
    stray: (n) => `${n} 个因程序被终止而留下的临时文件`,
    link: (path, target) => `链接 ${path} 本身；它指向的内容保留：${target}`,
    linkedHome: (home, target) => `${home} 是一个链接，forget 不跟随链接。请直接指定该文件夹：TOWOW_HOME=${target}`,
    lostIdentity: "网络中仍保留你原来的标识和 Profile；你将得到新的标识。",
    open: (ids) => `仍在等你决定：${ids}。清除之后，这里无法再对它做决定，也无法撤回。`,
    openSubmit: "不久前提交了一个需求，结果还不清楚。",
    decideFirst: "请先决定（towow-mcp confirm），或加上 --force。",
    nothing: "没有可清除的内容。",
    ask: "输入 yes 以清除：",
    needsYes: "没有终端时需要 --yes。",
    needsTerminal: "在 strict 策略下，--force 需要本人：请在终端中运行。",
    kept: "没有清除任何内容。",
    done: "已清除。",
  },
  logs: {
    time: "时间",
    what: "内容",
    result: "结果",
    took: "用时",
    details: "详情",
    warning: "警告",
    error: "错误",
    unreadable: "（不是日志行）",
    none: "还没有日志。",
  },
  open: {
    at: (address) => `协商室：${address}\n这个地址只能在一个浏览器中打开一次。`,
    opened: "已在浏览器中打开。",
    notTerminal: "打不开浏览器。地址只给本人看：请在终端中运行。",
    stop: "按 Ctrl-C 结束；届时未决定的需求会被撤回。",
  },
  serve: {
    homeKey: (path) =>
      `客户端用 Authorization: Bearer <令牌> 发送各自的 Towow 令牌。要以本机用户的身份调用，\n就改为发送 ${path} 中的密钥。谁有这个密钥，谁就是你。`,
  },
};

export type CliTexts = typeof en;
export const cliTexts = (lang: "zh" | "en"): CliTexts => (lang === "zh" ? zh : en);
