import type { Newer } from "../newer.ts";
import type { DecidedBy } from "../question/who.ts";

type Words = Readonly<Record<DecidedBy | Newer, string>>;

/** Who made a decision, or on which surface, as every surface says it afterwards. */
const en: Words = {
  form: "in the client's form",
  page: "on the page",
  terminal: "in a terminal",
  argument: "passed on by the AI",
  client: "by the client",
  guard: "by the program that watches the deadline",
  shutdown: "as the program ended",
  newer: "by a newer version of this program",
};

const zh: Words = {
  form: "在客户端表单中",
  page: "在页面上",
  terminal: "在终端中",
  argument: "由 AI 转达",
  client: "由客户端",
  guard: "由守着截止时间的程序",
  shutdown: "因程序结束",
  newer: "由新版本的程序",
};

export const decidedByTexts = (lang: "zh" | "en"): Words => (lang === "zh" ? zh : en);
