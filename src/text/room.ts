import { roomEn } from "./room.en.ts";
import { roomZh } from "./room.zh.ts";

export type RoomTexts = typeof roomEn;

/** Returns what the negotiation room says, in one language. */
export const roomTexts = (lang: "zh" | "en"): RoomTexts => (lang === "zh" ? roomZh : roomEn);
