import { type HelpTexts, helpEn } from "./help.en.ts";
import { helpZh } from "./help.zh.ts";

export type { HelpTexts } from "./help.en.ts";

/** Returns what the command line says about itself, in one language. */
export const helpTexts = (lang: "zh" | "en"): HelpTexts => (lang === "zh" ? helpZh : helpEn);
