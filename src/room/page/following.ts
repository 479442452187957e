import { computed, effect, untracked } from "@preact/signals";
import { RETRY_MS, type RoomUpdate, send, sendParting, show } from "./sending.ts";
import { current } from "./store.ts";
import { setTime } from "./time.ts";

/** How often a page without a stream asks for news, in ms. */
const QUIET_MS = 5_000;
/** After this silence, in ms, the stream is dead or its program hangs, because the room sends the time every five seconds. */
const SILENT_MS = 12_000;

/**
 * Keeps the page up to date with its room. A browser opens at most six connections to one origin, and a stream occupies
 * one. A page that is hidden, or whose demand is over, therefore closes its stream and asks from time to time instead,
 * so that other pages can load and decide.
 */
export function followRoom(base: string): void {
  let events: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const follow = (): void => {
    clearTimeout(again);
    if (!document.hidden && !isOver.value) {
      if (events === undefined) {
        events = listen();
        heard();
      }
      return;
    }
    stop();
    if (!current().isGone) again = setTimeout(() => void send("").then(follow), QUIET_MS);
  };

  const stop = (): void => {
    clearTimeout(silence);
    events?.close();
    events = undefined;
  };

  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      stop();
      void send("");
      follow();
    }, SILENT_MS);
  };

  const listen = (): EventSource => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const stream = new EventSource(`${base}/events?${new URLSearchParams({ timeZone })}`);
    stream.addEventListener("state", ({ data }) => {
      heard();
      show(JSON.parse(data) as RoomUpdate, false);
    });
    stream.addEventListener("now", ({ data }) => {
      heard();
      setTime(Number(data));
    });
    stream.addEventListener("error", () => {
      void send(""); // only a request shows whether the room is there, because a proxy may refuse just the streams
      // A browser reconnects by itself if nobody answered, but never if the answer was not a stream.
      if (stream.readyState !== EventSource.CLOSED || stream !== events) return;
      stop();
      clearTimeout(again);
      again = setTimeout(() => current().isGone || follow(), RETRY_MS);
    });
    return stream;
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) sendParting();
    follow();
  });
  // On a reload, the browser asks for the new page before it hides this one, and the new page needs what was typed
  // last.
  for (const end of ["beforeunload", "pagehide"]) addEventListener(end, sendParting);
  effect(() => {
    isOver.value;
    untracked(follow);
  });
}

const isOver = computed(() => current().spec.stage === "done");
