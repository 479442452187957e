import { backendZh } from "./errors/backend.zh.ts";
import type { ErrorText } from "./errors/error-text.ts";
import { inputZh } from "./errors/input.zh.ts";
import { negotiationZh } from "./errors/negotiation.zh.ts";
import { settingsZh } from "./errors/settings.zh.ts";
import type { errorsEn } from "./errors.en.ts";

export const errorsZh: Record<keyof typeof errorsEn, ErrorText> = {
  ...inputZh,
  ...negotiationZh,
  ...settingsZh,
  ...backendZh,
};
