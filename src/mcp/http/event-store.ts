import type { EventId, EventStore, StreamId } from "@modelcontextprotocol/server";

/** A client that lost its stream can catch up by this much. */
const KEPT_EVENTS = 200;
const KEPT_CHARS = 256_000;

/**
 * What one session's streams have sent lately, so that a dropped one can be resumed; bounded, in memory. `mark` tells this
 * session's event ids from all others.
 */
export function createEventStore(mark: string): EventStore {
  type Message = Parameters<EventStore["storeEvent"]>[1];
  const events: { id: EventId; stream: StreamId; message: Message; chars: number }[] = [];
  let chars = 0;
  let last = 0;
  /** Streams whose answer is no longer kept: nothing would ever come on them. */
  const over = new Set<StreamId>();
  /** Of an event that is no longer kept, the id still says which stream goes on. */
  const streamOf = (id: EventId): StreamId | undefined => {
    const own = id.endsWith(`_${mark}`) ? id.slice(0, -mark.length - 1) : "";
    const [, stream, number] = /^(.+)_([1-9]\d*)$/.exec(own) ?? [];
    return Number(number) <= last && stream !== undefined && !over.has(stream) ? stream : undefined;
  };
  const forgetOldest = () => {
    const { stream, message, chars: size } = events.shift()!;
    chars -= size;
    if (!("result" in message || "error" in message)) return;
    over.add(stream);
    const [oldest] = over;
    if (over.size > KEPT_EVENTS && oldest !== undefined) over.delete(oldest);
  };
  return {
    async storeEvent(stream, message) {
      const id = `${stream}_${++last}_${mark}`;
      const size = charsOf(message);
      events.push({ id, stream, message, chars: size });
      chars += size;
      while (events.length > KEPT_EVENTS || (chars > KEPT_CHARS && events.length > 1)) forgetOldest();
      return id;
    },
    async getStreamIdForEventId(id) {
      return streamOf(id);
    },
    async replayEventsAfter(lastEventId, { send }) {
      const at = events.findIndex((event) => event.id === lastEventId);
      const stream = streamOf(lastEventId) ?? "";
      for (const event of events.slice(at + 1)) if (event.stream === stream) await send(event.id, event.message);
      return stream;
    },
  };
}

/** Of a number, a `true` or an empty place. */
const CHARS_OF_VALUE = 8;

/** About what a value takes, without writing it out: the characters of its strings and keys. */
function charsOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return CHARS_OF_VALUE;
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + charsOf(item), 0);
}
