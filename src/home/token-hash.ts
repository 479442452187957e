import { hash } from "node:crypto";

/** Under which the file says whose a token is: a token itself stands in one place only. */
export const tokenHash = (token: string): string => hash("sha256", token).slice(0, 32);
