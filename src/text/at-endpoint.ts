import { en, type Texts } from "./en.ts";
import { type Others, spoken } from "./for-person.ts";
import { zh } from "./zh.ts";

/**
 * What reads otherwise where the settings are the operator's and the token is the client's: no command of the person's
 * own machine reaches either.
 */
type AtEndpoint = Pick<Others, "errors" | "note">;

const ASK_OPERATOR = "Try again in a moment; if this goes on, tell the operator of this endpoint.";
const ASK_OPERATOR_FIRST =
  "Find out whether it took effect before you call again; if this goes on, tell the operator of this endpoint.";
const FAILED = { recovery: ASK_OPERATOR, recoveryOfWrite: ASK_OPERATOR_FIRST };
const OPERATORS = "Tell the operator of this endpoint: only they can change its backend.";

const enOthers: AtEndpoint = {
  errors: {
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
  note: { review_pending: "This result is worth a second look by the person." },
};

const ASK_OPERATOR_ZH = "请稍后再试；如果一直如此，请联系这个服务的管理员。";
const ASK_OPERATOR_FIRST_ZH = "请先查看是否已经生效，再决定是否重新调用；如果一直如此，请联系这个服务的管理员。";
const FAILED_ZH = { recovery: ASK_OPERATOR_ZH, recoveryOfWrite: ASK_OPERATOR_FIRST_ZH };
const OPERATORS_ZH = "请联系这个服务的管理员：只有管理员能更改它的后端。";

const zhOthers: AtEndpoint = {
  errors: {
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
  note: { review_pending: "这个结果值得当事人再看一眼。" },
};

const enAtEndpoint = spoken(en, enOthers);
const zhAtEndpoint = spoken(zh, zhOthers);

/** Every sentence of one language, for the AI of a person whose client sends its own token to an endpoint. */
export const textsAtEndpoint = (lang: "zh" | "en"): Texts => (lang === "zh" ? zhAtEndpoint : enAtEndpoint);
