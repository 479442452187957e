import type { Clock } from "../../clock.ts";

/** Somebody else must learn of the end of a response, and these say who and when. */
export interface HttpAnswer {
  response: Response;
  onEnd?: () => void;
}

export interface StreamEvents {
  /** The reader has fallen too far behind, and the stream was ended. */
  onUnread: () => void;
  /** The response is over, however it ended. */
  onEnd: () => void;
  /** We end the stream in so many milliseconds, and send this last. */
  deadline?: { ms: number; clock: Clock; last: string } | undefined;
}

/** A client that leaves more than this unread is let go. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/**
 * Gives the same response, reports its end, and ends its event stream when its reader falls too far behind: what
 * is sent to a client that never reads would pile up here for as long as its session lasts.
 */
export function followStream(response: Response, { onUnread, onEnd, deadline }: StreamEvents): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const body = isStream ? response.body : null; // asked for, it becomes a stream where it was none
  if (body === null) {
    onEnd();
    return response;
  }
  const reader = body.getReader();
  let ended = false;
  let cancelDeadline = () => {};
  const end = () => {
    if (ended) return;
    ended = true;
    cancelDeadline();
    onEnd();
  };
  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (ended) return;
        if (done) break;
        if ((controller.desiredSize ?? 0) <= 0) {
          onUnread();
          end(); // its deadline must not write to what is closed
          controller.close(); // a slow client sees the end and asks for the rest; who reads nothing loses the socket
          await reader.cancel();
          return;
        }
        controller.enqueue(value);
      }
      controller.close();
    } catch (error) {
      controller.error(error);
    } finally {
      end();
    }
  };
  const bounded = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (deadline !== undefined)
          cancelDeadline = deadline.clock.after(deadline.ms, () => {
            end();
            controller.enqueue(new TextEncoder().encode(deadline.last));
            controller.close();
            reader.cancel().catch(() => {});
          });
        void pump(controller);
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
  );
  return new Response(bounded, response);
}
