import { type HelpTexts, helpEn } from "./help.en.ts";
import { helpZh } from "./help.zh.ts";

export type { HelpTexts } from "./help.en.ts";

/** Returns the help of the command line, in one language. */
export const helpTexts = (lang: "zh" | "en"): HelpTexts => (lang === "zh" ? helpZh : helpEn);
