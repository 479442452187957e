import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { ChatPages } from "../mcp/server-deps.ts";
import { once } from "../once.ts";
import { QUESTION_FILE } from "../question/chat-wire.ts";

/** Returns the page in the chat from below the package's folder, or undefined if the build has not made it. */
export function chatPagesIn(root: URL): ChatPages | undefined {
  const file = new URL(`dist/${QUESTION_FILE}`, root);
  if (!existsSync(file)) return undefined;
  // Most programs never draw the page, so its code is loaded with the page's first call.
  const rooms = once(async () => new (await import("../room/chat-rooms.ts")).ChatRooms());
  return {
    html: () => readFile(file, "utf8"),
    answer: async (call, about) => (await rooms()).answer(call, about),
  };
}
