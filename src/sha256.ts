import { hash } from "node:crypto";
import { remembering } from "./remember.ts";

/** Returns the SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string): string => hash("sha256", text);

/** Does the same for texts that recur with every read. It keeps the texts in memory, so never use it for tokens. */
export const rememberedSha256 = remembering(sha256, 300, 4_000);
