import { placesZh } from "../places.ts";
import { byReader, command, say, theirHand, yourHand } from "../reader.ts";
import type { ErrorText } from "./error-text.ts";
import type { negotiationEn } from "./negotiation.en.ts";

const ON_PAGE = byReader({
  model: "页面已在当事人的浏览器里打开。当事人在那里决定后，请用同样的参数再次调用。",
  person: "页面已在你的浏览器里打开。在那里决定后请重试。",
});
const ARGS = command("{args}");
const PAGE_SHOWS = "本页会显示它的进展。";
const STATUS = "查看状态：towow_status";
const SEE_LIST = say`查看进展：${command("list")}`;
const LOOK = say`查看其状态（towow_status，或 ${command("list")}）。`;
const PROFILE_HERE = "profile 在运行这个服务的地方设置。";
const SET_BY_PERSON = "profile 由客户端配置或这个服务的管理员设置，请询问当事人。";
const LIMIT_HERE = "上限在运行这个服务的地方设置。";

export const negotiationZh: Record<keyof typeof negotiationEn, ErrorText> = {
  "tool.negotiation.not_found.unknown_negotiation": {
    message: "找不到协商 {negotiation_id}。",
    recovery: byReader({
      model: say`请检查 ID（${command("list")}）；重启过的后端会丢失协商。`,
      room: "重启过的后端会丢失协商。你的协商见“历史”。",
      endpoint: "请检查 ID；重启过的后端会丢失协商。",
    }),
  },
  "tool.negotiation.not_found.other_backend": {
    message: "{negotiation_id} 属于后端 {host}，当前使用的是另一个后端。未发送任何内容。",
    recovery: byReader({
      model: say`要继续，请切换回那个后端：${command("network")}`,
      room: "请在设置了它所属后端的地方查看和决定。",
      endpoint: "请在设置了它所属后端的地方查看和决定。",
    }),
  },
  "tool.negotiation.not_found.none_yet": {
    message: "这里没有你的 ID 的协商记录。",
    recovery: "先提交需求，或指定 negotiation_id。",
  },
  "tool.negotiation.invalid.unknown_action": {
    message: "没有名为 {action} 的操作。",
    recovery: "只支持 cancel。",
  },
  "tool.negotiation.invalid.confirmation_id": {
    message: "这个 confirmation_id 不属于 {negotiation_id} 中等待确认的文本。",
    recovery: byReader({
      model: "不带决定再调用一次，取得文本和 confirmation_id，给当事人看并询问。",
      person: say`请阅读等待中的文本并决定：${command("confirm", "{negotiation_id}")}`,
      room: "请阅读本页上的文本，再做一次决定。",
    }),
  },
  "tool.negotiation.invalid.confirmed_text_empty": {
    message: "没有可以发送的文本。",
    recovery: byReader({
      model: "请向当事人要一段可以发送的文本，或另一个决定。",
      person: "请写出要发送的文本，或做另一个决定。",
    }),
  },
  "tool.negotiation.invalid.two_texts": {
    message: "accept 确认的是展示过的文本，调用里却还带着另一份。没有做出任何决定。",
    recovery: byReader({
      model:
        "请问当事人要发出哪一份，再按 resume_with 调用：要发当事人自己的，用 decision edit 和 confirmed_text；要发展示过的，用 decision accept，不带其他文本。",
      person: say`请决定发出哪一份：${command("confirm")}`,
    }),
  },
  "tool.negotiation.conflict.already_decided": {
    message: "{negotiation_id} 已有决定：{decision}（{decided_by}，{decided_at}）。",
    recovery: byReader({
      model: say`查看其状态（towow_status，或 ${command("list")}）；如有其他需要，请另提需求。`,
      person: say`查看进展：${command("list")}。如有其他需要，请另提需求。`,
      room: PAGE_SHOWS,
      endpoint: "查看状态（towow_status）；如有其他需要，请另提需求。",
    }),
  },
  "tool.negotiation.unavailable.no_on_its_way": {
    message: "对 {negotiation_id} 的撤回已经记下。现在连不上后端，在此继续运行的程序会一直重试，直到后端收到为止。",
    recovery: byReader({
      model: say`可查看其状态（towow_status，或 ${command("list")}）。如果没有程序继续运行，请在后端恢复后再做一次。`,
      person: say`如果没有程序继续运行，请在后端恢复后再做一次：${command("cancel", "{negotiation_id}")}`,
      room: "会自动重新发送，送达后本页会显示。",
      endpoint: STATUS,
    }),
  },
  "tool.negotiation.conflict.not_waiting": {
    message: "{negotiation_id} 没有在等待决定。",
    recovery: byReader({ model: LOOK, person: SEE_LIST, room: PAGE_SHOWS, endpoint: STATUS }),
  },
  "tool.negotiation.conflict.not_formulated": {
    message: "{negotiation_id} 不能确认：当前状态为 {state}。",
    recovery: byReader({ model: LOOK, person: SEE_LIST, room: PAGE_SHOWS, endpoint: STATUS }),
  },
  "tool.negotiation.conflict.engine_not_waiting": {
    message: "后端此刻不接受 {negotiation_id} 的确认。",
    recovery: "尚未广播；查看状态后再确认。",
  },
  "tool.negotiation.conflict.already_completed": {
    message: "{negotiation_id} 已结束。",
    recovery: byReader({
      model: say`查看它如何结束（towow_status，或 ${command("list")}）。`,
      person: say`查看它如何结束：${command("list")}`,
      room: "本页会显示它如何结束。",
      endpoint: "查看它如何结束：towow_status",
    }),
  },
  "tool.negotiation.unavailable.shutting_down": {
    message: "程序正在结束，这次调用不再等待。",
    recovery: "不会丢失任何内容：程序再次运行后查看状态即可。",
  },
  "tool.negotiation.conflict.submit_outcome_open": {
    message: "相同的需求刚刚发送过，应答丢失了：它可能已经存在。",
    recovery: byReader({
      model: "请询问当事人。确要再发，加 allow_duplicate: true；否则等 {minutes} 分钟。",
      person: "确要再发，加 allow_duplicate=true；否则等 {minutes} 分钟。",
      room: "请等 {minutes} 分钟再发送。",
    }),
  },
  "tool.policy.blocked.confirmation_required": {
    message: byReader({
      model: "这一步只能由本人亲手决定：命令不能代劳；在 strict 策略下，模型和表单也不能。",
      person: "命令不会替你决定，无论带什么参数。",
    }),
    recovery: byReader({
      model: say`请当事人${theirHand(ARGS, "决定")}`,
      person: say`请${yourHand(ARGS, "决定")}`,
      room: "请在你自己的浏览器里，在本页上决定。",
    }),
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.not_passed_on": {
    message: "这次登录没有允许 AI 转达同意。什么都没有发送。",
    recovery: byReader({
      model: say`请当事人${theirHand(ARGS, "决定")}`,
      person: say`请${yourHand(ARGS, "决定")}`,
      room: "请在本页上决定。",
    }),
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.in_no_form": {
    message: byReader({
      model: "这个客户端的表单无法完整显示它，所以还没有问过当事人。什么都没有发送。",
      person: "没有表单能完整显示它，所以还没有问过你。什么都没有发送。",
    }),
    recovery: byReader({
      model: say`短一些的资料可以放进表单。这份请当事人${theirHand(ARGS, "发送")}`,
      person: say`请${yourHand(ARGS, "操作")}`,
    }),
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.too_many_windows": {
    message: "本程序 {minutes} 分钟内已打开 {most} 个窗口，暂时不再打开。什么都没有发送。",
    recovery: byReader({
      model: say`由当事人${theirHand(ARGS, "操作")}`,
      person: say`请${yourHand(ARGS, "操作")}`,
    }),
  },
  "tool.policy.blocked.tainted": {
    message: "一天之内这里读到过他人所写的文本，因此仅凭 AI 的话不能做决定，也不能发送。什么都没有发送。",
    recovery: byReader({
      model: say`请当事人${theirHand(ARGS, "亲手完成")}`,
      person: say`请${yourHand(ARGS, "操作")}`,
    }),
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.decide_on_page": {
    message: byReader({
      model: "这一步只能由本人在页面上决定。什么都没有发送。",
      person: "这一步要由你在自己的页面上决定。什么都没有发送。",
    }),
    recovery: byReader({
      model:
        "请让当事人打开这个页面：{url} 在那里用通爻令牌登录一次，读完全部内容再决定。之后十分钟内用同样的参数再次调用。",
      person: "请打开 {url} 在那里用通爻令牌登录一次，读完全部内容再决定。之后十分钟内再次运行同样的命令。",
    }),
  },
  "tool.policy.blocked.not_submitted_here": {
    message: "{negotiation_id} 不是从这里提交的，AI 和表单都不能替它做决定。什么都没有发送。",
    recovery: byReader({
      model: say`可以查看。请当事人${theirHand(ARGS, "决定")}`,
      person: say`可以查看，也可以${yourHand(ARGS, "决定")}`,
      room: "可以查看；在它等待决定期间，也可以在这里决定。",
    }),
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.inactive_tool": {
    message: "{tool} 不属于当前模式 {mode}。",
    recovery: byReader({
      model: "如当事人需要，用 towow_set_mode 切换。",
      person: say`给这个命令加上 --mode developer，或从现在起列出全部工具：${command("config", "set", "mode", "developer")}`,
    }),
  },
  "tool.policy.blocked.inactive_toolset": {
    message: "{tool} 属于工具集 {toolset}，目前没有选用。",
    recovery: byReader({
      model:
        "可以不用它继续，或请当事人以 --toolset {toolset} 或 all 启动服务（TOWOW_TOOLSET；HTTP 用 ?toolset={toolset}）。",
      person: "请把 TOWOW_TOOLSET 设为 {toolset} 或 all，再运行一次。",
      room: placesZh.nowhere.room,
      endpoint: "可以不用它继续，或请当事人在客户端配置的地址里加上 ?toolset={toolset}。",
    }),
  },
  "tool.policy.blocked.tool_left_out": {
    message: "{tool} 被设置项 {setting} 排除在外。",
    recovery: byReader({
      model: say`可以不用它继续，或询问当事人；${command("config")} 会显示 {setting} 在哪里设置。`,
      person: say`${command("config")} 会显示 {setting} 在哪里设置；修改后再运行一次。`,
      endpoint: "可以不用它继续。{setting} 由客户端配置或这个服务的管理员设置，请询问当事人。",
    }),
  },
  "tool.policy.blocked.reference_unseen": {
    message: byReader({
      model: "{argument} 会发送给他人，因此不能用引用填入。什么都没有发送；引用的文本在 detail 里。",
      person: "{argument} 会发送给他人，因此不能用引用填入。什么都没有发送；引用的文本见详情。",
    }),
    recovery: byReader({
      model: "把文本完整地给当事人看。只有当事人自己想说的话，才用其原话作为文本填入 {argument}。",
      person: "请完整阅读这段文本。只有你自己想说的话，才作为文本填入 {argument}。",
    }),
  },
  "tool.policy.blocked.mode_pinned": {
    message: byReader({ model: "模式 {mode} 在启动时已固定（{where}）。", person: "模式 {mode} 对这个命令是固定的。" }),
    recovery: byReader({
      model: "在那里修改并重启。",
      person: "请去掉 --mode（以及环境变量 TOWOW_MODE），再运行一次。",
      room: placesZh.nowhere.room,
    }),
  },
  "tool.policy.blocked.profile": {
    message: byReader({
      model: "profile 为 {profile} 时不能使用 {tool}。",
      person: "profile 为 {profile} 时只能读取。什么都没有发送。",
    }),
    recovery: byReader({
      model: say`请询问当事人；${command("config")} 会显示 profile 在哪里设置。`,
      person: say`请用 --profile 换一个，或在 ${command("config")} 显示的地方修改。`,
      room: PROFILE_HERE,
      endpoint: SET_BY_PERSON,
    }),
  },
  "tool.policy.blocked.offline": {
    message: "profile 为 offline 时只能使用本机的后端，不能使用 {host}。",
    recovery: byReader({
      model: say`使用本机的沙盒（${command("network", "sandbox")}），或请当事人改用其他 profile。`,
      person: say`使用本机的沙盒（${command("network", "sandbox")}），或改用其他 profile：${command("config")} 会显示它在哪里设置。`,
      room: PROFILE_HERE,
      endpoint: SET_BY_PERSON,
    }),
  },
  "tool.policy.blocked.dry_run": {
    message: "演练：什么都没有发送。",
    recovery: byReader({
      model: say`要真正发送，请当事人把 profile 设为 live；${command("config")} 会显示它在哪里设置。`,
      person: say`要真正发送，请把 profile 设为 live；${command("config")} 会显示它在哪里设置。`,
      room: PROFILE_HERE,
      endpoint: "要真正发送，profile 须为 live。它由客户端配置或这个服务的管理员设置，请询问当事人。",
    }),
  },
  "tool.negotiation.conflict.several_open": {
    message: "有多个协商未结束，而没有指定是哪一个。",
    recovery: "请在同样的命令后加上要处理的那个 ID，再运行一次。",
  },
  "tool.policy.blocked.terminal_needed": {
    message: "这一步需要本人操作，而这里没有终端。",
    recovery: say`请在终端中运行 ${command("{command}")}。`,
  },
  "tool.budget.blocked.negotiations": {
    message: "本次会话最多发起 {limit} 个协商。",
    recovery: byReader({
      model: say`请询问当事人；${command("config")} 会显示上限 budget_max_negotiations。`,
      person: say`${command("config")} 会显示上限 budget_max_negotiations。`,
      room: LIMIT_HERE,
      endpoint: "上限 budget_max_negotiations 由客户端配置或这个服务的管理员设置，请询问当事人。",
    }),
  },
  "tool.budget.blocked.backend_requests": {
    message: "本次会话最多向后端发 {limit} 次请求。",
    recovery: byReader({
      model: say`请询问当事人；${command("config")} 会显示上限 budget_max_backend_requests。`,
      person: say`${command("config")} 会显示上限 budget_max_backend_requests。`,
      room: LIMIT_HERE,
      endpoint: "上限 budget_max_backend_requests 由客户端配置或这个服务的管理员设置，请询问当事人。",
    }),
  },
};
