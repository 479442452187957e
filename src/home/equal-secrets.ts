import { createHash, timingSafeEqual } from "node:crypto";

/** Whether two secrets are the same, in a time that does not depend on where they differ. */
export const equalSecrets = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

/** Digests are of one length, which is what a comparison in constant time needs. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
