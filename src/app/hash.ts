import { hash } from "node:crypto";
import { remembering } from "../remember.ts";

/** SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string): string => hash("sha256", text);

/** The same for what comes again with every read. Not for tokens: it remembers texts. */
export const rememberedSha256 = remembering(sha256, 300, 4_000);
