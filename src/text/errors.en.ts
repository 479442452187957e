import { backendEn } from "./errors/backend.en.ts";
import { inputEn } from "./errors/input.en.ts";
import { negotiationEn } from "./errors/negotiation.en.ts";
import { settingsEn } from "./errors/settings.en.ts";

/** Every error, by its code. */
export const errorsEn = { ...inputEn, ...negotiationEn, ...settingsEn, ...backendEn };
