import { backendEn } from "./errors/backend.en.ts";
import type { ErrorText } from "./errors/error-text.ts";
import { inputEn } from "./errors/input.en.ts";
import { negotiationEn } from "./errors/negotiation.en.ts";
import { settingsEn } from "./errors/settings.en.ts";

const all = { ...inputEn, ...negotiationEn, ...settingsEn, ...backendEn };

/** The sentences of every error in English, by its code. */
export const errorsEn: Record<keyof typeof all, ErrorText> = all;
