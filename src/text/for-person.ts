import { en, type Texts } from "./en.ts";
import type { ErrorText } from "./errors/error-text.ts";
import { zh } from "./zh.ts";

/** What reads otherwise where no AI stands between this program and the person. */
export interface Others {
  errors: Partial<Record<keyof Texts["errors"], Partial<ErrorText>>>;
  state: Partial<Texts["state"]>;
  note: Partial<Texts["note"]>;
  pause: Partial<Texts["pause"]>;
  task?: Partial<Texts["task"]>;
  pageQuestion?: Partial<Texts["pageQuestion"]>;
  join: Partial<Texts["join"]>;
  permission: Partial<Texts["permission"]>;
  status: Partial<Texts["status"]>;
  unshown: Partial<Texts["unshown"]>;
  dryRun: Texts["dryRun"];
  nothingBefore: string;
}

const LIST = "towow-mcp list";
const EN_JOIN = "To join one: towow-mcp open";
const ZH_JOIN = "加入方法：towow-mcp open";
const EN_ON_PAGE = "A page has opened in your browser. Once you have decided there, try again.";
const ZH_ON_PAGE = "页面已在你的浏览器里打开。在那里决定后请重试。";

const enPerson: Others = {
  state: {},
  errors: {
    "tool.input.invalid.intent_empty": {
      recovery: "Say what you need, for example: towow-mcp call towow_demand intent='I need a designer'",
    },
    "tool.input.invalid.unknown_tool": {
      recovery: "The tools are: {known}. How to call one: towow-mcp call --help",
    },
    "tool.input.invalid.demand_incomplete": {
      recovery: "Give intent for a new demand. To decide on one that waits: towow-mcp confirm",
    },
    "tool.scene.not_found.none_joined": {
      recovery: "See which there are: towow-mcp scenes. Then add scene_id= and its id to this command.",
    },
    "tool.scene.not_found.no_match": {
      message: "There is no scene called {scene}. Those that exist are listed below.",
      recovery: "Name one of them, preferably by its id.",
    },
    "tool.scene.conflict.ambiguous": { recovery: "Name the one you mean by its id." },
    "tool.scene.unavailable.cannot_list": {
      recovery: "Use the scene's id (scene_ and 12 letters or digits); its organiser has it.",
    },
    "tool.negotiation.invalid.confirmation_id": {
      recovery: "Read the text that waits and decide: towow-mcp confirm {negotiation_id}",
    },
    "tool.negotiation.invalid.confirmed_text_empty": {
      recovery: "Write the text to send, or make another decision.",
    },
    "tool.negotiation.invalid.two_texts": {
      recovery: "Decide which text goes out: towow-mcp confirm",
    },
    "tool.negotiation.conflict.already_decided": {
      recovery: `See where it stands: ${LIST}. For anything else, submit a new demand.`,
    },
    "tool.negotiation.unavailable.no_on_its_way": {
      recovery:
        "If no program keeps running here, do it again once the backend answers: towow-mcp cancel {negotiation_id}",
    },
    "tool.negotiation.conflict.not_waiting": { recovery: `See where it stands: ${LIST}` },
    "tool.negotiation.conflict.not_formulated": { recovery: `See where it stands: ${LIST}` },
    "tool.negotiation.conflict.already_completed": { recovery: `See how it ended: ${LIST}` },
    "tool.negotiation.conflict.submit_outcome_open": {
      recovery: "To send it again anyway, add allow_duplicate=true; otherwise wait {minutes} min.",
    },
    "tool.policy.blocked.confirmation_required": {
      message: "A command never decides for you, whatever its arguments.",
      recovery: "Decide in a terminal: towow-mcp {args}",
      recoveryOnPage: EN_ON_PAGE,
    },
    "tool.policy.blocked.in_no_form": {
      message: "No form shows all of it, so you have not been asked. Nothing was sent.",
      recovery: "Run it in a terminal: towow-mcp {args}",
      recoveryOnPage: EN_ON_PAGE,
    },
    "tool.policy.blocked.too_many_windows": { recovery: "Run it in a terminal: towow-mcp {args}" },
    "tool.policy.blocked.tainted": {
      recovery: "Run it in a terminal: towow-mcp {args}",
      recoveryOnPage: EN_ON_PAGE,
    },
    "tool.policy.blocked.decide_on_page": {
      message: "You decide this on your own page. Nothing was sent.",
      recovery:
        "Open {url} There you sign in once with your Towow token, read all of it and decide. Then run the same command again, within ten minutes.",
    },
    "tool.policy.blocked.not_submitted_here": {
      recovery: "You can read it, and decide on it in a terminal: towow-mcp {args}",
      recoveryOnPage: EN_ON_PAGE,
    },
    "tool.policy.blocked.inactive_tool": {
      recovery:
        "Add --mode developer to this command, or list every tool from now on: towow-mcp config set mode developer",
    },
    "tool.policy.blocked.inactive_toolset": {
      recovery: "Set TOWOW_TOOLSET to {toolset}, or to all, and run it again.",
    },
    "tool.policy.blocked.tool_left_out": {
      recovery: "Change {setting} where towow-mcp config shows that it is set, and run it again.",
    },
    "tool.policy.blocked.reference_unseen": {
      recovery: "Read the text whole. Only what you want to say yourself goes into {argument}, as text.",
    },
    "tool.policy.blocked.mode_pinned": {
      message: "The mode {mode} is fixed for this command.",
      recovery: "Leave out --mode, and TOWOW_MODE where it is set, and run it again.",
    },
    "tool.policy.blocked.profile": {
      message: "The profile {profile} only lets you read. Nothing was sent.",
      recovery: "Choose another with --profile, or change it where towow-mcp config shows that it is set.",
    },
    "tool.policy.blocked.offline": {
      recovery:
        "Use this machine (towow-mcp network sandbox), or another profile: towow-mcp config shows where it is set.",
    },
    "tool.policy.blocked.dry_run": {
      recovery: "To send it, set profile to live; towow-mcp config shows where it is set.",
    },
    "tool.budget.blocked.negotiations": { recovery: "towow-mcp config shows the limit, budget_max_negotiations." },
    "tool.budget.blocked.backend_requests": {
      recovery: "towow-mcp config shows the limit, budget_max_backend_requests.",
    },
    "tool.auth.unauthorized.token_rejected": { recovery: "Check your token for this backend: towow-mcp whoami" },
    "tool.auth.blocked.dry_run": {
      recovery:
        "Make one call with profile set to live: it gets a token for later dry runs. Where it is set: towow-mcp config",
    },
    "tool.auth.blocked.forbidden": { recovery: "Check whether this account may do it: towow-mcp whoami" },
    "tool.backend.blocked.connection": { recovery: "What to change: towow-mcp doctor" },
    "tool.backend.invalid.not_http": {
      recovery: "Correct the address, https or http and the port included: towow-mcp network",
    },
    "tool.backend.timeout.submit_outcome_unknown": {
      recovery:
        "The same demand is refused for ten minutes unless allow_duplicate=true is added. What is known of it: towow-mcp list",
    },
  },
  note: {
    confirmed_text_kept: "The other text is kept for this demand.",
    review_pending: "This result is worth a second look: towow-mcp reviews",
  },
  pause: {
    moving: "Confirmed. Follow it live: towow-mcp watch",
    decides: (where) => `Read it and decide ${where}`,
    orDecides: (where) => `Or read it and decide ${where}`,
  },
  join: {
    first: (isFound) =>
      `${isFound ? "Scene found; scene_name is what its owner calls it." : "The id was not looked up: sending the profile shows whether the scene exists."} To join, call again with display_name and profile_data; the guiding prompt says what goes into it.`,
    found: (found, all) =>
      found === 0
        ? `No scene contains these words; there ${all === 1 ? "is one" : `are ${all}`}. ${EN_JOIN}`
        : `${found === 1 ? "1 scene" : `${found} scenes`} found. ${EN_JOIN}`,
  },
  permission: {
    refused: "You said no: nothing was sent.",
    undecided: "Not decided: nothing was sent. Run it again if you want to.",
    stopRefused: "You said no: it was not withdrawn.",
    stopUndecided: "Not decided: it was not withdrawn. Run it again if you want to.",
  },
  status: { short: "Use view=full for all of it.", others: "Names, offers and the plan were written by others." },
  unshown: {
    open: (id) =>
      `Try again in a moment. If this goes on, the backend cannot show this demand and nobody can decide on it: withdraw it (towow-mcp cancel ${id}), reword it and submit it again.`,
  },
  dryRun: (method, url) => `Dry run: nothing was sent. It would have been ${method} ${url}, with the body below.`,
  nothingBefore: "Nothing is broadcast before you decide on the network's text.",
};

