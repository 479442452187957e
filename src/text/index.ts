import { en, type Texts } from "./en.ts";
import { zh } from "./zh.ts";

export type { Texts } from "./en.ts";
export type { ErrorText } from "./errors/error-text.ts";

/** Every sentence of one language. */
export const textsOf = (lang: "zh" | "en"): Texts => (lang === "zh" ? zh : en);
