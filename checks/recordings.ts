// What a live backend answers, as fixtures:
// record --of <backend url> --to <folder> --name <stem> [--port <port>]: a proxy on loopback for TOWOW_BACKEND_URL; what
//   it writes is clean already, and nothing else reaches the disk.
// promote --from <folder> [--write]: verifies each (a known route, the shape that it gives, nothing personal, nothing
//   secret, no name that is taken) and with --write adds them to test/wire.json. One that fails stops all of them.
// live --of <backend url> [--yes-live] [--to <folder>]: reads a live backend through the built program, as read_only, and
//   records it; without --yes-live it says what it would ask and asks nothing.
import { run } from "./harness.ts";

await run({
  record: () => import("./recordings/record.ts"),
  promote: () => import("./recordings/promote.ts"),
  live: () => import("./recordings/live.ts"),
});
