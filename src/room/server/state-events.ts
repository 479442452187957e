import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { Clock } from "../../clock.ts";
import { failureOf, type Log } from "../../log.ts";
import type { Room } from "../room.ts";
import { writtenOnce } from "../written-once.ts";

export interface EventsDeps {
  clock: Clock;
  log: Log;
}

/**
 * So often the time is sent, in ms: nothing between here and the browser takes the stream for dead, a browser notices a
 * program that hangs, and one whose machine has slept learns how long.
 */
const HEARTBEAT_MS = 5_000;

/**
 * The room as it changes, as server-sent events. A browser that reads slowly gets the newest state when it comes to it,
 * and none of those between. One that may not be here any more gets nothing more.
 */
export function stateEvents(
  c: Context,
  room: Room,
  mayStay: () => Promise<boolean>,
  { clock, log }: EventsDeps,
): Response {
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
    try {
      while (!stream.aborted && !stream.closed) {
        const snapshot = newest;
        newest = undefined;
        if (!(await mayStay())) break;
        if (snapshot !== undefined)
          await stream.writeSSE({
            event: "state",
            data: `{"room":${JSON.stringify(room.id)},"revision":${snapshot.revision},"now":${clock.now()},"uiSpec":${writtenOnce(snapshot.uiSpec)}}`,
          });
        else await stream.writeSSE({ event: "now", data: `${clock.now()}` });
        if (newest === undefined)
          await Promise.race([
            new Promise<void>((resolve) => {
              wake = resolve;
            }),
            stream.sleep(HEARTBEAT_MS),
          ]);
      }
    } catch (error) {
      log.warn("room_events_failed", { error: failureOf(error) }); // the browser comes again
    } finally {
      unsubscribe(); // a listener that is left would keep the room open for ever
    }
  });
}
