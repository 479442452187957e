import { computed, effect, untracked } from "@preact/signals";
import { RETRY_MS, type Shown, send, sendParting, show } from "./sending.ts";
import { current } from "./store.ts";
import { setTime } from "./time.ts";

/** How often a page that holds no connection asks what is new. */
const QUIET_MS = 5_000;
/** The room sends its time every five seconds: a stream that is silent for longer is dead, or its program hangs. */
const SILENT_MS = 12_000;

/**
 * Shows what the room shows. A browser opens six connections to one origin, and a stream keeps one: a page that is not
 * looked at, or whose demand is over, gives it back and asks now and then, so that other pages can load and decide.
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
      show(JSON.parse(data) as Shown, false);
    });
    stream.addEventListener("now", ({ data }) => {
      heard();
      setTime(Number(data));
    });
    stream.addEventListener("error", () => {
      void send(""); // what a request says counts: something between may refuse streams alone
      // A browser tries again by itself where nobody answered, and never where the answer was another than a stream.
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
  // A page that is loaded again is asked for before this one is hidden: it is to have the last words too.
  for (const end of ["beforeunload", "pagehide"]) addEventListener(end, sendParting);
  effect(() => {
    isOver.value;
    untracked(follow);
  });
}

const isOver = computed(() => current().spec.stage === "done");
