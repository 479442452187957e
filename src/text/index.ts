import { en, type Texts } from "./en.ts";
import { zh } from "./zh.ts";

export type { Texts } from "./en.ts";

/** Every sentence of one language. */
export const textsOf = (lang: "zh" | "en"): Texts => (lang === "zh" ? zh : en);
