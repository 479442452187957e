import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { failureOf } from "../../log.ts";
import type { Platform } from "../../platform.ts";
import type { Room } from "../room.ts";
import { writtenOnce } from "../written-once.ts";

/**
 * How often the time is sent, in ms. The time shows proxies that the stream is alive, lets a browser notice that the
 * program hangs, and corrects the clock of a browser whose machine has slept.
 */
const HEARTBEAT_MS = 5_000;

/**
 * Streams the room's changes as server-sent events. A browser that reads slowly gets only the newest state, and one that
 * may not stay gets nothing more.
 */
export function stateEvents(
  { clock, log }: Platform,
  c: Context,
  room: Room,
  mayStay: () => Promise<boolean>,
): Response {
  c.header("X-Accel-Buffering", "no"); // A proxy that buffers would deliver old states.
  return streamSSE(c, async (stream) => {
    const drawn = () => ({ ...room.show(), revision: room.revision });
    let newest: ReturnType<typeof drawn> | undefined = drawn();
    let wake = () => {};
    const unsubscribe = room.subscribe(() => {
      newest = drawn();
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
      log.warn("room_events_failed", { error: failureOf(error) }); // The browser connects again.
    } finally {
      unsubscribe(); // A remaining listener would keep the room open for ever.
    }
  });
}
