import { en, type Texts } from "./en.ts";
import { type Others, spoken } from "./for-person.ts";
import { zh } from "./zh.ts";

/**
 * What reads otherwise where the settings are the operator's and the token is the client's: no command of the person's
 * own machine reaches either. `room`: the address of their negotiation room; undefined where this endpoint has none.
 */
type AtEndpoint = Pick<Others, "errors" | "note" | "pause" | "task" | "pageQuestion">;

const ASK_OPERATOR = "Try again in a moment; if this goes on, tell the operator of this endpoint.";
const ASK_OPERATOR_FIRST =
  "Find out whether it took effect before you call again; if this goes on, tell the operator of this endpoint.";
const FAILED = { recovery: ASK_OPERATOR, recoveryOfWrite: ASK_OPERATOR_FIRST };
const STATUS = "Look at its status: towow_status";
const OPERATORS = "Tell the operator of this endpoint: only they can change its backend.";

/** Where the person decides, as the end of a sentence; `command`: of their own towow-mcp. */
const enWhere = (room: string | undefined, command: string, whose = "their"): string =>
  room === undefined
    ? `with ${whose} own towow-mcp, in the same network and with the same token: towow-mcp ${command}`
    : `in ${whose} room, which opens once ${whose === "your" ? "you have" : "they have"} signed in with ${whose} Towow token: ${room}`;

const setBy = (what: string): string =>
  `${what} is set in the person's client entry or by the operator of this endpoint; ask the person.`;

const enOthers = (room: string | undefined): AtEndpoint => ({
  pause: {
    inTerminal: (id) => enWhere(room, `confirm ${id}`),
    readsOnly: "The profile read_only is set: nothing can be broadcast from here, only withdrawn.",
    editNotInForm: "A form cannot decide on an AI's text, and this client cannot open a page.",
  },
  task: {
    undecided: (id) =>
      `Not decided yet: nothing was sent. You are asked again, or decide ${enWhere(room, `confirm ${id}`, "your")}`,
    onPage: (id) =>
      `Not decided yet: nothing was sent. Decide on the page that is open, or ${enWhere(room, `confirm ${id}`, "your")}`,
    pageDeclined: (id) =>
      `The page was not opened, which decides nothing: nothing was sent. Without a decision the demand is withdrawn, never broadcast. You are asked again, or decide ${enWhere(room, `confirm ${id}`, "your")}`,
    noSurface: (id) =>
      `That answer had no effect: it came from a form or page this client does not have. Decide ${enWhere(room, `confirm ${id}`, "your")}`,
    typedTooLong: (id) =>
      `Your text is too long for this client's forms. Send it ${enWhere(room, `confirm ${id}`, "your")}`,
  },
  pageQuestion: { terminal: (id) => `Or ${enWhere(room, `confirm ${id}`, "your")}` },
  errors: {
    "tool.scene.not_found.unknown_scene": { recovery: "Check the id, or look for the scene: towow_join" },
    "tool.negotiation.not_found.unknown_negotiation": {
      recovery: "Check the id; a backend that was restarted forgets its negotiations.",
    },
    "tool.negotiation.not_found.other_backend": {
      recovery: "It can be read and decided on where its own backend is set.",
    },
    "tool.negotiation.conflict.already_decided": {
      recovery: "Look at its status (towow_status); for anything else, submit a new demand.",
    },
    "tool.negotiation.unavailable.no_on_its_way": { recovery: STATUS },
    "tool.negotiation.conflict.not_waiting": { recovery: STATUS },
    "tool.negotiation.conflict.not_formulated": { recovery: STATUS },
    "tool.negotiation.conflict.already_completed": { recovery: "Look at how it ended: towow_status" },
    "tool.policy.blocked.confirmation_required": { recovery: `The person decides ${enWhere(room, "{args}")}` },
    "tool.policy.blocked.in_no_form": {
      recovery: `A shorter profile fits a form. This one the person sends ${enWhere(room, "{args}")}`,
    },
    "tool.policy.blocked.too_many_windows": { recovery: `The person does it ${enWhere(room, "{args}")}` },
    "tool.policy.blocked.tainted": { recovery: `The person does it themselves, ${enWhere(room, "{args}")}` },
    "tool.policy.blocked.not_submitted_here": {
      recovery: `It can be read. The person decides on it ${enWhere(room, "{args}")}`,
    },
    "tool.policy.blocked.inactive_toolset": {
      recovery:
        "Go on without it, or ask the person to put ?toolset={toolset} into the address of their client's entry.",
    },
    "tool.policy.blocked.tool_left_out": { recovery: `Go on without it. ${setBy("{setting}")}` },
    "tool.policy.blocked.profile": { recovery: setBy("The profile") },
    "tool.policy.blocked.offline": { recovery: setBy("The profile") },
    "tool.policy.blocked.dry_run": { recovery: `To send it, the profile has to be live. ${setBy("It")}` },
    "tool.budget.blocked.negotiations": { recovery: setBy("The limit, budget_max_negotiations,") },
    "tool.budget.blocked.backend_requests": { recovery: setBy("The limit, budget_max_backend_requests,") },
    "tool.config.timeout.locked": FAILED,
    "tool.auth.unavailable.token": { recovery: ASK_OPERATOR },
    "tool.auth.unauthorized.token_rejected": {
      message: "The backend does not accept the token that this client sends.",
      recovery: "Ask the person to check it, where their client's entry for this endpoint names the token.",
    },
    "tool.auth.blocked.forbidden": {
      recovery: "Ask the person whether the account of the token that this client sends may do it.",
    },
    "tool.config.unavailable.home_unwritable": {
      message: "This endpoint cannot save anything right now.",
      recovery: "Tell the operator of this endpoint; its log has more.",
    },
    "tool.backend.unavailable.unreachable": { recovery: ASK_OPERATOR },
    "tool.backend.blocked.connection": { recovery: OPERATORS },
    "tool.backend.unavailable.route_missing": { recovery: "Go on without it." },
    "tool.backend.unavailable.server_error": FAILED,
    "tool.backend.timeout.read": FAILED,
    "tool.backend.invalid.not_json": { recovery: OPERATORS },
    "tool.backend.invalid.not_towow": { recovery: OPERATORS },
    "tool.backend.invalid.not_http": { recovery: OPERATORS },
    "tool.backend.invalid.wrong_shape": { recovery: OPERATORS },
    "tool.backend.invalid.too_large": { recovery: OPERATORS },
    "tool.backend.invalid.redirect": { recovery: OPERATORS },
    "tool.backend.internal.unexpected": FAILED,
    "tool.backend.internal.output_invalid": { recovery: "Tell the operator of this endpoint; its log has more." },
  },
  note: {
    review_pending: "This result is worth a second look by the person.",
    page_declined:
      "The page was not opened, which decides nothing. The person can still decide on it. Without a decision, this demand is withdrawn and never broadcast.",
  },
});

