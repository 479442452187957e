import type { ServerContext } from "@modelcontextprotocol/server";
import { failureOf, type Log } from "../log.ts";
import { turn } from "../turn.ts";

/** Sends a call's progress to a client that asked for it (contract §5). */
export interface Progress {
  tell(message: string): void;
  /**
   * Ends the progress, so that later messages are not sent. Resolves, once all earlier messages are out, with how many
   * were sent in this and earlier rounds of the call. The promise resolves in a later round of the event loop, because
   * a client that reads a progress message together with the answer may no longer know the call.
   */
  end(): Promise<number>;
}

/**
 * Makes the progress of a call. `sent` is how many messages earlier rounds of the same call have sent. Clients print
 * the number of a message, so the numbers go on from `sent`.
 */
export function createProgress({ mcpReq }: Pick<ServerContext, "mcpReq">, sent: number, log: Log): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  let count = sent;
  let sending: Promise<void> | undefined;
  let isOver = false;
  return {
    tell(message) {
      if (progressToken === undefined || isOver) return;
      const params = { progressToken, progress: ++count, message };
      const before = sending;
      const now = mcpReq
        .notify({ method: "notifications/progress", params })
        .catch((error) => log.debug("progress_unsent", { error: failureOf(error) }));
      sending = Promise.all([before, now]).then(() => {});
    },
    async end() {
      isOver = true;
      await sending;
      if (sending !== undefined) await turn();
      return count;
    },
  };
}
