import { byReader, command, say } from "../reader.ts";
import type { backendEn } from "./backend.en.ts";
import type { ErrorText } from "./error-text.ts";

const PROFILE_HERE = "profile 在运行这个服务的地方设置。";
const ASK_OPERATOR = "请稍后再试；如果一直如此，请联系这个服务的管理员。";
const OPERATOR_LATER = "请先查看是否已经生效，再决定是否重新调用；如果一直如此，请联系这个服务的管理员。";
const PAGE_FIRST = "请先在本页查看是否已经生效，再决定是否重新发送。";

export const backendZh: Record<keyof typeof backendEn, ErrorText> = {
  "tool.auth.unauthorized.token_rejected": {
    message: byReader({
      model: "后端不接受这个令牌，换了新令牌也不行。",
      endpoint: "后端不接受这个客户端发送的令牌。",
    }),
    recovery: byReader({
      model: say`请当事人检查用于此后端的令牌：${command("whoami")}`,
      person: say`请检查你用于此后端的令牌：${command("whoami")}`,
      room: "请检查你用于此后端的令牌。",
      endpoint: "请当事人检查客户端配置中用于这个服务的令牌。",
    }),
  },
  "tool.auth.unavailable.token": {
    message: "后端没有给出令牌（{reason}）。没有再发送任何内容。",
    recovery: byReader({
      model: say`请稍后再试；${command("doctor")} 会显示后端如何应答。`,
      endpoint: ASK_OPERATOR,
    }),
  },
  "tool.auth.unavailable.not_issued": {
    message: "{host} 不发放令牌。",
    recovery: "请询问它的管理员，新成员怎样加入。",
  },
  "tool.auth.blocked.dry_run": {
    message: "演练不会申请令牌，这里也没有后端接受的令牌，因此无法读取。",
    recovery: byReader({
      model: "请当事人先把 profile 设为 live 调用一次，得到的令牌可供之后的演练读取。",
      person: say`先把 profile 设为 live 调用一次：之后 dry_run 就用它的令牌读取。在哪里设置：${command("config")}`,
      room: PROFILE_HERE,
    }),
  },
  "tool.auth.blocked.forbidden": {
    message: "后端不允许这样做。",
    recovery: byReader({
      model: say`请询问当事人此账号是否有权限：${command("whoami")}`,
      person: say`请检查此账号是否有权限：${command("whoami")}`,
      room: "请检查此账号是否有权限。",
      endpoint: "请询问当事人：客户端所用令牌的账号是否有权限。",
    }),
  },
  "tool.backend.unavailable.unreachable": {
    message: "无法连接后端 {origin}（{reason}）。请求没有发出。",
    recovery: byReader({
      model: say`请确认它在运行（${command("doctor")}）后再试，或更换地址：${command("network")}`,
      endpoint: ASK_OPERATOR,
    }),
  },
  "tool.backend.blocked.connection": {
    message: "没有连接到 {origin}：{reason}。请求没有发出。",
    recovery: byReader({
      model: say`请当事人看看要改什么：${command("doctor")}`,
      person: say`要改什么，运行：${command("doctor")}`,
    }),
  },
  "tool.backend.unavailable.route_missing": {
    message: "这个后端没有用来{operation}的接口。",
    recovery: byReader({
      model: say`可以不用它继续，或检查地址：${command("doctor")} 会列出此后端有哪些接口。`,
      room: "可以不用它继续。",
      endpoint: "可以不用它继续。",
    }),
  },
  "tool.backend.unavailable.server_error": {
    message: "{operation}时后端出错（{status}）。",
    recovery: byReader({
      model: say`请稍后再试；${command("doctor")} 会显示它是否恢复。`,
      endpoint: ASK_OPERATOR,
    }),
    recoveryOfWrite: byReader({
      model: say`请先查看是否已经生效，再决定是否重新调用；${command("doctor")} 会显示它是否恢复。`,
      room: PAGE_FIRST,
      endpoint: OPERATOR_LATER,
    }),
  },
  "tool.backend.unavailable.rate_limited": {
    message: "请求过于频繁，后端要求放慢。",
    recovery: "请稍等再试。",
    recoveryLater: "它要求等待 {wait}，请到时再试。",
  },
  "tool.backend.unavailable.new_tokens": {
    message: "后端还没有接受过这个令牌，而眼下正有许多这样的令牌在尝试连接。什么都没有发送。",
    recovery: "十秒后再试。",
  },
  "tool.backend.timeout.read": {
    message: "后端没有及时应答。",
    recovery: byReader({
      model: say`请稍后再试；${command("doctor")} 会显示它是否有应答。`,
      endpoint: ASK_OPERATOR,
    }),
    recoveryOfWrite: byReader({
      model: say`请先查看是否已经生效，再决定是否重新调用；${command("doctor")} 会显示它是否有应答。`,
      room: PAGE_FIRST,
      endpoint: OPERATOR_LATER,
    }),
  },
  "tool.backend.timeout.outcome_unknown": {
    message: "{operation}的应答丢失了，不知道是否已经生效。",
    recovery: "请再试一次：重复执行的效果相同。",
    recoveryOfWrite: byReader({ model: "先查看状态，再决定是否重做。", room: PAGE_FIRST }),
  },
  "tool.backend.timeout.submit_outcome_unknown": {
    message: "提交的应答丢失了：协商可能已经存在。这个后端既不能列出也不能取消它，其文本可能在约五分钟后广播。",
    recovery: byReader({
      model: "请告知当事人。十分钟内相同的需求会被拒绝，除非带 allow_duplicate。",
      person: say`十分钟内相同的需求会被拒绝，除非加 allow_duplicate=true。已知的情况：${command("list")}`,
      room: "十分钟内相同的需求会被拒绝。",
    }),
  },
  "tool.backend.timeout.registration_outcome_unknown": {
    message: "注册的应答丢失了：资料可能已经存入。",
    recovery: "请原样再发一次：不会存成两份；如果已在场景中，会如实说明。",
  },
  "tool.backend.timeout.scene_outcome_unknown": {
    message: "应答丢失了：场景可能已经创建。",
    recovery: "请先在场景列表中查找：再创建一次，可能会出现两个同名场景。",
  },
  "tool.backend.invalid.not_json": {
    message: "应答的不是后端（不是 JSON）：可能是代理或登录页。",
    recovery: say`请检查地址和中间的代理：${command("doctor")}`,
  },
  "tool.backend.invalid.not_towow": {
    message: "{address} 上的应答不像通爻网络：它返回状态 {status}，内容不是 JSON。",
    recovery: say`请检查地址（${command("doctor")}），或选择另一个网络：${command("network")}`,
  },
  "tool.backend.invalid.not_http": {
    message: "{origin} 上应答的不是 HTTP 服务。",
    recovery: byReader({
      model: say`请当事人更正地址，包括 http 或 https 以及端口：${command("network")}`,
      person: say`请更正地址，包括 http 或 https 以及端口：${command("network")}`,
    }),
  },
  "tool.backend.invalid.cut_body": {
    message: "后端还没答完，连接就断开了。",
    recovery: "请稍后再试。",
    recoveryOfWrite: byReader({ model: "请先查看是否已经生效，再决定是否重新调用。", room: PAGE_FIRST }),
  },
  "tool.backend.invalid.wrong_shape": {
    message: "{operation}时，后端的应答这个版本无法理解（{field}）。",
    recovery: say`请检查后端的地址和版本：${command("doctor")}`,
  },
  "tool.backend.invalid.too_large": {
    message: "后端的应答超出本程序的上限。",
    recovery: say`请检查后端的地址：${command("doctor")}`,
  },
  "tool.backend.invalid.redirect": {
    message: "后端重定向到了别处（{target}）；令牌不会发到那里。",
    recovery: say`请自行填写最终地址：${command("network")}`,
  },
  "tool.backend.conflict.unexpected": {
    message: "{operation}时，后端返回了状态 {status}。",
    recovery: "请先查看详情，再决定下一步。",
  },
  "tool.backend.internal.unexpected": {
    message: "本程序内部出错。",
    recovery: byReader({
      model: say`再试一次；如仍出错，请报告问题，并附上这个命令的输出：${command("doctor")}`,
      room: "请再试一次；如再次出现，请报告。",
      endpoint: ASK_OPERATOR,
    }),
    recoveryOfWrite: byReader({
      model: say`请先查看是否已经生效，再决定是否重新调用，并报告问题，附上这个命令的输出：${command("doctor")}`,
      room: PAGE_FIRST,
      endpoint: OPERATOR_LATER,
    }),
  },
  "tool.backend.internal.output_invalid": {
    message: "{tool} 的结果不符合约定的结构。",
    recovery: byReader({
      model: say`请报告问题，并附上这个命令的输出：${command("doctor")}`,
      room: "请报告这个问题。",
    }),
  },
};
