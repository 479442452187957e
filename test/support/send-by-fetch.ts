import { decoded, gathered } from "../../src/backend/body.ts";
import { type Send, TimedOut } from "../../src/backend/wire.ts";
import { systemClock } from "../../src/clock.ts";

/** What sends requests in place of undici: a function that takes and gives what `fetch` does. */
export const sendByFetch =
  (fetch: (request: Request) => Promise<Response>): Send =>
  async ({ url, maxBytes, timeoutMs, signal: caller, ...request }) => {
    const stop = new AbortController();
    const cancelTimer = systemClock.after(timeoutMs, () => stop.abort(new TimedOut({ wasSent: true })));
    const onAbort = () => stop.abort(caller?.reason);
    caller?.addEventListener("abort", onAbort, { once: true });
    if (caller?.aborted) onAbort();
    const end = () => {
      cancelTimer();
      caller?.removeEventListener("abort", onAbort);
    };
    try {
      const { status, headers, body } = await fetch(new Request(url, { ...request, signal: stop.signal }));
      const chunks: Uint8Array[] = [];
      const noting = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          chunks.push(chunk);
          controller.enqueue(chunk);
        },
      });
      const text = async () => decoded(body === null ? [] : await gathered(body.pipeThrough(noting), maxBytes));
      return {
        status,
        headers,
        text: () => text().finally(end),
        received: async () => decoded(chunks),
        cancel() {
          end();
          void body?.cancel();
        },
      };
    } catch (error) {
      end();
      throw error;
    }
  };
