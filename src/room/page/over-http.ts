import { followRoom } from "./following.ts";
import { goBackWithin } from "./going-back.ts";
import type { RoomForm, Transport } from "./transport.ts";

/** The most that a browser sends for a page that goes away, in bytes. */
const MAX_PARTING_BYTES = 60_000;

/** Lets a page in a browser talk to its room over HTTP. The room's addresses stand below the path `base`. */
export function overHttp(base: string): Transport {
  const post = (form: RoomForm, how: object) => {
    const headers = { accept: "application/json" };
    return fetch(`${base}/act`, { method: "POST", body: new URLSearchParams(form), headers, ...how });
  };
  return {
    act: (form, signal) => post(form, { signal }),
    part(form) {
      const keepalive = new URLSearchParams(form).toString().length <= MAX_PARTING_BYTES;
      void post(form, { keepalive }).catch(() => {});
    },
    follow() {
      goBackWithin();
      followRoom(base);
    },
    leave: () => location.reload(),
  };
}
