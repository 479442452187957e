import type { ErrorText } from "./error-text.ts";
import type { negotiationEn } from "./negotiation.en.ts";

const ON_PAGE = "页面已在当事人的浏览器里打开。当事人在那里决定后，请用同样的参数再次调用。";

export const negotiationZh: Record<keyof typeof negotiationEn, ErrorText> = {
  "tool.negotiation.not_found.unknown_negotiation": {
    message: "找不到协商 {negotiation_id}。",
    recovery: "请检查 ID（towow-mcp list）；重启过的后端会丢失协商。",
  },
  "tool.negotiation.not_found.other_backend": {
    message: "{negotiation_id} 属于后端 {host}，当前使用的是另一个后端。未发送任何内容。",
    recovery: "要继续，请切换回那个后端：towow-mcp network",
  },
  "tool.negotiation.not_found.none_yet": {
    message: "你还没有协商。",
    recovery: "先提交需求，或指定 negotiation_id。",
  },
  "tool.negotiation.invalid.unknown_action": {
    message: "没有名为 {action} 的操作。",
    recovery: "只支持 cancel。",
  },
  "tool.negotiation.invalid.confirmation_id": {
    message: "这个 confirmation_id 不属于 {negotiation_id} 中等待确认的文本。",
    recovery: "不带决定再调用一次，取得文本和 confirmation_id，给当事人看并询问。",
  },
  "tool.negotiation.invalid.confirmed_text_empty": {
    message: "没有可以发送的文本。",
    recovery: "请向当事人要一段可以发送的文本，或另一个决定。",
  },
  "tool.negotiation.invalid.two_texts": {
    message: "accept 确认的是展示过的文本，调用里却还带着另一份。没有做出任何决定。",
    recovery:
      "请问当事人要发出哪一份，再按 resume_with 调用：要发当事人自己的，用 decision edit 和 confirmed_text；要发展示过的，用 decision accept，不带其他文本。",
  },
  "tool.negotiation.conflict.already_decided": {
    message: "{negotiation_id} 已有决定：{decision}（{decided_by}，{decided_at}）。",
    recovery: "查看其状态（towow_status，或 towow-mcp list）；如有其他需要，请另提需求。",
  },
  "tool.negotiation.unavailable.no_on_its_way": {
    message: "对 {negotiation_id} 的撤回已经记下。现在连不上后端，在此继续运行的程序会一直重试，直到后端收到为止。",
    recovery: "可查看其状态（towow_status，或 towow-mcp list）。如果没有程序继续运行，请在后端恢复后再做一次。",
  },
  "tool.negotiation.conflict.not_waiting": {
    message: "{negotiation_id} 没有在等待决定。",
    recovery: "查看其状态（towow_status，或 towow-mcp list）。",
  },
  "tool.negotiation.conflict.not_formulated": {
    message: "{negotiation_id} 不能确认：当前状态为 {state}。",
    recovery: "查看其状态（towow_status，或 towow-mcp list）。",
  },
  "tool.negotiation.conflict.engine_not_waiting": {
    message: "后端此刻不接受 {negotiation_id} 的确认。",
    recovery: "尚未广播；查看状态后再确认。",
  },
  "tool.negotiation.conflict.already_completed": {
    message: "{negotiation_id} 已结束。",
    recovery: "查看它如何结束（towow_status，或 towow-mcp list）。",
  },
  "tool.negotiation.unavailable.shutting_down": {
    message: "程序正在结束，这次调用不再等待。",
    recovery: "不会丢失任何内容：程序再次运行后查看状态即可。",
  },
  "tool.negotiation.conflict.submit_outcome_open": {
    message: "相同的需求刚刚发送过，应答丢失了：它可能已经存在。",
    recovery: "请询问当事人。确要再发，加 allow_duplicate: true；否则等 {minutes} 分钟。",
  },
  "tool.policy.blocked.confirmation_required": {
    message: "这一步只能由本人亲手决定：命令不能代劳；在 strict 策略下，模型和表单也不能。",
    recovery: "请当事人在自己的终端里决定：towow-mcp {args}",
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.in_no_form": {
    message: "这个客户端的表单无法完整显示它，所以还没有问过当事人。什么都没有发送。",
    recovery: "短一些的资料可以放进表单。这份请当事人在自己的终端里发送：towow-mcp {args}",
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.too_many_windows": {
    message: "本程序 {minutes} 分钟内已打开 {most} 个窗口，暂时不再打开。什么都没有发送。",
    recovery: "由当事人在自己的终端里运行：towow-mcp {args}",
  },
  "tool.policy.blocked.tainted": {
    message: "一天之内这里读到过他人所写的文本，因此仅凭 AI 的话不能做决定，也不能发送。什么都没有发送。",
    recovery: "请当事人在自己的终端里亲手完成：towow-mcp {args}",
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.decide_on_page": {
    message: "这一步只能由本人在页面上决定。什么都没有发送。",
    recovery:
      "请让当事人打开这个页面：{url} 在那里用通爻令牌登录一次，读完全部内容再决定。之后十分钟内用同样的参数再次调用。",
  },
  "tool.policy.blocked.not_submitted_here": {
    message: "{negotiation_id} 不是从这里提交的，AI 和表单都不能替它做决定。什么都没有发送。",
    recovery: "可以查看。请当事人在自己的终端里决定：towow-mcp {args}",
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.inactive_tool": {
    message: "{tool} 不属于当前模式 {mode}。",
    recovery: "如当事人需要，用 towow_set_mode 切换。",
  },
  "tool.policy.blocked.inactive_toolset": {
    message: "{tool} 属于工具集 {toolset}，目前没有选用。",
    recovery:
      "可以不用它继续，或请当事人以 --toolset {toolset} 或 all 启动服务（TOWOW_TOOLSET；HTTP 用 ?toolset={toolset}）。",
  },
  "tool.policy.blocked.tool_left_out": {
    message: "{tool} 被设置项 {setting} 排除在外。",
    recovery: "可以不用它继续，或询问当事人；towow-mcp config 会显示 {setting} 在哪里设置。",
  },
  "tool.policy.blocked.reference_unseen": {
    message: "{argument} 会发送给他人，因此不能用引用填入。什么都没有发送；引用的文本在 detail 里。",
    recovery: "把文本完整地给当事人看。只有当事人自己想说的话，才用其原话作为文本填入 {argument}。",
  },
  "tool.policy.blocked.mode_pinned": {
    message: "模式 {mode} 在启动时已固定（{where}）。",
    recovery: "在那里修改并重启。",
  },
  "tool.policy.blocked.profile": {
    message: "profile 为 {profile} 时不能使用 {tool}。",
    recovery: "请询问当事人；towow-mcp config 会显示 profile 在哪里设置。",
  },
  "tool.policy.blocked.offline": {
    message: "profile 为 offline 时只能使用本机的后端，不能使用 {host}。",
    recovery: "使用本机的沙盒（towow-mcp network sandbox），或请当事人改用其他 profile。",
  },
  "tool.policy.blocked.dry_run": {
    message: "演练：什么都没有发送。",
    recovery: "要真正发送，请当事人把 profile 设为 live；towow-mcp config 会显示它在哪里设置。",
  },
  "tool.negotiation.conflict.several_open": {
    message: "有多个协商未结束，而没有指定是哪一个。",
    recovery: "请在同样的命令后加上要处理的那个 ID，再运行一次。",
  },
  "tool.policy.blocked.terminal_needed": {
    message: "这一步需要本人操作，而这里没有终端。",
    recovery: "请在终端中运行 {command}。",
  },
  "tool.budget.blocked.negotiations": {
    message: "本次会话最多发起 {limit} 个协商。",
    recovery: "请询问当事人；towow-mcp config 会显示上限 budget_max_negotiations。",
  },
  "tool.budget.blocked.backend_requests": {
    message: "本次会话最多向后端发 {limit} 次请求。",
    recovery: "请询问当事人；towow-mcp config 会显示上限 budget_max_backend_requests。",
  },
};