const zhPerson: Others = {
  /** A tool's summary keeps the contract's sentence. */
  state: { formulated: "文本已准备好，等你决定。" },
  errors: {
    "tool.input.invalid.intent_empty": {
      recovery: "请写出你的需求，例如：towow-mcp call towow_demand intent='想找一位设计师'",
    },
    "tool.input.invalid.unknown_tool": { recovery: "现有工具：{known}。用法见 towow-mcp call --help" },
    "tool.input.invalid.demand_incomplete": {
      recovery: "提交新需求请给 intent。对等待中的需求做决定：towow-mcp confirm",
    },
    "tool.scene.not_found.none_joined": {
      recovery: "先看有哪些场景：towow-mcp scenes，再在这条命令后面加上 scene_id= 和它的 ID。",
    },
    "tool.scene.not_found.no_match": {
      message: "没有名为 {scene} 的场景。现有的场景列在下面。",
      recovery: "请改用其中一个，最好用它的 ID。",
    },
    "tool.scene.conflict.ambiguous": {
      message: "有多个场景与 {scene} 匹配，列在下面。",
      recovery: "请用 ID 指定其中一个。",
    },
    "tool.scene.unavailable.cannot_list": { recovery: "请使用场景 ID（scene_ 加 12 位字符），可向场景的组织者索取。" },
    "tool.negotiation.invalid.confirmation_id": {
      recovery: "请阅读等待中的文本并决定：towow-mcp confirm {negotiation_id}",
    },
    "tool.negotiation.invalid.confirmed_text_empty": { recovery: "请写出要发送的文本，或做另一个决定。" },
    "tool.negotiation.invalid.two_texts": { recovery: "请决定发出哪一份：towow-mcp confirm" },
    "tool.negotiation.conflict.already_decided": { recovery: `查看进展：${LIST}。如有其他需要，请另提需求。` },
    "tool.negotiation.unavailable.no_on_its_way": {
      recovery: "如果没有程序继续运行，请在后端恢复后再做一次：towow-mcp cancel {negotiation_id}",
    },
    "tool.negotiation.conflict.not_waiting": { recovery: `查看进展：${LIST}` },
    "tool.negotiation.conflict.not_formulated": { recovery: `查看进展：${LIST}` },
    "tool.negotiation.conflict.already_completed": { recovery: `查看它如何结束：${LIST}` },
    "tool.negotiation.conflict.submit_outcome_open": {
      recovery: "确要再发，加 allow_duplicate=true；否则等 {minutes} 分钟。",
    },
    "tool.policy.blocked.confirmation_required": {
      message: "命令不会替你决定，无论带什么参数。",
      recovery: "请在终端里决定：towow-mcp {args}",
      recoveryOnPage: ZH_ON_PAGE,
    },
    "tool.policy.blocked.in_no_form": {
      message: "没有表单能完整显示它，所以还没有问过你。什么都没有发送。",
      recovery: "请在终端里运行：towow-mcp {args}",
      recoveryOnPage: ZH_ON_PAGE,
    },
    "tool.policy.blocked.too_many_windows": { recovery: "请在终端里运行：towow-mcp {args}" },
    "tool.policy.blocked.tainted": {
      recovery: "请在终端里运行：towow-mcp {args}",
      recoveryOnPage: ZH_ON_PAGE,
    },
    "tool.policy.blocked.decide_on_page": {
      message: "这一步要由你在自己的页面上决定。什么都没有发送。",
      recovery: "请打开 {url} 在那里用通爻令牌登录一次，读完全部内容再决定。之后十分钟内再次运行同样的命令。",
    },
    "tool.policy.blocked.not_submitted_here": {
      recovery: "可以查看，也可以在终端里决定：towow-mcp {args}",
      recoveryOnPage: ZH_ON_PAGE,
    },
    "tool.policy.blocked.inactive_tool": {
      recovery: "给这个命令加上 --mode developer，或从现在起列出全部工具：towow-mcp config set mode developer",
    },
    "tool.policy.blocked.inactive_toolset": { recovery: "请把 TOWOW_TOOLSET 设为 {toolset} 或 all，再运行一次。" },
    "tool.policy.blocked.tool_left_out": {
      recovery: "towow-mcp config 会显示 {setting} 在哪里设置；修改后再运行一次。",
    },
    "tool.policy.blocked.reference_unseen": {
      message: "{argument} 会发送给他人，因此不能用引用填入。什么都没有发送；引用的文本见详情。",
      recovery: "请完整阅读这段文本。只有你自己想说的话，才作为文本填入 {argument}。",
    },
    "tool.policy.blocked.mode_pinned": {
      message: "模式 {mode} 对这个命令是固定的。",
      recovery: "请去掉 --mode（以及环境变量 TOWOW_MODE），再运行一次。",
    },
    "tool.policy.blocked.profile": {
      message: "profile 为 {profile} 时只能读取。什么都没有发送。",
      recovery: "请用 --profile 换一个，或在 towow-mcp config 显示的地方修改。",
    },
    "tool.policy.blocked.offline": {
      recovery:
        "使用本机的沙盒（towow-mcp network sandbox），或改用其他 profile：towow-mcp config 会显示它在哪里设置。",
    },
    "tool.policy.blocked.dry_run": {
      recovery: "要真正发送，请把 profile 设为 live；towow-mcp config 会显示它在哪里设置。",
    },
    "tool.budget.blocked.negotiations": { recovery: "towow-mcp config 会显示上限 budget_max_negotiations。" },
    "tool.budget.blocked.backend_requests": { recovery: "towow-mcp config 会显示上限 budget_max_backend_requests。" },
    "tool.auth.unauthorized.token_rejected": { recovery: "请检查你用于此后端的令牌：towow-mcp whoami" },
    "tool.auth.blocked.dry_run": {
      recovery: "先把 profile 设为 live 调用一次：之后 dry_run 就用它的令牌读取。在哪里设置：towow-mcp config",
    },
    "tool.auth.blocked.forbidden": { recovery: "请检查此账号是否有权限：towow-mcp whoami" },
    "tool.backend.blocked.connection": { recovery: "要改什么，运行：towow-mcp doctor" },
    "tool.backend.invalid.not_http": { recovery: "请更正地址，包括 http 或 https 以及端口：towow-mcp network" },
    "tool.backend.timeout.submit_outcome_unknown": {
      recovery: "十分钟内相同的需求会被拒绝，除非加 allow_duplicate=true。已知的情况：towow-mcp list",
    },
  },
  note: {
    confirmed_text_kept: "另一个文本已为这个需求保留。",
    review_pending: "这个结果值得你再看一眼：towow-mcp reviews",
  },
  pause: {
    moving: "已确认。实时跟踪：towow-mcp watch",
    decides: (where) => `请阅读并决定：${where}`,
    orDecides: (where) => `或者阅读并决定：${where}`,
  },
  join: {
    first: (isFound) =>
      `${isFound ? "已找到场景，名称见 scene_name。" : "没有查询这个 ID：发送资料时才知道场景是否存在。"}要加入，请带上 display_name 和 profile_data 再次调用；其中写什么，见引导提示词。`,
    found: (found, all) =>
      found === 0 ? `没有场景包含这些词；共有 ${all} 个场景。${ZH_JOIN}` : `找到 ${found} 个场景。${ZH_JOIN}`,
  },
  permission: {
    refused: "你没有同意：什么都没有发送。",
    undecided: "尚未决定：什么都没有发送。愿意时再次运行。",
    stopRefused: "你没有同意：没有撤回。",
    stopUndecided: "尚未决定：没有撤回。愿意时再次运行。",
  },
  status: { short: "加 view=full 可查看全部。", others: "名字、Offer 和方案由他人撰写。" },
  unshown: {
    open: (id) =>
      `请稍后再试。如果一直如此，说明后端无法显示这个需求，也就没有人能对它做决定：请撤回它（towow-mcp cancel ${id}），换个说法重新提交。`,
  },
  dryRun: (method, url) => `演练：什么都没有发送。本来会发出 ${method} ${url}，内容如下。`,
  nothingBefore: "在你对网络写出的文本做出决定之前，不会广播。",
};

