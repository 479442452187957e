import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { beginListening, isListen } from "./listen.ts";
import type { Subscriptions } from "./subscriptions.ts";

type Id = string | number;

/**
 * The one stream of a 2026-era client over stdio. The SDK answers `subscriptions/listen` and passes news on; what is
 * listened to is followed here, from the request to its end: cancelled, refused, or gone with the connection.
 * `beforeSend` is called before each message of the server's, with how many requests have no answer yet.
 */
export function listeningTransport(
  wire: Transport,
  subscriptions: Subscriptions,
  beforeSend: (others: number) => void,
): Transport {
  /** Requests, but for those that listen, without an answer yet. */
  const open = new Set<Id | undefined>();
  const ends = new Map<Id, () => void>();
  /** Cancelled before it had begun. */
  const cancelled = new Set<Id>();
  const end = (id: Id) => {
    ends.get(id)?.();
    ends.delete(id);
  };

  async function listen(request: JSONRPCMessage & { id: Id }): Promise<void> {
    const { id } = request;
    ends.set(id, () => cancelled.add(id));
    const { message, end: stop } = await beginListening(request, subscriptions);
    if (cancelled.delete(id)) return stop();
    ends.set(id, stop);
    transport.onmessage?.(message as JSONRPCMessage);
  }

  const transport: Transport = {
    start: () => wire.start(),
    async send(message, options) {
      if ("error" in message && message.id !== undefined) end(message.id);
      if ("result" in message || "error" in message) open.delete(message.id);
      beforeSend(open.size);
      await wire.send(message, options);
    },
    close: () => wire.close(),
  };
  wire.onmessage = (message) => {
    if (isListen(message) && "id" in message && !ends.has(message.id as Id))
      return void listen(message as JSONRPCMessage & { id: Id }).catch((error: Error) => transport.onerror?.(error));
    if ("method" in message && message.method === "notifications/cancelled") {
      const { requestId = "" } = (message.params ?? {}) as { requestId?: Id };
      end(requestId);
      open.delete(requestId);
    } else if ("method" in message && "id" in message) open.add(message.id);
    transport.onmessage?.(message);
  };
  wire.onerror = (error) => transport.onerror?.(error);
  wire.onclose = () => {
    for (const id of ends.keys()) end(id);
    transport.onclose?.();
  };
  return transport;
}
