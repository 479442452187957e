import { reasonIn } from "./reasons.ts";

/** What the commands for this machine's settings say: call, config, forget, mode, whoami. */
const en = {
  call: {
    list: {
      example: "To call one: towow-mcp call towow_status",
      developer: "More tools: towow-mcp call --mode developer",
    },
    withdrawn: (id: string) =>
      `Withdrawing ${id}: nobody has decided on it, and once this command ends nothing would stop the backend from broadcasting it.`,
    withdrawnUndecided: (id: string) => `No decision went through. Withdrawing ${id}.`,
    leftOpen: (id: string, time: string) =>
      `${id} waits for your decision: towow-mcp confirm ${id}\nWithout a decision, the backend broadcasts it at ${time}.`,
    notFollowed: (where: string, value: string, kept: string) =>
      `${where} ${value} is ignored: only config.json can allow more than ${kept}.`,
    leaveSuspended:
      "on_unconfirmed is leave, but others' text was read here within the last day: for now, what you do not decide on is withdrawn.",
    detail: (text: string) => `Detail: ${text}`,
    cut: (path: string, uri: string) => `Shortened: ${path}; in full: ${uri}`,
    warnings: (codes: string) => `Warnings: ${codes}`,
    next: "To go on:",
    problem: {
      notJson: "it is not JSON",
      notObject: "it is not a JSON object",
      notPair: "it is neither a JSON object nor key=value; see towow-mcp call --help",
      mixed: "a JSON object stands alone, without key=value beside it",
      twice: "it is given twice",
      notKept: "nothing is kept under it for this tool; a call is kept for a day",
      tooLong: (bytes: number) => `it is longer than ${bytes} bytes`,
      id: "it is neither a text nor a number",
      tool: "it is not the name of a tool",
    },
  },
  ending: {
    withdrawing:
      "The network does not answer. This command keeps trying to withdraw until the deadline; if you stop it with Ctrl-C, the network may broadcast the text by itself.",
    arrived: "Your no has arrived.",
    notWithdrawn: (id: string) =>
      `${id} could not be withdrawn: the network did not answer, and may broadcast it by itself. Once it answers again: towow-mcp cancel ${id}`,
  },
  warning: {
    config_corrupt: (path: string, reason: string, kept: string | undefined) =>
      kept === undefined
        ? `${path} cannot be used (${reasonIn("en", reason)}) and counts as empty, except for what it restricts.`
        : `${path} could not be used (${reasonIn("en", reason)}); it is kept as ${kept}.`,
    config_unreadable: (path: string, reason: string) => `${path} cannot be read (${reason}) and counts as empty.`,
    config_exposed: (path: string) => `Others can read ${path}, and its permissions could not be changed.`,
    config_key_twice: (path: string, keys: string) =>
      `${path} holds ${keys} twice: the stricter value counts, or else the last one.`,
  },
  waitsForLock: (path: string) => `Waiting for another program that holds ${path} …`,
  source: { flag: "command line", environment: "environment", file: "file", default: "default" },
  config: {
    none: "–",
    refused: (expected: string, where: string) => `refused: it must be ${expected} (${where})`,
    set: (key: string, value: string | undefined) => `${key} is now ${value}.`,
    unset: (key: string, value: string | undefined) =>
      value === undefined ? `${key} is no longer in the file.` : `${key} is no longer in the file; it is now ${value}.`,
    notSet: (key: string) => `${key} is not in the file.`,
    ignored: (where: string, value: string) => ` (${where}: ${value} is looser and is ignored)`,
    suspended: (until: string | undefined) =>
      ` (${until === undefined ? "now" : `until ${until}`} not for what an AI submits without forms and pages: others' text was read here)`,
    overridden: (key: string, where: string, value: string) => `But ${where} wins: ${key} stays ${value} here.`,
    looser: (key: string, from: string, to: string) =>
      `confirmation_policy is strict. This would weaken it: ${key} from ${from} to ${to}.`,
    loosens: (key: string, from: string, to: string) => `This would allow more: ${key} from ${from} to ${to}.`,
    typeSecret: (key: string) => `${key}, not shown as you type: `,
    typeYes: 'Type "yes" to change it: ',
    unchanged: "Nothing was changed.",
    needsTerminal: "Only a person can allow more: run this in a terminal.",
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
    noBackend: "none chosen yet",
    backendRefused: "refused, see below",
    token_none: "none",
    token_kept: "kept",
    token_until: (time: string) => `kept, until ${time}`,
    token_expired: (time: string) => `expired ${time}; the next call renews it`,
    token_given: (where: string) => `from ${where}`,
  },
  token: {
    opens: (host: string, id: string) =>
      `${host} has issued a token for a new person, ${id}. Anybody who holds it acts as that person: joins scenes, submits demands, decides on them. It gives no access to anything of yours.`,
    until: (time: string) => `It is valid until ${time}.`,
    noEnd: "The network did not say when it expires.",
    ask: 'Show it now? It is kept nowhere, and shown this once. Type "yes": ',
    notShown: "Not shown, and kept nowhere. For another one: towow-mcp token",
    use: "Give it to that person privately. They sign in with it at your endpoint, and their client sends it as Authorization: Bearer <token>.",
  },
  forget: {
    will: (home: string) => `In ${home} this will be erased:`,
    history: (n: number) => `the history: ${n} ${n === 1 ? "negotiation" : "negotiations"}`,
    identity:
      "your identity: ids and tokens of every backend, the key for HTTP and the browsers signed in with it, the last scene, config files kept aside",
    logs: "the logs",
    browsers: "browsers you have let in, or that are waiting",
    programs: "sign-ins of programs at an endpoint of this home, and the key for them",
    sandbox: "the sandbox: it ends, and everything in it is erased",
    settings: "your settings, the network among them",
    program: "the copy of this program that setup made, and its notes",
    settingsStay: "Your settings stay: under the policy strict, only a person in a terminal can erase them.",
    taintStays:
      "The note that others' text was read here stays for up to a day: only a person in a terminal can erase it.",
    programStays: "Your clients still start the copy of this program here. To take it out: towow-mcp setup --remove",
    sandboxStays: "What is in the sandbox stays. To erase it too: towow-mcp sandbox --reset",
    browser: (name: string) => `${name} no longer decides for you.`,
    stray: (n: number) => `${n} ${n === 1 ? "temporary file" : "temporary files"} left by a program that was killed`,
    link: (path: string, target: string) => `the link ${path} itself; what it leads to stays: ${target}`,
    linkedHome: (home: string, target: string) =>
      `${home} is a link, and forget does not follow links. Name the folder itself: TOWOW_HOME=${target}`,
    lostIdentity: "The network keeps your old id and profile; you will get another id.",
    open: (ids: string) =>
      `Still waiting for your decision: ${ids}. Once forgotten, it can be neither decided on nor withdrawn here.`,
    openSubmit: "A demand was submitted a short time ago, and its outcome is not known yet.",
    decideFirst: "Decide first (towow-mcp confirm), or add --force.",
    nothing: "There is nothing to forget.",
    ask: 'Type "yes" to erase it: ',
    needsTerminal: "Under the policy strict, only a person can use --force: run this in a terminal.",
    kept: "Nothing was erased.",
    done: "Erased.",
  },
  logs: {
    warning: "warning",
    error: "error",
    status: {
      running: "running",
      asked: "asked",
      task: "task",
      completed: "completed",
      error: "error",
      cancelled: "cancelled",
    },
    unreadable: "(not a log line)",
  },
  open: {
    at: (address: string) => `The negotiation room: ${address}\nThe address opens once, in one browser.`,
    agent: (address: string) =>
      `For an outside agent: ${address}\nIt sees what you see, fills in and proposes; only you send and decide.`,
    study:
      "This is a study: each screen that the agent sees is kept in logs/study, masked. towow-mcp forget --logs erases it.",
    opened: "It has opened in your browser.",
    notOpened: "No browser could be opened, and the address is for you alone.",
    stop: {
      cancel: "Ctrl-C ends it and withdraws any demand you submitted here and have not decided on.",
      leave: "Ctrl-C ends it. A demand you have not decided on stays open, and the network may broadcast it by itself.",
    },
  },
  serve: {
    at: (address: string) => `towow-mcp serves at ${address}`,
    tokens: "Clients send their own Towow token as Authorization: Bearer <token>.",
    signIn: (address: string) =>
      `Sign-in is on (--sign-in off ends it): a client needs only the address ${address}, and its person signs in on a page.`,
    alsoTokens: "It can also send a Towow token of its own as Authorization: Bearer <token>.",
    noTokens: "A Towow token alone lets no client in (--own-tokens off).",
    homeKey: (path: string) =>
      `To act as the person of this machine, a client sends the key in ${path} instead, or you sign in with it. Anybody who has the key is you.`,
  },
};

