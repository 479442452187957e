import type { Context } from "hono";
import { type Texts, textsOf } from "../../text/index.ts";

/** The sentences in the language that the browser prefers. */
export const textsFor = (c: Context): Texts =>
  textsOf(/^zh\b/i.test(c.req.header("accept-language") ?? "") ? "zh" : "en");
