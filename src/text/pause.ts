/** What is said while a demand waits for its person's decision (contract §6), and what became of it. */
export const pauseEn = {
  heading: (author: string) => `The demand as it would go out, word for word. ${author}:`,
  inData: (author: string) => `\`formulated_text\` holds the demand as it would go out, word for word. ${author}.`,
  decideBy: (time: string) => `Without a decision, it is withdrawn at ${time}.`,
  autoAt: (time: string) => `Without a decision, the backend broadcasts it at ${time}.`,
  keptBy: (pid: number) =>
    `When your client closes this server, another program of yours (pid ${pid}) goes on watching this demand.`,
  keptHere:
    "It is withdrawn when this server ends. If your client starts a server for each call, run towow-mcp open beside it, then submit the demand again.",
  passed: "The time to decide may be over; the backend will say.",
  ask: "Show it to the person whole, ask, and call again with their decision: accept, edit (with confirmed_text) or reject.",
  again: (id: string) =>
    `Call again: the person is asked again. They can also decide in their own terminal: towow-mcp confirm ${id}`,
  inBackground: (id: string) =>
    `The person is asked in the background while this demand's task runs; once it has ended, call again. They can also decide in their own terminal: towow-mcp confirm ${id}`,
  notInForm: (id: string) =>
    `This client's forms cannot show all of it, so no form asks. The person reads it and decides in their own terminal: towow-mcp confirm ${id}`,
  editNotInForm: (id: string) =>
    `A form cannot decide on an AI's text, and this client opens no page. The person can send it from their own terminal (e, then the text): towow-mcp confirm ${id}`,
  strict: "Under this policy the person decides themselves. No form counts, and no AI confirms it.",
  signIn: (url: string) =>
    `Neither an AI's word nor a form counts here. Give the person this address: they sign in once in that browser with their Towow token, read the text and decide: ${url}`,
  signInAgain: (tool: string) =>
    `The person decides on their page: ${tool} with this negotiation_id gives its address.`,
  tainted:
    "Text that others wrote has been read here within the last day, so no AI can pass on a yes; it can only withdraw the demand.",
  notOwn: "This was not submitted here, so no AI and no form decides on it.",
  tooLong: "The text is too long for a result, so no AI shows it.",
  onPage: (id: string) =>
    `The person reads it and decides on the page that has opened in their browser, or in their own terminal: towow-mcp confirm ${id}`,
  pageAgain: (id: string, tool: string) =>
    `The person reads it and decides on their page, which ${tool} with this negotiation_id opens, or in their own terminal: towow-mcp confirm ${id}`,
  inTerminal: (id: string) =>
    `The person reads it and decides in their own terminal, on this machine: towow-mcp confirm ${id}`,
  noTool: (id: string) =>
    `No tool this client may call takes the decision. The person reads the text and decides in their own terminal: towow-mcp confirm ${id}`,
  readsOnly: (id: string) =>
    `The profile read_only is set: nothing can be broadcast from here. The person can withdraw it in their own terminal: towow-mcp confirm ${id}; towow-mcp config shows where the profile is set.`,
  terminal: (id: string) => `A command never decides for you: read it and decide with towow-mcp confirm ${id}`,
  commandEnds:
    "Nobody can be asked here, so this command withdraws the demand when it ends. Run it in a terminal, which asks, or submit the demand in your client.",
  undecided: "Not decided yet: nothing was sent.",
  moving: "Confirmed. Use towow_status with wait to follow it.",
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
  keptHere:
    "这个服务器一结束就会撤回它。如果客户端每次调用都重新启动服务器，请先在旁边运行 towow-mcp open，再重新提交。",
  passed: "决定时间可能已过，以后端为准。",
  ask: "请把全文给当事人看，询问后带上其决定再次调用：accept（接受）、edit（修改，附 confirmed_text）或 reject（撤回）。",
  inBackground: (id) =>
    `这个需求的后台任务运行期间会询问当事人；如果任务已不在运行，请再次调用。当事人也可以在自己的终端里决定：towow-mcp confirm ${id}`,
  again: (id) => `再次调用即可重新询问当事人；当事人也可以在自己的终端里决定：towow-mcp confirm ${id}`,
  notInForm: (id) =>
    `这个客户端的表单无法完整显示这段文本，所以不在表单里询问。请当事人在自己的终端里阅读并决定：towow-mcp confirm ${id}`,
  editNotInForm: (id) =>
    `AI 写的文本不在表单里决定，而这个客户端打不开页面。当事人可以在自己的终端里发送它（选 e，再输入文本）：towow-mcp confirm ${id}`,
  strict: "当前策略要求本人亲手确认：表单不算数，AI 也无法代为确认。",
  signIn: (url) =>
    `这里 AI 的话和表单都不算数。请把这个地址交给当事人：在浏览器中用通爻令牌登录一次，阅读文本并决定：${url}`,
  signInAgain: (tool) => `请当事人在自己的页面上决定：用这个 negotiation_id 调用 ${tool} 会得到它的地址。`,
  tainted: "一天之内这里读到过他人所写的文本，因此 AI 不能转达同意，只能撤回。",
  notOwn: "这不是从这里提交的，AI 和表单都不能替它做决定。",
  tooLong: "文本太长，结果里放不下，因此 AI 不展示它。",
  onPage: (id) => `请当事人在浏览器里已打开的页面上阅读并决定，也可以在自己的终端里决定：towow-mcp confirm ${id}`,
  pageAgain: (id, tool) =>
    `请当事人在自己的页面上阅读并决定（用这个 negotiation_id 调用 ${tool} 会打开它），也可以在自己的终端里决定：towow-mcp confirm ${id}`,
  inTerminal: (id) => `请当事人在这台机器上自己的终端里阅读并决定：towow-mcp confirm ${id}`,
  noTool: (id) => `这个客户端可以调用的工具都不能做这个决定。请当事人在自己的终端里阅读并决定：towow-mcp confirm ${id}`,
  readsOnly: (id) =>
    `这里设置了 profile read_only，不能广播。当事人可以在自己的终端里撤回：towow-mcp confirm ${id}；towow-mcp config 会显示 profile 在哪里设置。`,
  terminal: (id) => `命令不会替你决定：请运行 towow-mcp confirm ${id}，阅读文本后自己决定。`,
  commandEnds: "这里没有人可以询问，因此命令结束时会撤回这个需求。请在终端里运行（会当场询问），或在客户端里提交。",
  undecided: "尚未决定，什么都没有发送。",
  moving: "已确认。用 towow_status 的 wait 跟进。",
  sent: (author) => `发出的文本：${author}。`,
  sentInstead: (author) => `发出的不是网络撰写的文本。${author}；与原文的差异见 \`difference\`：[-删去-] {+加入+}。`,
  ready: (state) => `网络还没有补充完需求（${state}）。再次调用即可继续等待。`,
};
