import { reportEn } from "./report.en.ts";
import { reportZh } from "./report.zh.ts";

export type ReportTexts = typeof reportEn;

/** What a comparison, a brief and a report say, in both languages. */
export const reportTexts = (lang: "zh" | "en"): ReportTexts => (lang === "zh" ? reportZh : reportEn);
