import type { ErrorText, errorsEn } from "./errors.en.ts";

export const errorsZh: Record<keyof typeof errorsEn, ErrorText> = {
  "tool.input.invalid.arguments": { message: "参数 {field} 不正确：{problem}。", recovery: "改正后再调用。" },
  "tool.input.invalid.argument_missing": { message: "缺少必填参数：{fields}。", recovery: "补上后再调用。" },
  "tool.input.invalid.unknown_argument": {
    message: "这个工具没有参数 {field}。",
    recovery: "去掉它；可用参数：{known}。",
  },
  "tool.input.invalid.unknown_tool": {
    message: "没有名为 {tool} 的工具。",
    recovery: "请使用列表中的工具：{known}。",
  },
  "tool.input.invalid.intent_empty": {
    message: "需求内容是空的。",
    recovery: "请询问当事人需要什么，用其原话提交。",
  },
  "tool.input.invalid.intent_too_long": {
    message: "需求超过 20,000 字。",
    recovery: "用几句话说明需求本身；背景写进 Profile。",
  },
  "tool.input.invalid.text_too_long": { message: "{field} 的文本过长。", recovery: "缩短后再调用。" },
  "tool.input.invalid.skills_not_a_list": {
    message: "skills 必须是短文本列表，否则 Agent 无法被匹配到。",
    recovery: '改为 ["…", "…"] 的形式，每项一段纯文本。',
  },
  "tool.input.invalid.id_malformed": {
    message: "{field} 中的 ID 含有不允许的字符。",
    recovery: "请原样使用之前结果中的 ID。",
  },
  "tool.input.invalid.address": {
    message: "{uri} 没有可读的内容。",
    recovery: "请使用 towow_docs_list 给出的地址，以及它接受的参数。",
  },
  "tool.input.invalid.cursor": {
    message: "这个 cursor 已损坏，或属于另一个列表或筛选条件。",
    recovery: "请原样使用上一页给出的 next_cursor，并保持筛选条件不变；或者不带 cursor 从头开始。",
  },
  "tool.input.invalid.join_incomplete": {
    message: "加入场景需要先提供 raw_content，或同时提供 profile_data 和 display_name。",
    recovery: "发送 raw_content 获取引导提示词，或发送 profile_data 与 display_name 加入。",
  },
  "tool.input.not_found.missing_inputs": {
    message: "以下引用没有对应的内容：{inputs}。",
    recovery: "什么都没有执行。请重新运行产生它的那一步，或直接传入值；会话给出的结果保留两小时。",
  },
  "tool.input.invalid.demand_incomplete": {
    message: "新需求需要 intent；做决定需要 negotiation_id。",
    recovery: "提交新需求请给 intent；做决定请给 negotiation_id 和当事人的决定。",
  },
  "tool.input.invalid.rejected_by_backend": { message: "后端拒绝了字段 {field}。", recovery: "改正后再调用。" },
  "tool.scene.not_found.unknown_scene": {
    message: "找不到场景 {scene_id}。",
    recovery: "请检查 ID，或列出场景：towow-mcp scenes",
  },
  "tool.scene.not_found.no_match": {
    message: "没有名为 {scene} 的场景。现有的场景见 detail。",
    recovery: "请问当事人指的是哪一个。",
  },
  "tool.scene.conflict.ambiguous": {
    message: "有多个场景与 {scene} 匹配，见 detail。",
    recovery: "请问当事人选哪个，并使用其 scene_id。",
  },
  "tool.scene.not_found.none_joined": {
    message: "没有指定场景，也还没有加入过场景。",
    recovery: "先加入场景，或指定 scene_id。",
  },
  "tool.scene.unavailable.cannot_list": {
    message: "这个后端不能列出场景，无法按名称查找。",
    recovery: "请向当事人要场景 ID（scene_ 加 12 位字符）。",
  },
  "tool.agent.conflict.already_registered": {
    message: "Agent {agent_id} 已在场景 {scene_id} 中，Profile 没有改变。",
    recovery: "直接提需求即可。",
  },
  "tool.negotiation.not_found.unknown_negotiation": {
    message: "找不到协商 {negotiation_id}。",
    recovery: "请检查 ID（towow-mcp list）；重启过的后端会丢失协商。",
  },
  "tool.negotiation.not_found.other_backend": {
    message: "{negotiation_id} 属于后端 {host}，当前使用的是另一个后端。未发送任何内容。",
    recovery: "要继续，请切换回那个后端：towow-mcp network",
  },
  "tool.negotiation.not_found.none_yet": {
    message: "没有指定协商，也没有以往的记录。",
    recovery: "先提交需求，或指定 negotiation_id。",
  },
  "tool.negotiation.invalid.unknown_action": { message: "后端不支持操作 {action}。", recovery: "只支持 cancel。" },
  "tool.negotiation.invalid.confirmation_id": {
    message: "这个 confirmation_id 不属于 {negotiation_id} 中等待确认的文本。",
    recovery: "不带决定再调用一次，取得文本和 confirmation_id，给当事人看并询问。",
  },
  "tool.negotiation.invalid.confirmed_text_empty": {
    message: "修改需要提供文本。",
    recovery: "请向当事人要修改后的文本，或另一个决定。",
  },
  "tool.negotiation.conflict.already_decided": {
    message: "{negotiation_id} 已有决定：{decision}（{decided_by}，{decided_at}）。",
    recovery: "查看其状态（towow_status，或 towow-mcp list）；其他需要请另提需求。",
  },
  "tool.negotiation.conflict.not_waiting": {
    message: "{negotiation_id} 没有在等待决定。",
    recovery: "查看其状态（towow_status，或 towow-mcp list）。",
  },
  "tool.negotiation.conflict.not_formulated": {
    message: "{negotiation_id} 不能确认：当前状态 {state}。",
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
    recovery: "请当事人在页面上决定，或在终端运行：towow-mcp confirm",
  },
  "tool.policy.blocked.tainted": {
    message: "一天之内这里读到过其他 Agent 的文本，因此仅凭 AI 的话不能做决定，也不能发送。什么都没有发送。",
    recovery:
      "如果浏览器里打开了页面，请当事人在页面上决定，然后再次调用。等待决定的需求可在本人的终端里决定：towow-mcp confirm；其他内容可在终端里用 towow-mcp call 发送。",
  },
  "tool.policy.blocked.decide_on_page": {
    message: "这一步只能由本人在页面上决定。什么都没有发送。",
    recovery:
      "请让当事人打开这个页面：{url} 在那里用通爻令牌登录一次，读完全部内容再决定。之后十分钟内用同样的参数再次调用。",
  },
  "tool.policy.blocked.not_submitted_here": {
    message: "{negotiation_id} 不是从这里提交的，AI 和表单都不能替它做决定。什么都没有发送。",
    recovery:
      "可以查看，但只有当事人能决定：如果浏览器里打开了页面，就在页面上决定；还在等待时，也可以在本人的终端里运行 towow-mcp confirm {negotiation_id}。",
  },
  "tool.policy.blocked.inactive_tool": {
    message: "{tool} 不属于当前模式 {mode}。",
    recovery: "如当事人需要，用 towow_set_mode 切换。",
  },
  "tool.policy.blocked.inactive_toolset": {
    message: "{tool} 属于工具集 {toolset}，目前没有选用。",
    recovery:
      "不用它继续，或请当事人以 --toolset {toolset} 或 all 启动服务（TOWOW_TOOLSET；HTTP 用 ?toolset={toolset}）。",
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
  "tool.config.invalid.unknown_tool_name": {
    message: "{key} 中的工具不存在：{tool}。",
    recovery: "请在 towow-mcp config 显示的地方改正；现有工具：{known}。",
  },
  "tool.policy.blocked.dry_run": {
    message: "演练：什么都没有发送。",
    recovery: "要真正发送，请当事人把 profile 设为 live；towow-mcp config 会显示它在哪里设置。",
  },
  "tool.config.invalid.backend_url_missing": {
    message: "还没有选择网络。",
    recovery: "请在终端运行 {setup} 来选择；想先在本机试用：{sandbox}。",
  },
  "tool.config.invalid.value": {
    message: "{key} 应为 {expected}，而 {where} 给出的是别的值。",
    recovery: "请改正这个值；towow-mcp config 会列出每项配置及其来源。",
  },
  "tool.config.invalid.serve_option": {
    message: "{option} 应为 {expected}。",
    recovery: "各选项接受什么：towow-mcp serve --help",
  },
  "tool.config.invalid.serve_host": {
    message: "其他机器也能访问 {host}，却没有说明用什么名字访问。",
    recovery: "请用 --public-url 给出客户端使用的地址，或用 --allowed-hosts 给出名字：towow-mcp serve --help",
  },
  "tool.config.invalid.unknown_key": {
    message: "没有名为 {key} 的配置项。",
    recovery: "towow-mcp config 会列出全部配置项：{known}。",
  },
  "tool.config.blocked.http_refused": {
    message: "拒绝以明文 http 访问 {host}：令牌和 Profile 会在途中被看到。",
    recovery: "请改用 https（towow-mcp network）；网络可信时可以放行：towow-mcp config set allow_http true",
  },
  "tool.config.invalid.newer_version": {
    message: "{file} 由更新版本的本程序写入（格式 {format}，当前版本只认识 {known}）。",
    recovery: "请更新 towow-mcp，或让 TOWOW_HOME 指向别的文件夹。文件保持原样；towow-mcp doctor 会指出它。",
  },
  "tool.config.invalid.home": {
    message: "{variable} 必须是完整路径，现在是“{value}”。",
    recovery: "请把 {variable} 设为文件夹的完整路径；TOWOW_HOME 也可以不设。然后运行：towow-mcp doctor",
  },
  "tool.config.unavailable.home_unwritable": {
    message: "无法写入文件夹 {path}（{reason}）。",
    recovery: "towow-mcp doctor 会给出修复方法；也可让 TOWOW_HOME 指向可写的文件夹。",
  },
  "tool.config.unavailable.port": {
    message: "端口 {port} 无法使用：{reason}。",
    recovery: "{listener} --port 0 会自动选择空闲端口。",
  },
  "tool.config.unavailable.mock_data": {
    message: "模拟后端不能用 {file} 保存数据（{reason}）。",
    recovery: "请用 --data 指定一个它专用的文件，或不指定：towow-mcp mock",
  },
  "tool.config.unavailable.sandbox": {
    message: "沙盒没有启动（{reason}）。",
    recovery: "请重试；towow-mcp doctor 会指出原因。",
  },
  "tool.config.invalid.sandbox_not_shared": {
    message: "沙盒只属于一个人，面向多人的端点不能使用它。",
    recovery: "请用 {mock} 启动一个共用的模拟后端，再填写它的地址。",
  },
  "tool.budget.blocked.negotiations": {
    message: "本次会话最多发起 {limit} 个协商。",
    recovery: "请询问当事人；towow-mcp config 会显示上限 budget_max_negotiations。",
  },
  "tool.budget.blocked.backend_requests": {
    message: "本次会话最多向后端发 {limit} 次请求。",
    recovery: "请询问当事人；towow-mcp config 会显示上限 budget_max_backend_requests。",
  },
  "tool.config.unavailable.store": {
    message: "共享存储没有应答。",
    recovery: "请过几秒再试；若一直如此，请让运维人员检查存储。",
  },
  "tool.config.timeout.locked": {
    message: "另一个程序锁住 {path} 已达 {waited_s} 秒。",
    recovery: "请重试；若一直如此，用 towow-mcp doctor 查找原因。",
  },
  "tool.config.invalid.unknown_client": {
    message: "setup 不认识客户端 {client}。",
    recovery: "可用的有：{known}。详见：towow-mcp setup --help",
  },
  "tool.config.invalid.client_scope": {
    message: "{client} 没有 {scope} 这一级的配置。",
    recovery: "可用的有：{scopes}（例如 towow-mcp setup {client} --scope user）。",
  },
  "tool.config.invalid.client_config_syntax": {
    message: "{path} 第 {line} 行第 {column} 列无法解析：{problem}。",
    recovery: "文件保持原样；修好那一处后再运行：towow-mcp setup",
  },
  "tool.config.invalid.client_config_shape": {
    message: "{path} 中 {key} 处是别的内容，或其写法无法安全修改。",
    recovery: "文件保持原样。要手动填写的内容：towow-mcp setup --print",
  },
  "tool.config.unavailable.client_config": {
    message: "无法读取或写入 {path}（{reason}）。",
    recovery: "没有任何更改；请修正权限，或粘贴此命令打印的内容：towow-mcp setup --print",
  },
  "tool.config.conflict.client_entry": {
    message: "{client} 的 {path} 中已有另一个名为 towow 的条目，而这里无人可问。",
    recovery: "如果可以替换，请用相同的选项运行 {command}。",
  },
  "tool.config.unavailable.program_copy": {
    message: "本程序在 {path} 的副本无法改动（{reason}）。",
    recovery: "请让该文件夹可写，或让 TOWOW_HOME 指向别处，然后再运行：towow-mcp setup",
  },
  "tool.config.unavailable.client_command": {
    message: "{command} 没有成功（{reason}）。",
    recovery: "请手动运行它查看详情，或粘贴此命令打印的内容：towow-mcp setup --print",
  },
  "tool.auth.unauthorized.token_rejected": {
    message: "后端不接受这个令牌，换了新令牌也不行。",
    recovery: "请当事人检查用于此后端的令牌：towow-mcp whoami",
  },
  "tool.auth.unavailable.token": {
    message: "后端没有给出令牌（{reason}），因此这次调用没有发送。",
    recovery: "请稍后再试；towow-mcp doctor 会显示后端如何应答。",
  },
  "tool.auth.blocked.forbidden": {
    message: "后端不允许这样做。",
    recovery: "请询问当事人此账号是否有权限：towow-mcp whoami",
  },
  "tool.backend.unavailable.unreachable": {
    message: "无法连接后端 {origin}（{reason}）。什么都没有发送。",
    recovery: "请确认它在运行（towow-mcp doctor），或更换地址：towow-mcp network",
  },
  "tool.backend.blocked.connection": {
    message: "没有连接到 {origin}：{reason}。什么都没有发送。",
    recovery: "请当事人运行 `towow-mcp doctor`；如使用自己的根证书，请用 NODE_EXTRA_CA_CERTS 指定其文件。",
  },
  "tool.backend.unavailable.route_missing": {
    message: "这个后端没有 {operation} 所需的接口。",
    recovery: "可以不用它继续；towow-mcp doctor 会显示此后端具备什么。",
  },
  "tool.backend.unavailable.server_error": {
    message: "后端处理 {operation} 时出错（{status}）。",
    recovery: "请稍后再试；towow-mcp doctor 会显示它是否恢复。",
  },
  "tool.backend.unavailable.rate_limited": { message: "后端要求放慢速度。", recovery: "请稍等再试。" },
  "tool.backend.unavailable.new_tokens": {
    message: "后端还没有接受过这个令牌，而此刻这里正有许多这样的令牌在尝试。什么都没有发送。",
    recovery: "十秒后再试。",
  },
  "tool.backend.timeout.read": {
    message: "后端没有及时应答。",
    recovery: "请稍后再试；towow-mcp doctor 会显示它是否有应答。",
  },
  "tool.backend.timeout.outcome_unknown": {
    message: "{operation} 的应答丢失了，不知道是否已经生效。",
    recovery: "先查看状态，再决定是否重做。",
  },
  "tool.backend.timeout.submit_outcome_unknown": {
    message: "提交的应答丢失了：协商可能已经存在。这个后端既不能列出也不能取消它，其文本可能在约五分钟后广播。",
    recovery: "请告知当事人。十分钟内相同的需求会被拒绝，除非带 allow_duplicate。",
  },
  "tool.backend.invalid.not_json": {
    message: "应答的不是后端（不是 JSON）：可能是代理或登录页。",
    recovery: "请检查地址和中间的代理：towow-mcp doctor",
  },
  "tool.backend.invalid.cut_body": { message: "后端的应答中断了。", recovery: "请稍后再试。" },
  "tool.backend.invalid.wrong_shape": {
    message: "后端对 {operation} 的应答，这个版本无法理解（{field}）。",
    recovery: "请检查后端的地址和版本：towow-mcp doctor",
  },
  "tool.backend.invalid.too_large": {
    message: "后端的应答超出本程序的上限。",
    recovery: "请检查后端的地址：towow-mcp doctor",
  },
  "tool.backend.invalid.redirect": {
    message: "后端重定向到了别处（{target}）；令牌不会发到那里。",
    recovery: "请自行填写最终地址：towow-mcp network",
  },
  "tool.backend.conflict.unexpected": {
    message: "后端对 {operation} 返回了状态 {status}。",
    recovery: "请查看详情；如只是暂时的，请稍后再试。",
  },
  "tool.backend.internal.unexpected": {
    message: "本程序内部出错。",
    recovery: "再试一次；如仍出错，请附日志报告：towow-mcp logs",
  },
  "tool.backend.internal.output_invalid": {
    message: "{tool} 的结果不符合约定的结构。",
    recovery: "请附日志报告：towow-mcp logs",
  },
};
