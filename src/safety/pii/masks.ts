import type { PiiKind } from "./spans.ts";

/** The words that replace masked personal data, by its kind. */
export const MASKS: Readonly<Record<PiiKind, string>> = {
  email: "[e-mail hidden]",
  phone: "[phone hidden]",
  resident_id: "[ID number hidden]",
  passport: "[passport hidden]",
  bank_card: "[bank card hidden]",
  wechat: "[WeChat hidden]",
  qq: "[QQ hidden]",
  address: "[address hidden]",
};

/** The masks in Chinese. No mask is wider than the English one, so that a layout stays as it is. */
const ZH: Readonly<Record<PiiKind, string>> = {
  email: "[邮箱已遮盖]",
  phone: "[电话已遮盖]",
  resident_id: "[身份证号已遮盖]",
  passport: "[护照号已遮盖]",
  bank_card: "[银行卡号已遮盖]",
  wechat: "[微信号已遮盖]",
  qq: "[QQ 已遮盖]",
  address: "[地址已遮盖]",
};

const KINDS = Object.keys(MASKS) as PiiKind[];

/**
 * Returns a value in which the masks in all texts are in the language of the person who reads it. Models always get
 * the English masks.
 */
export function withMasksIn<T>(lang: "zh" | "en", value: T): T {
  return lang === "en" ? value : (translated(value) as T);
}

function translated(value: unknown): unknown {
  if (typeof value === "string") return KINDS.reduce((text, kind) => text.replaceAll(MASKS[kind], ZH[kind]), value);
  if (Array.isArray(value)) return value.map(translated);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, translated(item)]));
}