/** The same texts with others in some places. */
export function spoken(texts: Texts, others: Partial<Others>): Texts {
  const codes = Object.keys(texts.errors) as (keyof Texts["errors"])[];
  const said = codes.map((code) => [code, { ...texts.errors[code], ...others.errors?.[code] }]);
  return {
    ...texts,
    errors: Object.fromEntries(said) as Texts["errors"],
    state: { ...texts.state, ...others.state },
    note: { ...texts.note, ...others.note },
    pause: { ...texts.pause, ...others.pause },
    task: { ...texts.task, ...others.task },
    pageQuestion: { ...texts.pageQuestion, ...others.pageQuestion },
    join: { ...texts.join, ...others.join },
    permission: { ...texts.permission, ...others.permission },
    status: { ...texts.status, ...others.status },
    unshown: { ...texts.unshown, ...others.unshown },
    dryRun: others.dryRun ?? texts.dryRun,
    nothingBefore: others.nothingBefore ?? texts.nothingBefore,
  };
}

const enForPerson = spoken(en, enPerson);
const zhForPerson = spoken(zh, zhPerson);

/** Every sentence of one language, for a person who reads it themselves at a terminal. */
export const textsForPerson = (lang: "zh" | "en"): Texts => (lang === "zh" ? zhForPerson : enForPerson);
