import { followRoom } from "./following.ts";
import { goBackWithin } from "./going-back.ts";
import type { Transport } from "./transport.ts";

/** What a browser sends of a page that goes may not be larger, in bytes. */
const MAX_PARTING_BYTES = 60_000;

const ACCEPT = { accept: "application/json" };

/** A page in a browser, whose room has an address. `base`: the path below which the room's addresses stand. */
export function overHttp(base: string): Transport {
  const post = (body: URLSearchParams, more: RequestInit) =>
    fetch(`${base}/act`, { method: "POST", body, headers: ACCEPT, ...more });
  return {
    act: (form, signal) => post(new URLSearchParams(form), { signal }),
    part(form) {
      const body = new URLSearchParams(form);
      void post(body, { keepalive: body.toString().length <= MAX_PARTING_BYTES }).catch(() => {});
    },
    follow() {
      goBackWithin();
      followRoom(base);
    },
    leave: () => location.reload(),
  };
}
