import type { ServerContext } from "@modelcontextprotocol/server";
import { failureOf, type Log } from "../log.ts";
import { turn } from "../turn.ts";

/** What a call says of how far it is, to a client that asked for it (contract §5). */
export interface Progress {
  tell(message: string): void;
  /**
   * Ends it; what is told from then on is not sent. Resolves once all of it is out, and in a later round of the event
   * loop: a client that reads a progress together with the answer takes it for one of no call. Gives how many were sent, in
   * this round of the call and in those before.
   */
  end(): Promise<number>;
}

/** `sent`: how many earlier rounds of the same call have sent. Clients print the number: it counts 1, 2, 3 across them. */
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
