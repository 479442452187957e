import { reportEn } from "./report.en.ts";
import { reportZh } from "./report.zh.ts";

export type ReportTexts = typeof reportEn;

/** Returns what a comparison, a brief and a report say, in one language. */
export const reportTexts = (lang: "zh" | "en"): ReportTexts => (lang === "zh" ? reportZh : reportEn);