const zh: typeof en = {
  call: {
    list: {
      example: "调用方法：towow-mcp call towow_status",
      developer: "更多工具：towow-mcp call --mode developer",
    },
    withdrawn: (id) => `正在撤回 ${id}：还没有人对它做决定，而这个命令结束后，没有程序能阻止后端广播它。`,
    withdrawnUndecided: (id) => `${id} 未作决定，正在撤回。`,
    leftOpen: (id, time) => `${id} 在等你决定：towow-mcp confirm ${id}\n如不决定，后端将于 ${time} 自行广播。`,
    notFollowed: (where, value, kept) => `未采用 ${where} ${value}：只有 config.json 能把 ${kept} 放宽。`,
    leaveSuspended: "on_unconfirmed 为 leave，但这里最近一天内读过他人的文本：在此期间，未作决定的需求不会留给网络。",
    detail: (text) => `详情：${text}`,
    cut: (path, uri) => `有删节：${path}；全文见 ${uri}`,
    warnings: (codes) => `警告：${codes}`,
    next: "接下来：",
    problem: {
      notJson: "不是 JSON",
      notObject: "不是 JSON 对象",
      notPair: "既不是 JSON 对象，也不是 key=value；用法见 towow-mcp call --help",
      mixed: "JSON 对象只能单独使用，不能同时给出 key=value",
      twice: "给出了两次",
      notKept: "其中没有为这个工具保留的调用；一次调用保留一天",
      tooLong: (bytes) => `超过 ${bytes} 字节`,
      id: "既不是文本也不是数字",
      tool: "不是工具名",
    },
  },
  ending: {
    withdrawing: "网络没有应答。这个命令会继续尝试撤回，直到截止时间；如果按 Ctrl-C 停止，网络可能自行广播这段文本。",
    arrived: "你的撤回已经送达。",
    notWithdrawn: (id) => `${id} 未能撤回：网络没有应答，可能会自行广播。网络恢复后请运行：towow-mcp cancel ${id}`,
  },
  warning: {
    config_corrupt: (path, reason, kept) =>
      kept === undefined
        ? `无法使用 ${path}（${reasonIn("zh", reason)}），按空文件处理，但其中的限制仍然有效。`
        : `无法使用 ${path}（${reasonIn("zh", reason)}），已另存为 ${kept}。`,
    config_unreadable: (path, reason) => `${path} 无法读取（${reason}），按空文件处理。`,
    config_exposed: (path) => `其他人可以读取 ${path}，且无法更改其权限。`,
    config_key_twice: (path, keys) => `${path} 中 ${keys} 出现了两次：以更严格的值为准，否则以后一个为准。`,
  },
  waitsForLock: (path) => `正在等待另一个程序释放 ${path} ……`,
  source: { flag: "命令行", environment: "环境变量", file: "文件", default: "默认" },
  config: {
    none: "–",
    refused: (expected, where) => `已拒绝：应为 ${expected}（${where}）`,
    set: (key, value) => `${key} 现在是 ${value}。`,
    unset: (key, value) =>
      value === undefined ? `${key} 已从文件中移除。` : `${key} 已从文件中移除，现在是 ${value}。`,
    notSet: (key) => `文件中没有 ${key}。`,
    ignored: (where, value) => `（${where}：${value} 更宽松，未采用）`,
    suspended: (until) =>
      `（${until === undefined ? "目前" : `${until} 前`}不用于 AI 经由没有表单和页面的客户端提交的需求：这里读过他人的文本）`,
    overridden: (key, where, value) => `但 ${where} 优先：这里 ${key} 仍是 ${value}。`,
    looser: (key, from, to) => `confirmation_policy 为 strict。这会放宽它的保护：${key} 从 ${from} 改为 ${to}。`,
    loosens: (key, from, to) => `这会放宽限制：${key} 从 ${from} 改为 ${to}。`,
    typeSecret: (key) => `${key}（输入时不显示）：`,
    typeYes: "输入 yes 以更改：",
    unchanged: "没有任何更改。",
    needsTerminal: "放宽限制需要本人：请在终端中运行。",
  },
  whoami: {
    user_id: "用户 ID",
    backend: "后端",
    token: "令牌",
    scene: "最近的场景",
    negotiation: "最近的协商",
    mode: "模式",
    home: "目录",
    browser: "浏览器",
    browserSince: (name, time) => `${name}，${time} 准许`,
    none: "还没有",
    noBackend: "尚未选择",
    backendRefused: "不可用，原因见下",
    token_none: "无",
    token_kept: "已保存",
    token_until: (time) => `已保存，有效期至 ${time}`,
    token_expired: (time) => `已于 ${time} 过期，下次调用时更新`,
    token_given: (where) => `来自 ${where}`,
  },
  token: {
    opens: (host, id) =>
      `${host} 为一位新成员 ${id} 发放了令牌。持有它的人能以这位成员的身份加入场景、提交需求并做决定，但不能访问你的任何内容。`,
    until: (time) => `有效期至 ${time}。`,
    noEnd: "网络没有说明有效期。",
    ask: "现在显示吗？它不会保存，只显示这一次。输入 yes：",
    notShown: "没有显示，也没有保存。再要一个：towow-mcp token",
    use: "请交给这位成员本人，不要让别人看到。用它可以登录你的服务；客户端这样发送：Authorization: Bearer <令牌>。",
  },
  forget: {
    will: (home) => `将从 ${home} 中清除：`,
    history: (n) => `历史记录：${n} 个协商`,
    identity: "你的身份：各后端的 ID 和令牌、HTTP 密钥和用它登录的浏览器、最近加入的场景、另存的配置文件",
    logs: "日志",
    browsers: "已准许或等待准许的浏览器",
    programs: "程序在本机端点的登录，以及相应的密钥",
    sandbox: "沙盒：将其结束，其中的内容全部清除",
    settings: "你的设置，包括所用的网络",
    program: "setup 放在这里的程序副本和记录",
    settingsStay: "设置保留：在 strict 策略下，只有本人在终端里才能清除。",
    taintStays: "这里读过他人的文本，这条记录最多保留一天：只有本人在终端里才能清除。",
    programStays: "客户端仍在启动这里的程序副本。移除方法：towow-mcp setup --remove",
    sandboxStays: "沙盒中的内容保留。一并清除：towow-mcp sandbox --reset",
    browser: (name) => `${name} 不能再替你做决定。`,
    stray: (n) => `${n} 个因程序被终止而留下的临时文件`,
    link: (path, target) => `链接 ${path} 本身；它指向的内容保留：${target}`,
    linkedHome: (home, target) => `${home} 是一个链接，forget 不跟随链接。请直接指定该文件夹：TOWOW_HOME=${target}`,
    lostIdentity: "网络中仍保留你原来的 ID 和资料；你将得到新的 ID。",
    open: (ids) => `仍在等你决定：${ids}。清除之后，这里无法再对它做决定，也无法撤回。`,
    openSubmit: "不久前提交了一个需求，结果还不清楚。",
    decideFirst: "请先决定（towow-mcp confirm），或加上 --force。",
    nothing: "没有可清除的内容。",
    ask: "输入 yes 以清除：",
    needsTerminal: "在 strict 策略下，--force 需要本人：请在终端中运行。",
    kept: "没有清除任何内容。",
    done: "已清除。",
  },
  logs: {
    warning: "警告",
    error: "错误",
    status: {
      running: "进行中",
      asked: "等待回答",
      task: "后台任务",
      completed: "完成",
      error: "错误",
      cancelled: "已取消",
    },
    unreadable: "（不是日志行）",
  },
  open: {
    at: (address) => `协商室：${address}\n这个地址只能在一个浏览器中打开一次。`,
    agent: (address) => `外部 Agent 的接入地址：${address}\n它能看到你所见，能填写和提议；发送和决定只由你来做。`,
    study: "研究已开始：Agent 看到的每个画面都会遮盖后存入 logs/study。用 towow-mcp forget --logs 清除。",
    opened: "已在浏览器中打开。",
    notOpened: "打不开浏览器，而这个地址只给你本人看。",
    stop: {
      cancel: "按 Ctrl-C 结束；届时在这里提交而尚未决定的需求会被撤回。",
      leave: "按 Ctrl-C 结束。尚未决定的需求不会撤回，网络可能自行广播。",
    },
  },
  serve: {
    at: (address) => `towow-mcp 正在提供服务：${address}`,
    tokens: "客户端用 Authorization: Bearer <令牌> 发送各自的通爻令牌。",
    signIn: (address) => `已开启登录（--sign-in off 可关闭）：客户端只要地址 ${address}，由当事人在页面上登录。`,
    alsoTokens: "也可以用 Authorization: Bearer <令牌> 发送自己的通爻令牌。",
    noTokens: "只凭通爻令牌不能进入（--own-tokens off）。",
    homeKey: (path) => `要以本机用户的身份调用，就改为发送 ${path} 中的密钥，或用它登录。谁有这个密钥，谁就是你。`,
  },
};

export type CliTexts = typeof en;
export const cliTexts = (lang: "zh" | "en"): CliTexts => (lang === "zh" ? zh : en);
