import type { RoomMessage } from "./room-state.ts";

/** What was said in a session, as an outside agent gets it (seed 002 §4.2). */
export interface HistoryMessage {
  role: "user" | "agent";
  text: string;
  stage: RoomMessage["stage"];
  /** Ms since the epoch. */
  at: number;
}

export const historyOf = (messages: readonly RoomMessage[]): HistoryMessage[] =>
  messages.map(({ from, text, stage, at }) => ({ role: from === "agent" ? "agent" : "user", text, stage, at }));
