import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { Room } from "../room.ts";
import { writtenOnce } from "../written-once.ts";

/** So often something is sent, so that nothing between here and the browser takes the stream for dead, in ms. */
const HEARTBEAT_MS = 15_000;

/**
 * The room as it changes, as server-sent events. A browser that reads slowly gets the newest state when it comes to it,
 * and none of those between. One that may not be here any more gets nothing more.
 */
export function stateEvents(c: Context, room: Room, mayStay: () => Promise<boolean>): Response {
  c.header("X-Accel-Buffering", "no"); // a proxy that waits for more would show the past
  return streamSSE(c, async (stream) => {
    const shown = () => ({ ...room.show(), revision: room.revision });
    let newest: ReturnType<typeof shown> | undefined = shown();
    let wake = () => {};
    const unsubscribe = room.subscribe(() => {
      newest = shown();
      wake();
    });
    stream.onAbort(() => {
      unsubscribe();
      wake();
    });
    while (!stream.aborted && !stream.closed) {
      const snapshot = newest;
      newest = undefined;
      if (!(await mayStay())) break;
      if (snapshot !== undefined)
        await stream.writeSSE({
          event: "state",
          data: `{"revision":${snapshot.revision},"uiSpec":${writtenOnce(snapshot.uiSpec)}}`,
        });
      else await stream.write(": still here\n\n");
      if (newest === undefined)
        await Promise.race([
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
          stream.sleep(HEARTBEAT_MS),
        ]);
    }
    unsubscribe();
  });
}
