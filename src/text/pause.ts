import { byReader, command, say, theirHand } from "./reader.ts";

/** What is said while a demand waits for its person's decision (contract §6), and what is said about the outcome. */
export const pauseEn = {
  heading: (author: string) => `The demand as it would go out, word for word. ${author}:`,
  inData: (author: string) => `\`formulated_text\` holds the demand as it would go out, word for word. ${author}.`,
  decideBy: (time: string) => `Without a decision, it is withdrawn at ${time}.`,
  autoAt: (time: string) => `Without a decision, the backend broadcasts it at ${time}.`,
  keptBy: (pid: number) =>
    `When your client closes this server, another program of yours (pid ${pid}) goes on watching this demand.`,
  passed: "The time to decide may be over; the backend will say.",
  ask: "Show the person the whole text, ask, and call again with their decision: accept, edit (with confirmed_text) or reject.",
  again: "Call again: the person is asked again.",
  inBackground: "The person is asked in the background while this demand's task runs; once it has ended, call again.",
  decides: byReader({
    model: (where: string) => `The person reads it and decides ${where}`,
    person: (where) => `Read it and decide ${where}`,
  }),
  orDecides: byReader({
    model: (where: string) => `Or they read it and decide ${where}`,
    person: (where) => `Or read it and decide ${where}`,
  }),
  onPage: "on the page that has opened in their browser.",
  atAddress: (url: string) => `on this page, in their own browser: ${url}`,
  throughTunnel: (url: string) => `on this page, in a browser that reaches this machine (by a tunnel): ${url}`,
  pageAgain: (tool: string) => `on their page: call ${tool} with this negotiation_id to open it.`,
  signIn: (url: string) => `at this address, where they sign in once with their Towow token: ${url}`,
  signInAgain: (tool: string) => `on their page: call ${tool} with this negotiation_id to get its address.`,
  inChat: "on the page at this result, if this client draws it.",
  inTerminal: byReader({
    model: (id: string) => say`in a terminal on this machine: ${command("confirm", id)}`,
    endpoint: (id) => say`${theirHand(command("confirm", id))}`,
  }),
  notInForm: "This client's forms cannot show the whole text, so none was opened.",
  editNotInForm: byReader({
    model:
      "A form cannot decide on an AI's text, and this client cannot open a page. In the terminal, press e, then enter the text.",
    endpoint: "A form cannot decide on an AI's text, and this client cannot open a page.",
  }),
  noTool: "None of the tools this client may call takes the decision.",
  readsOnly: byReader({
    model: say`The profile read_only is set: nothing can be broadcast from here, only withdrawn. ${command("config")} shows where the profile is set.`,
    endpoint: "The profile read_only is set: nothing can be broadcast from here, only withdrawn.",
  }),
  noCommand: "A command never decides for you.",
  keptHere: say`This client starts a server for each call, and no other program of yours watches the demand: it is withdrawn when this call is over. To keep one open, run ${command("open")} beside it, then submit the demand again.`,
  strict: "Under this policy the person decides themselves. No form counts, and no AI confirms it.",
  tainted:
    "Text that others wrote has been read here within the last day, so no AI can pass on a yes; it can only withdraw the demand.",
  notOwn: "This was not submitted here, so no AI and no form decides on it.",
  notPassedOn: "This sign-in lets no AI pass on a yes.",
  tooLong: "The text is too long for a result, so no AI shows it.",
  commandEnds:
    "Nobody can be asked here, so this command withdraws the demand when it ends. Run it in a terminal, which asks, or submit the demand in your client.",
  undecided: "Not decided yet: nothing was sent.",
  moving: byReader({
    model: "Confirmed. Use towow_status with wait to follow it.",
    person: say`Confirmed. Follow it live: ${command("watch")}`,
  }),
  sent: (author: string) => `What goes out: ${author}.`,
  sentInstead: (author: string) =>
    `What goes out is not the network's text. ${author}; \`difference\` shows how it differs: [-taken out-] {+put in+}.`,
  ready: (state: string) => `The demand is not written up yet (${state}). Call again to keep waiting.`,
};

