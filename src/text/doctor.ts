import { reasonIn } from "./reasons.ts";

/** What `towow-mcp doctor` says, one sentence for each finding. Commands to type are the same in every language. */
const en = {
  title: "towow-mcp doctor checks this machine and the backend, and changes nothing.",
  program: (version: string) => `towow-mcp ${version}`,
  node: (version: string, path: string) => `Node ${version} (${path})`,
  home: {
    ok: (path: string) => `The home folder ${path} is private and can be written.`,
    absent: (path: string) => `The home folder ${path} does not exist yet; the first use creates it.`,
    notFolder: (path: string) => `${path} is not a folder.`,
    exposed: (path: string, mode: string) =>
      `The home folder ${path} has mode ${mode}: others on this machine can look into it.`,
    othersFolder: (path: string, owner: string) => `The home folder ${path} belongs to ${owner}, so you cannot use it.`,
    shared: (path: string) => `The home folder ${path} is shared by everybody on this machine.`,
    unwritable: (path: string, reason: string) =>
      `The home folder ${path} cannot be written (${reason}): no id, token or decision can be kept.`,
    ownLimits: (path: string) => `TOWOW_HOME set this home: only the limits in ${path} apply.`,
    otherLimits: (usual: string, limits: string) =>
      `TOWOW_HOME set another home, where the limits of ${usual} do not apply: ${limits}.`,
  },
  config: {
    ok: "config.json is well-formed, and only you can read it.",
    wellFormed: "config.json is well-formed.",
    absent: "There is no config.json; defaults and the environment apply.",
    corrupt: (path: string, reason: string) =>
      `${path} cannot be used (${reasonIn("en", reason)}) and counts as empty. The next write keeps it aside.`,
    utf16: (path: string) =>
      `${path} is UTF-16 text: of its settings only the restrictions apply. Save it as UTF-8; nothing else writes to it.`,
    unreadable: (path: string, reason: string) => `${path} cannot be read (${reason}) and counts as empty.`,
    exposed: (path: string, mode: string) => `${path} has mode ${mode}: others on this machine can read your token.`,
    twice: (keys: string) =>
      `config.json holds ${keys} twice: the stricter value counts, or else the last one. Keep one of them.`,
    unknownKeys: (keys: string) => `config.json has keys this version does not know: ${keys}.`,
  },
  settings: {
    ok: (n: number) => (n === 0 ? "All settings are at their defaults." : `Settings given: ${n}, all valid.`),
    ignored: (where: string, value: string, kept: string) =>
      `${where}=${value} is ignored: only config.json can allow more than ${kept}.`,
    profile: (profile: string) => `The profile is ${profile}: not everything is sent.`,
    leave: "on_unconfirmed is leave: what you do not decide on is broadcast by the backend itself.",
    leaveSuspended:
      "on_unconfirmed is leave: what you do not decide on is broadcast by the backend itself. But others' text was read here within the last day: what an AI submits now, in a client without forms and pages, is withdrawn instead.",
  },
  identity: {
    ok: (id: string) => `Your id at this backend is ${id}.`,
    none: "You have no id at this backend yet; the first call asks for one.",
  },
  token: {
    kept: "A token is kept; the backend did not say how long it is valid.",
    until: (time: string) => `A token is kept, valid until ${time}.`,
    expired: (time: string) => `The token expired ${time}; the next call renews it.`,
    given: (where: string) => `The token comes from ${where}.`,
    none: "No token is kept yet; the first call asks for one.",
    otherOrigin: (origin: string) => `TOWOW_API_TOKEN belongs to ${origin} and is not sent to this backend.`,
  },
  proxy: {
    none: "No proxy is set.",
    used: (name: string, url: string) => `Requests go through ${url} (${name}).`,
    bypassed: (host: string) => `A proxy is set, and NO_PROXY leaves ${host} out.`,
    loopback: (url: string, host: string) => `Requests to ${host} on this machine go through the proxy ${url}.`,
  },
  documents: {
    fetched: (host: string) =>
      `The document of a program was fetched from ${host}: programs that have one can sign in.`,
    notFetched: (host: string) =>
      `The document of a program could not be fetched from ${host}: Claude and others that have one cannot sign in here.`,
  },
  environment: {
    between: ", ",
    read: (variables: string) => `Node itself reads ${variables}; config.json does not restrict that.`,
    unchecked: (variable: string) => `${variable} is not followed: certificates are always checked.`,
    debug: (variable: string) => `${variable} is not followed: it would write your demands into your client's log.`,
    relative: (variable: string, value: string) =>
      `${variable} must name full paths: “${value}” leads into the folder that is open. Until then no network but the sandbox is asked.`,
  },
  clients: {
    none: "No MCP client that setup knows was found.",
    absent: (client: string) => `${client} is installed; towow-mcp is not set up in it.`,
    there: (client: string, path: string) => `${client} starts towow-mcp (${path}).`,
    nothing: (client: string, path: string) => `${client} refuses ${path}, because nothing is in it.`,
    endpoint: (client: string, url: string, path: string) => `${client} calls the endpoint ${url} (${path}).`,
    remote: (client: string, path: string) => `${client} has an entry of its own for towow (${path}).`,
    gone: (client: string, command: string) => `${client} would start ${command}, which is not there.`,
    otherCopy: (client: string, theirs: string, own: string) =>
      `${client} starts the copy of version ${theirs}; this is ${own}.`,
    update: "Update this program, as its README says.",
    newerCopy: (client: string, theirs: string, own: string) =>
      `This towow-mcp (${own}) is older than the copy that ${client} starts (${theirs}).`,
    npx: (client: string, path: string) =>
      `${client} starts towow-mcp by npx (${path}), which runs what a project's own folder holds under that name.`,
    ownNetwork: (client: string, network: string, path: string) =>
      `${client} stays with ${network}, which its own entry names (${path}), whatever towow-mcp network says.`,
    leftOver: (path: string) => `No client starts the copy ${path}.`,
  },
  backend: {
    none: "No network has been chosen.",
    asleep: "The network is the sandbox of this machine; it starts with the first call.",
    ok: (url: string, where: string) => `The backend ${url} answers (address from ${where}).`,
    wantsToken: (url: string) =>
      `${url} answers but wants a valid token first, so it is not clear yet whether it is a Towow backend.`,
    fails: (url: string, status: number) => `${url} answers, but fails (${status}). Try again in a moment.`,
    busy: (url: string, status: number) => `${url} answers, but is busy (${status}). Try again in a moment.`,
    refuses: (url: string, status: number) =>
      `${url} answers, but refuses to be read (${status}), which a Towow backend does not do.`,
    noToken: "Your first call gets a token from this backend. Run doctor again after that to check the rest.",
    accepted: "The backend accepts your token.",
    tokenUnsent: (where: string) =>
      `The token from ${where} has not been used here yet, and doctor does not use it first, so it may or may not be valid.`,
    tokenUnasked: "The backend answers without a token too, so doctor cannot tell whether it accepts yours.",
    rejected: "The backend does not accept the saved token. The next call tries to renew it.",
    rejectedGiven: (where: string) => `The backend does not accept the token from ${where}.`,
    forbidden: (url: string) => `${url} does not let your token read anything (403).`,
    foreign: (url: string) => `Something answers at ${url}, but it is not a Towow backend: it has no negotiations.`,
    endpoints: (has: string) => `It has: ${has}.`,
    missing: (lacks: string) => `It lacks: ${lacks}. That is normal for today's backend: join by scene id.`,
    lacksPause: (lacks: string) => `It lacks: ${lacks}. You could neither confirm nor withdraw a demand there.`,
    unclear: (names: string) => `Not checked, for lack of a valid token: ${names}.`,
    names: {
      between: ", ",
      negotiation: "negotiations",
      scenes: "list of scenes",
      agents: "list of agents",
      token: "tokens",
      confirm: "confirm",
      action: "cancel",
    },
  },
  clock: {
    ok: "This machine's clock and the backend's agree.",
    unknown: "The backend does not tell its time, so the clocks could not be compared.",
    skewed: (seconds: number) =>
      `This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? "behind" : "ahead of"} the backend's: tokens and deadlines come out wrong.`,
  },
  pauses: {
    none: "No demand is waiting for your decision.",
    withdrawn: (id: string, time: string) =>
      `${id} waits for your decision. Without one, a running program withdraws it at ${time}.`,
    broadcast: (id: string, time: string) =>
      `${id} waits for your decision. Without one, the backend broadcasts it at ${time}, as on_unconfirmed leave says.`,
    unguarded: (id: string, time: string) =>
      `By the records here, ${id} waits for your decision, and no program watches it: at ${time} the backend would broadcast it.`,
    noSending: (id: string) => `Your no to ${id} is saved, and a running program sends it.`,
    noUnsent: (id: string) => `Your no to ${id} is saved, but no running program sends it now.`,
    withdrawing: (id: string) => `${id} is being withdrawn.`,
    withdrawalUnsent: (id: string) => `${id} should have been withdrawn, but no running program is doing that.`,
    yesSending: (id: string) =>
      `Your yes to ${id} is saved, and a running program sends it; it is not known yet whether it has arrived.`,
    yesUnsent: (id: string) => `Your yes to ${id} is saved, but no running program sends it now.`,
    notFolder: (path: string) => `${path} is not a folder: your negotiations cannot be saved.`,
    unreadable: (path: string, reason: string) => `${path} cannot be read (${reason}).`,
  },
  log: {
    none: (path: string) => `Nothing has been logged yet in ${path}.`,
    ok: (path: string) => `The log is ${path}, with no failure in it.`,
    failures: (path: string) => `The log is ${path}. The last failures in it:`,
    unreadable: (path: string, reason: string) => `The log ${path} cannot be read (${reason}).`,
  },
  source: { flag: "the command line", environment: "the environment", file: "config.json", default: "the default" },
  done: (problems: number, warnings: number, unchecked: number) => {
    const count = (n: number, one: string, more = `${one}s`) => (n === 0 ? [] : [`${n} ${n === 1 ? one : more}`]);
    const parts = [
      ...count(problems, "problem"),
      ...count(warnings, "warning"),
      ...count(unchecked, "check could not be made", "checks could not be made"),
    ];
    return parts.length === 0 ? "Everything is in order." : `${parts.join(", ")}.`;
  },
};