const ASK_OPERATOR_ZH = "请稍后再试；如果一直如此，请联系这个服务的管理员。";
const ASK_OPERATOR_FIRST_ZH = "请先查看是否已经生效，再决定是否重新调用；如果一直如此，请联系这个服务的管理员。";
const FAILED_ZH = { recovery: ASK_OPERATOR_ZH, recoveryOfWrite: ASK_OPERATOR_FIRST_ZH };
const STATUS_ZH = "查看状态：towow_status";
const OPERATORS_ZH = "请联系这个服务的管理员：只有管理员能更改它的后端。";

/** Where the person does it; in Chinese the place stands before the verb. */
const zhWhere = (room: string | undefined, command: string, verb: string): string =>
  room === undefined
    ? `用自己的 towow-mcp ${verb}（同一个网络、同一个令牌）：towow-mcp ${command}`
    : `在自己的协商室里${verb}（用通爻令牌登录后打开）：${room}`;

const setByZh = (what: string): string => `${what}由客户端配置或这个服务的管理员设置，请询问当事人。`;

const zhOthers = (room: string | undefined): AtEndpoint => ({
  pause: {
    inTerminal: (id) => zhWhere(room, `confirm ${id}`, "操作"),
    readsOnly: "这里设置了 profile read_only：不能广播，只能撤回。",
    editNotInForm: "AI 写的文本不在表单里决定，而这个客户端打不开页面。",
  },
  task: {
    undecided: (id) => `尚未决定：什么都没有发送。之后会再次问你，你也可以${zhWhere(room, `confirm ${id}`, "决定")}`,
    onPage: (id) => `尚未决定：什么都没有发送。请在已打开的页面上决定，或者${zhWhere(room, `confirm ${id}`, "决定")}`,
    pageDeclined: (id) =>
      `页面没有打开，这不算决定：什么都没有发送。不作决定则撤回这个需求，不会广播。之后会再次问你，你也可以${zhWhere(room, `confirm ${id}`, "决定")}`,
    noSurface: (id) =>
      `这个回答没有生效：它来自这个客户端没有的表单或页面。请${zhWhere(room, `confirm ${id}`, "决定")}`,
    typedTooLong: (id) => `你的文本太长，这个客户端的表单放不下。请${zhWhere(room, `confirm ${id}`, "发送")}`,
  },
  pageQuestion: { terminal: (id) => `也可以${zhWhere(room, `confirm ${id}`, "决定")}` },
  errors: {
    "tool.scene.not_found.unknown_scene": { recovery: "请检查 ID，或查找场景：towow_join" },
    "tool.negotiation.not_found.unknown_negotiation": { recovery: "请检查 ID；重启过的后端会丢失协商。" },
    "tool.negotiation.not_found.other_backend": { recovery: "请在设置了它所属后端的地方查看和决定。" },
    "tool.negotiation.conflict.already_decided": {
      recovery: "查看状态（towow_status）；如有其他需要，请另提需求。",
    },
    "tool.negotiation.unavailable.no_on_its_way": { recovery: STATUS_ZH },
    "tool.negotiation.conflict.not_waiting": { recovery: STATUS_ZH },
    "tool.negotiation.conflict.not_formulated": { recovery: STATUS_ZH },
    "tool.negotiation.conflict.already_completed": { recovery: "查看它如何结束：towow_status" },
    "tool.policy.blocked.confirmation_required": { recovery: `请当事人${zhWhere(room, "{args}", "决定")}` },
    "tool.policy.blocked.in_no_form": {
      recovery: `短一些的资料放得进表单。这一份请当事人${zhWhere(room, "{args}", "发送")}`,
    },
    "tool.policy.blocked.too_many_windows": { recovery: `请当事人${zhWhere(room, "{args}", "操作")}` },
    "tool.policy.blocked.tainted": { recovery: `请当事人亲自${zhWhere(room, "{args}", "操作")}` },
    "tool.policy.blocked.not_submitted_here": { recovery: `可以查看。请当事人${zhWhere(room, "{args}", "决定")}` },
    "tool.policy.blocked.inactive_toolset": {
      recovery: "可以不用它继续，或请当事人在客户端配置的地址里加上 ?toolset={toolset}。",
    },
    "tool.policy.blocked.tool_left_out": { recovery: `可以不用它继续。${setByZh("{setting} ")}` },
    "tool.policy.blocked.profile": { recovery: setByZh("profile ") },
    "tool.policy.blocked.offline": { recovery: setByZh("profile ") },
    "tool.policy.blocked.dry_run": { recovery: `要真正发送，profile 须为 live。${setByZh("它")}` },
    "tool.budget.blocked.negotiations": { recovery: setByZh("上限 budget_max_negotiations ") },
    "tool.budget.blocked.backend_requests": { recovery: setByZh("上限 budget_max_backend_requests ") },
    "tool.config.timeout.locked": FAILED_ZH,
    "tool.auth.unavailable.token": { recovery: ASK_OPERATOR_ZH },
    "tool.auth.unauthorized.token_rejected": {
      message: "后端不接受这个客户端发送的令牌。",
      recovery: "请当事人检查客户端配置中用于这个服务的令牌。",
    },
    "tool.auth.blocked.forbidden": { recovery: "请询问当事人：客户端所用令牌的账号是否有权限。" },
    "tool.config.unavailable.home_unwritable": {
      message: "这个服务现在无法记录发生的事。",
      recovery: "请联系这个服务的管理员，日志里有详情。",
    },
    "tool.backend.unavailable.unreachable": { recovery: ASK_OPERATOR_ZH },
    "tool.backend.blocked.connection": { recovery: OPERATORS_ZH },
    "tool.backend.unavailable.route_missing": { recovery: "可以不用它继续。" },
    "tool.backend.unavailable.server_error": FAILED_ZH,
    "tool.backend.timeout.read": FAILED_ZH,
    "tool.backend.invalid.not_json": { recovery: OPERATORS_ZH },
    "tool.backend.invalid.not_towow": { recovery: OPERATORS_ZH },
    "tool.backend.invalid.not_http": { recovery: OPERATORS_ZH },
    "tool.backend.invalid.wrong_shape": { recovery: OPERATORS_ZH },
    "tool.backend.invalid.too_large": { recovery: OPERATORS_ZH },
    "tool.backend.invalid.redirect": { recovery: OPERATORS_ZH },
    "tool.backend.internal.unexpected": FAILED_ZH,
    "tool.backend.internal.output_invalid": { recovery: "请联系这个服务的管理员；服务的日志里有更多信息。" },
  },
  note: {
    review_pending: "这个结果值得当事人再看一眼。",
    page_declined: "页面没有打开，这不算决定。当事人仍可在页面上决定；如果一直不决定，这个需求会被撤回，不会广播。",
  },
});

/** Every sentence of one language, for the AI of a person whose client sends its own token to an endpoint. */
export const textsAtEndpoint = (lang: "zh" | "en", room?: string | undefined): Texts =>
  lang === "zh" ? spoken(zh, zhOthers(room)) : spoken(en, enOthers(room));
