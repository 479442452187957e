import { NEWER } from "../newer.ts";
import { DECIDERS } from "../question/who.ts";
import { decidedByTexts } from "./decided-by.ts";

interface Words {
  en: string;
  zh: string;
}

const [decidedByEn, decidedByZh] = [decidedByTexts("en"), decidedByTexts("zh")];

/** The words for who decided, in a sentence about a decision that stands. */
const DECIDED: Readonly<Record<string, Words>> = {
  ...Object.fromEntries(DECIDERS.map((by) => [by, { en: decidedByEn[by], zh: decidedByZh[by] }])),
  [NEWER]: { en: decidedByEn[NEWER], zh: decidedByZh[NEWER] },
  backend: { en: "at the backend", zh: "在后端" },
};

/** The words for the codes in a sentence about a decision: what was decided, what came of it, and who decided. */
const WORDS: Readonly<Record<string, Words>> = {
  ...DECIDED,
  accept: { en: "confirmed", zh: "已确认" },
  edit: { en: "confirmed with another text", zh: "已用另一份文本确认" },
  reject: { en: "withdrawn", zh: "已撤回" },
  cancel: { en: "withdrawn", zh: "已撤回" },
  client: { en: "withdrawn", zh: "已撤回" },
  withdraw: { en: "withdrawn undecided", zh: "到期无人决定，已撤回" },
  accept_pending: {
    en: "confirmed, with no sign yet that the backend received it",
    zh: "已确认，但还看不出后端是否收到",
  },
  edit_pending: {
    en: "confirmed with another text, with no sign yet that the backend received it",
    zh: "已用另一份文本确认，但还看不出后端是否收到",
  },
  reject_pending: {
    en: "withdrawn, with no sign yet that the backend received it",
    zh: "已撤回，但还看不出后端是否收到",
  },
  cancel_pending: {
    en: "withdrawn, with no sign yet that the backend received it",
    zh: "已撤回，但还看不出后端是否收到",
  },
  client_pending: {
    en: "withdrawn, with no sign yet that the backend received it",
    zh: "已撤回，但还看不出后端是否收到",
  },
  withdraw_pending: {
    en: "to be withdrawn undecided, with no sign yet that the backend received it",
    zh: "到期无人决定，正在撤回，但还看不出后端是否收到",
  },
  newer_pending: { en: "decided, in a way that this version does not know", zh: "已有决定，但这个版本不认识" },
  auto_confirmed: { en: "went on by itself", zh: "已自行继续" },
  confirmed: { en: "confirmed", zh: "已确认" },
  cancelled: { en: "withdrawn", zh: "已撤回" },
  ended: { en: "over", zh: "已结束" },
  not_found: { en: "not found", zh: "找不到" },
  none: { en: "over", zh: "已结束" },
};

/** Returns the words for a code about a decision, or undefined if the code has none. */
export const decisionIn = (lang: "zh" | "en", code: string): string | undefined => WORDS[code]?.[lang];

/** What the backend was asked to do, by the client's method. In English the words follow "to". */
const OPERATIONS: Readonly<Record<string, Words>> = {
  createScene: { en: "create a scene", zh: "创建场景" },
  listScenes: { en: "list scenes", zh: "列出场景" },
  registerAgent: { en: "register a profile", zh: "注册资料" },
  listAgents: { en: "list the agents of a scene", zh: "列出场景中的 Agent" },
  submitDemand: { en: "start a negotiation", zh: "提交需求" },
  getNegotiation: { en: "show a negotiation", zh: "读取协商" },
  confirm: { en: "record a decision", zh: "提交决定" },
  action: { en: "act on a negotiation", zh: "操作协商" },
  requestToken: { en: "issue a token", zh: "申请令牌" },
};

/** Returns the words for an operation, or undefined if the operation has none. */
export const operationIn = (lang: "zh" | "en", operation: string): string | undefined => OPERATIONS[operation]?.[lang];