export const pauseZh: typeof pauseEn = {
  heading: (author) => `将要发出的需求，一字不差。${author}：`,
  inData: (author) => `将要发出的需求在 \`formulated_text\` 里，一字不差。${author}。`,
  decideBy: (time) => `如不决定，将于 ${time} 自动撤回。`,
  autoAt: (time) => `如不决定，后端将于 ${time} 自行广播。`,
  keptBy: (pid) => `客户端关闭这个服务器后，由你的另一个程序（pid ${pid}）继续守着这个需求。`,
  passed: "决定时间可能已过，以后端为准。",
  ask: "请把全文给当事人看，询问后带上其决定再次调用：accept（接受）、edit（修改，附 confirmed_text）或 reject（撤回）。",
  again: "再次调用即可重新询问当事人。",
  inBackground: "这个需求的后台任务运行期间会询问当事人；如果任务已不在运行，请再次调用。",
  decides: byReader({
    model: (where) => `请当事人阅读并决定：${where}`,
    person: (where) => `请阅读并决定：${where}`,
  }),
  orDecides: byReader({
    model: (where) => `或者由当事人阅读并决定：${where}`,
    person: (where) => `或者阅读并决定：${where}`,
  }),
  onPage: "在浏览器里已打开的页面上。",
  atAddress: (url) => `在自己的浏览器里打开 ${url}`,
  throughTunnel: (url) => `在能连到这台机器的浏览器里（例如经由隧道）打开 ${url}`,
  pageAgain: (tool) => `在自己的页面上（用这个 negotiation_id 调用 ${tool} 即可打开）。`,
  signIn: (url) => `打开这个地址，用通爻令牌登录一次：${url}`,
  signInAgain: (tool) => `在自己的页面上（用这个 negotiation_id 调用 ${tool} 即可得到地址）。`,
  inChat: "在这个结果旁的页面上（如果客户端显示了它）。",
  inTerminal: byReader({
    model: (id) => say`在这台机器的终端里运行 ${command("confirm", id)}`,
    endpoint: (id) => say`${theirHand(command("confirm", id), "操作")}`,
  }),
  notInForm: "这个客户端的表单无法完整显示这段文本，所以不在表单里询问。",
  editNotInForm: byReader({
    model: "AI 写的文本不在表单里决定，而这个客户端打不开页面。在终端里选 e，再输入文本。",
    endpoint: "AI 写的文本不在表单里决定，而这个客户端打不开页面。",
  }),
  noTool: "这个客户端能调用的工具都不能提交决定。",
  readsOnly: byReader({
    model: say`当前设置为只读（profile read_only）：不能广播，只能撤回。${command("config")} 会显示 profile 在哪里设置。`,
    endpoint: "当前设置为只读（profile read_only）：不能广播，只能撤回。",
  }),
  noCommand: "命令不会替你决定。",
  keptHere: say`这个客户端每次调用都会重新启动服务器，而你没有别的程序守着这个需求：这次调用一结束就会撤回它。要留住需求，请先在旁边运行 ${command("open")}，再重新提交。`,
  strict: "当前策略要求本人亲手确认：表单不算数，AI 也无法代为确认。",
  tainted: "一天之内这里读到过他人所写的文本，因此 AI 不能转达同意，只能撤回。",
  notOwn: "这不是从这里提交的，AI 和表单都不能替它做决定。",
  notPassedOn: "这次登录没有允许 AI 转达同意。",
  tooLong: "文本太长，结果里放不下，因此 AI 不展示它。",
  commandEnds: "这里没有人可以询问，因此命令结束时会撤回这个需求。请在终端里运行（会当场询问），或在客户端里提交。",
  undecided: "尚未决定，什么都没有发送。",
  moving: byReader({
    model: "已确认。用 towow_status 的 wait 跟进。",
    person: say`已确认。实时跟踪：${command("watch")}`,
  }),
  sent: (author) => `发出的文本：${author}。`,
  sentInstead: (author) => `发出的不是网络撰写的文本。${author}；与原文的差异见 \`difference\`：[-删去-] {+加入+}。`,
  ready: (state) => `网络还没有补充完需求（${state}）。再次调用即可继续等待。`,
};
