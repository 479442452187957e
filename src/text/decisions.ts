import type { DecidedBy } from "../question/who.ts";

interface Words {
  en: string;
  zh: string;
}

/** Who decided, in a sentence about a decision that stands. */
const DECIDED: Readonly<Record<DecidedBy | "backend", Words>> = {
  form: { en: "in a form", zh: "在表单中" },
  page: { en: "on the page", zh: "在页面上" },
  terminal: { en: "in a terminal", zh: "在终端中" },
  argument: { en: "passed on by the AI", zh: "由 AI 转达" },
  guard: { en: "by the program that watches the deadline", zh: "由守着截止时间的程序" },
  shutdown: { en: "as the program ended", zh: "因程序结束" },
  backend: { en: "at the backend", zh: "在后端" },
};

/** The codes of such a sentence: what was decided, what came of it, and who decided. */
const WORDS: Readonly<Record<string, Words>> = {
  ...DECIDED,
  accept: { en: "confirmed", zh: "已确认" },
  edit: { en: "confirmed with another text", zh: "已用另一份文本确认" },
  reject: { en: "rejected", zh: "已拒绝" },
  cancel: { en: "cancelled", zh: "已取消" },
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
    en: "rejected, with no sign yet that the backend received it",
    zh: "已拒绝，但还看不出后端是否收到",
  },
  cancel_pending: {
    en: "cancelled, with no sign yet that the backend received it",
    zh: "已取消，但还看不出后端是否收到",
  },
  withdraw_pending: {
    en: "to be withdrawn undecided, with no sign yet that the backend received it",
    zh: "到期无人决定，正在撤回，但还看不出后端是否收到",
  },
  auto_confirmed: { en: "went on by itself", zh: "已自行继续" },
  confirmed: { en: "confirmed", zh: "已确认" },
  cancelled: { en: "cancelled", zh: "已取消" },
  ended: { en: "over", zh: "已结束" },
  not_found: { en: "not found", zh: "找不到" },
  none: { en: "over", zh: "已结束" },
};

/** What such a code means; undefined for one that has no words. */
export const decisionIn = (lang: "zh" | "en", code: string): string | undefined => WORDS[code]?.[lang];
