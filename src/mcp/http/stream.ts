import type { Clock } from "../../clock.ts";

/** A response, and a callback that must be called when the response is over. */
export interface HttpAnswer {
  response: Response;
  onEnd?: () => void;
}

export interface StreamEvents {
  /** Called when the reader has fallen too far behind and the stream was ended. */
  onUnread: () => void;
  /** Called when the response is over, however it ended. */
  onEnd: () => void;
  /** The time after which this endpoint ends the stream, in milliseconds from now, and the text that it sends last. */
  deadline?: { ms: number; clock: Clock; last: string } | undefined;
}

/** The most bytes that wait for a client to read them. A client that falls further behind loses its stream. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/**
 * Returns the same response, reports its end, and ends its event stream if the reader falls too far behind. Otherwise,
 * everything that is sent to a client that never reads would pile up here for as long as its session lasts.
 */
export function followStream(response: Response, { onUnread, onEnd, deadline }: StreamEvents): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const body = isStream ? response.body : null; // Reading `body` would make a stream of a response that has none.
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
          end(); // The deadline must not write to a closed stream.
          controller.close(); // A slow client sees the end and asks for the rest. A client that reads nothing loses its socket.
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