const zh: typeof en = {
  title: "towow-mcp doctor 只检查本机和后端，不更改任何内容。",
  program: (version) => `towow-mcp ${version}`,
  node: (version, path) => `Node ${version}（${path}）`,
  home: {
    ok: (path) => `目录 ${path} 仅本人可访问，并且可写。`,
    absent: (path) => `目录 ${path} 尚不存在，首次使用时创建。`,
    notFolder: (path) => `${path} 不是文件夹。`,
    exposed: (path, mode) => `目录 ${path} 的权限为 ${mode}：本机其他用户可以查看。`,
    othersFolder: (path, owner) => `目录 ${path} 属于 ${owner}：归你所有之后才能使用。`,
    shared: (path) => `目录 ${path} 由本机所有用户共用。`,
    unwritable: (path, reason) => `目录 ${path} 不可写（${reason}）：无法保存 ID、令牌和决定。`,
    ownLimits: (path) => `TOWOW_HOME 指定了这个目录：各项限制只以 ${path} 中的配置为准。`,
    otherLimits: (usual, limits) => `TOWOW_HOME 指定了另一个目录，${usual} 的限制在这里不生效：${limits}。`,
  },
  config: {
    ok: "config.json 格式正确，仅本人可读。",
    wellFormed: "config.json 格式正确。",
    absent: "没有 config.json，使用默认值和环境变量。",
    utf16: (path) => `${path} 是 UTF-16 编码，其中只有各项限制有效。请另存为 UTF-8；程序不会改写它。`,
    corrupt: (path, reason) => `无法使用 ${path}（${reasonIn("zh", reason)}），按空文件处理；下次写入时会另存原文件。`,
    unreadable: (path, reason) => `${path} 无法读取（${reason}），按空文件处理。`,
    exposed: (path, mode) => `${path} 的权限为 ${mode}：本机其他用户可以读到你的令牌。`,
    twice: (keys) => `config.json 中 ${keys} 出现了两次：以更严格的值为准，否则以后一个为准。请只保留一处。`,
    unknownKeys: (keys) => `config.json 中有此版本不认识的配置项：${keys}。`,
  },
  settings: {
    ok: (n) => (n === 0 ? "所有配置均为默认值。" : `给出了 ${n} 项配置，全部有效。`),
    ignored: (where, value, kept) => `未采用 ${where}=${value}：只有 config.json 能把 ${kept} 放宽。`,
    profile: (profile) => `profile 为 ${profile}：不是所有内容都会发送。`,
    leave: "on_unconfirmed 为 leave：你没有决定的需求，后端会自行广播。",
    leaveSuspended:
      "on_unconfirmed 为 leave：你没有决定的需求，后端会自行广播。但这里最近一天内读过他人的文本：AI 现在经由没有表单和页面的客户端提交的需求，若不决定则会撤回。",
  },
  identity: {
    ok: (id) => `你在此后端的 ID 是 ${id}。`,
    none: "你在此后端还没有 ID，首次调用时获取。",
  },
  token: {
    kept: "已保存令牌，后端没有说明有效期。",
    until: (time) => `已保存令牌，有效期至 ${time}。`,
    expired: (time) => `令牌已于 ${time} 过期，下次调用时更新。`,
    given: (where) => `令牌来源：${where}。`,
    none: "还没有令牌，首次调用时获取。",
    otherOrigin: (origin) => `TOWOW_API_TOKEN 属于 ${origin}，不会发送到此后端。`,
  },
  proxy: {
    none: "没有设置代理。",
    used: (name, url) => `请求经由代理 ${url}（${name}）。`,
    bypassed: (host) => `设置了代理，但 NO_PROXY 排除了 ${host}。`,
    loopback: (url, host) => `发往本机 ${host} 的请求也会经过代理 ${url}。`,
  },
  documents: {
    fetched: (host) => `已从 ${host} 读到程序的说明文件：有说明文件的程序可以登录。`,
    notFetched: (host) => `无法从 ${host} 读取程序的说明文件：Claude 等有说明文件的程序不能在这里登录。`,
  },
  environment: {
    between: "、",
    read: (variables) => `Node 自己会读取 ${variables}，config.json 管不到。`,
    unchecked: (variable) => `${variable} 不会生效：证书始终会检查。`,
    debug: (variable) => `${variable} 不会生效：它会把你的需求写进客户端的日志。`,
    relative: (variable, value) =>
      `${variable} 里必须是完整路径：“${value}”指向当前打开的文件夹。改好之前，除沙盒外不访问任何网络。`,
  },
  clients: {
    none: "没有找到 setup 认识的 MCP 客户端。",
    absent: (client) => `已安装 ${client}；towow-mcp 还没有接入它。`,
    there: (client, path) => `${client} 会启动 towow-mcp（${path}）。`,
    nothing: (client, path) => `${path} 里什么也没有，${client} 会拒绝它。`,
    endpoint: (client, url, path) => `${client} 连接端点 ${url}（${path}）。`,
    remote: (client, path) => `${client} 里有一个自定义的 towow 条目（${path}）。`,
    gone: (client, command) => `${client} 要启动 ${command}，但它不存在。`,
    otherCopy: (client, theirs, own) => `${client} 启动的是 ${theirs} 版的副本；当前程序是 ${own} 版。`,
    update: "请按 README 更新这个程序。",
    newerCopy: (client, theirs, own) => `当前的 towow-mcp（${own}）比 ${client} 启动的副本（${theirs}）旧。`,
    npx: (client, path) => `${client} 用 npx 启动 towow-mcp（${path}），会运行项目文件夹里的同名程序。`,
    ownNetwork: (client, network, path) =>
      `${client} 的条目自己指定了网络，仍使用 ${network}（${path}），不受 towow-mcp network 的选择影响。`,
    leftOver: (path) => `没有客户端使用这个副本：${path}。`,
  },
  backend: {
    none: "还没有选择网络。",
    asleep: "使用的网络是本机的沙盒，首次调用时启动。",
    ok: (url, where) => `后端 ${url} 有应答（地址来源：${where}）。`,
    wantsToken: (url) => `${url} 可以连通，但需要有效令牌：无法确认它是不是通爻后端。`,
    fails: (url, status) => `${url} 有应答，但出错了（${status}）。请稍后再试。`,
    busy: (url, status) => `${url} 有应答，但正忙（${status}）。请稍后再试。`,
    refuses: (url, status) => `${url} 有应答，但拒绝读取（${status}）；通爻后端不会这样应答。`,
    noToken: "首次调用时会向此后端获取令牌。之后再运行一次 doctor，即可检查其余各项。",
    accepted: "后端接受你的令牌。",
    tokenUnsent: (where) => `令牌（来源：${where}）还没有在这里用过，检查不会抢先使用它：无法确认是否有效。`,
    tokenUnasked: "后端不需要令牌也有应答：无法确认它是否接受你的令牌。",
    rejected: "后端不接受已保存的令牌；下次调用时会尝试更新。",
    rejectedGiven: (where) => `后端不接受令牌（来源：${where}）。`,
    forbidden: (url) => `${url} 不允许你的令牌读取任何内容（403）。`,
    foreign: (url) => `${url} 有应答，但不是通爻后端：没有协商接口。`,
    endpoints: (has) => `具备：${has}。`,
    missing: (lacks) => `缺少：${lacks}。目前的后端就是这样：请用场景 ID 加入。`,
    lacksPause: (lacks) => `缺少：${lacks}。在那里无法确认或撤回需求。`,
    unclear: (names) => `没有有效令牌，无法检查：${names}。`,
    names: {
      between: "、",
      negotiation: "协商",
      scenes: "场景列表",
      agents: "Agent 列表",
      token: "令牌",
      confirm: "确认",
      action: "取消",
    },
  },
  clock: {
    ok: "本机时钟与后端一致。",
    unknown: "后端没有给出时间，无法比较时钟。",
    skewed: (seconds) =>
      `本机时钟比后端${seconds > 0 ? "慢" : "快"} ${Math.abs(seconds)} 秒：令牌有效期和截止时间会判断错误。`,
  },
  pauses: {
    none: "没有等待你决定的需求。",
    withdrawn: (id, time) => `${id} 在等你决定。如不决定，正在运行的程序会在 ${time} 撤回它。`,
    broadcast: (id, time) => `${id} 在等你决定。如不决定，后端会按 on_unconfirmed leave 在 ${time} 广播它。`,
    unguarded: (id, time) => `按本机记录，${id} 在等你决定，且没有程序守着：到 ${time} 后端会自行广播。`,
    noSending: (id) => `你对 ${id} 的撤回已保存，有程序在发送。`,
    noUnsent: (id) => `你对 ${id} 的撤回已保存，但现在没有程序在发送。`,
    withdrawing: (id) => `正在撤回 ${id}。`,
    withdrawalUnsent: (id) => `${id} 本应撤回，但现在没有程序在做。`,
    yesSending: (id) => `你对 ${id} 的确认已保存，有程序在发送；还不知道是否已经送达。`,
    yesUnsent: (id) => `你对 ${id} 的确认已保存，但现在没有程序在发送。`,
    notFolder: (path) => `${path} 不是文件夹：无法记录你的协商。`,
    unreadable: (path, reason) => `${path} 无法读取（${reason}）。`,
  },
  log: {
    none: (path) => `日志 ${path} 里还没有内容。`,
    ok: (path) => `日志在 ${path}，没有失败记录。`,
    failures: (path) => `日志在 ${path}，最近的失败：`,
    unreadable: (path, reason) => `日志 ${path} 无法读取（${reason}）。`,
  },
  source: { flag: "命令行", environment: "环境变量", file: "config.json", default: "默认值" },
  done: (problems, warnings, unchecked) => {
    const count = (n: number, what: string) => (n === 0 ? [] : [`${n} ${what}`]);
    const parts = [...count(problems, "个问题"), ...count(warnings, "个警告"), ...count(unchecked, "项无法检查")];
    return parts.length === 0 ? "一切正常。" : `${parts.join("，")}。`;
  },
};

export type DoctorTexts = typeof en;
export const doctorTexts = (lang: "zh" | "en"): DoctorTexts => (lang === "zh" ? zh : en);
