// Requests and delay of the adaptive poller beside a fixed poll of 3 s, over one negotiation of about 20 s.
// Run: npm run bench:polling.

import { measureWatching } from "./watching/watch.ts";

const { wokenByFeed, adaptive, fixed } = await measureWatching();
console.log("poll        requests  seconds  changes told  median delay ms  worst delay ms");
for (const [name, f] of [
  ["with feed", wokenByFeed],
  ["adaptive", adaptive],
  ["fixed 3 s", fixed],
] as const) {
  console.log(
    [
      name.padEnd(11),
      String(f.requests).padStart(8),
      f.seconds.toFixed(1).padStart(8),
      String(f.changes).padStart(13),
      String(f.medianDelayMs).padStart(16),
      String(f.worstDelayMs).padStart(15),
    ].join(" "),
  );
}
