import { computed, effect, untracked } from "@preact/signals";
import { lost, RETRY_MS, type Shown, send, show } from "./sending.ts";
import { current } from "./store.ts";
import { setTime } from "./time.ts";

/** How often a page that holds no connection asks what is new. */
const QUIET_MS = 5_000;

/**
 * Shows what the room shows. A browser opens six connections to one origin, and a stream keeps one: a page that is not
 * looked at, or whose demand is over, gives it back and asks now and then, so that other pages can load and decide.
 */
export function followRoom(base: string): void {
  let events: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;

  const follow = (): void => {
    clearTimeout(again);
    if (!document.hidden && !isOver.value) {
      events ??= listen();
      return;
    }
    events?.close();
    events = undefined;
    if (!current().isGone) again = setTimeout(() => void send("").then(follow), QUIET_MS);
  };

  const listen = (): EventSource => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const stream = new EventSource(`${base}/events?${new URLSearchParams({ timeZone })}`);
    stream.addEventListener("state", ({ data }) => show(JSON.parse(data) as Shown, false));
    stream.addEventListener("now", ({ data }) => setTime(Number(data)));
    stream.addEventListener("error", () => {
      lost();
      // A browser tries again by itself where nobody answered, and never where the answer was another than a stream.
      if (stream.readyState !== EventSource.CLOSED || stream !== events) return;
      events = undefined;
      clearTimeout(again);
      again = setTimeout(() => current().isGone || follow(), RETRY_MS);
    });
    return stream;
  };

  document.addEventListener("visibilitychange", follow);
  effect(() => {
    isOver.value;
    untracked(follow);
  });
}

const isOver = computed(() => current().spec.stage === "done");
